// The floor for `start`: a dynamically linked C program that reads one frame, answers it, and goes on to the end of input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char input[65536];

int main(void) {
  static const char body[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"floor\",\"version\":\"1\"}}}";
  size_t have = 0;
  for (;;) {
    ssize_t count = read(0, input + have, sizeof input - 1 - have);
    if (count <= 0) return 0;
    have += (size_t)count;
    input[have] = 0;
    char *end_of_header = strstr(input, "\r\n\r\n");
    if (end_of_header == NULL || strncmp(input, "Content-Length: ", 16) != 0) continue;
    size_t frame = (size_t)(end_of_header + 4 - input) + strtoul(input + 16, NULL, 10);
    if (have < frame) continue;
    char output[256];
    int length = snprintf(output, sizeof output, "Content-Length: %zu\r\n\r\n%s", sizeof body - 1, body);
    if (write(1, output, (size_t)length) != length) return 1;
    memmove(input, input + frame, have - frame);
    have -= frame;
  }
}
