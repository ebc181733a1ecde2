#include "CSystem.h"

#include <errno.h>
#include <unistd.h>

int csystem_write_all(int descriptor, const void *bytes, size_t size) {
  const char *rest = bytes;
  while (size > 0) {
    ssize_t count = write(descriptor, rest, size);
    if (count >= 0) {
      rest += count;
      size -= (size_t)count;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}
