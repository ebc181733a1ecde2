// The floor for `roundtrip`: writes back every byte it reads.
#include <errno.h>
#include <unistd.h>

static char buffer[65536];

int main(void) {
  for (;;) {
    ssize_t count = read(0, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    for (ssize_t done = 0; done < count;) {
      ssize_t written = write(1, buffer + done, (size_t)(count - done));
      if (written < 0) return 1;
      done += written;
    }
  }
}
