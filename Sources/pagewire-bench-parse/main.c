// The floor for `notifications`: cuts its input into frames and looks for an "id" in each; a frame that has one (a request)
// is answered by a fixed frame, all others are dropped. It understands nothing else of a message.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 18];

int main(void) {
  static const char answer[] = "Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}";
  size_t start = 0, end = 0;
  for (;;) {
    for (;;) {
      // "Content-Length: N\r\n\r\n" and N bytes, exactly in this form.
      if (end - start < 21) break;
      if (memcmp(buffer + start, "Content-Length: ", 16) != 0) return 1;
      size_t at = start + 16, length = 0;
      while (at < end && buffer[at] >= '0' && buffer[at] <= '9') length = length * 10 + (size_t)(buffer[at++] - '0');
      at += 4;
      if (at > end || end - at < length) break;
      if (memmem(buffer + at, length, "\"id\":", 5) != NULL) {
        if (write(1, answer, sizeof answer - 1) < 0) return 1;
      }
      start = at + length;
    }
    if (start == end) start = end = 0;
    if (start != 0 && sizeof buffer - end < 65536) {
      memmove(buffer, buffer + start, end - start);
      end -= start;
      start = 0;
    }
    ssize_t count = read(0, buffer + end, sizeof buffer - end);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    end += (size_t)count;
  }
}
