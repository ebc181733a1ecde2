#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CSystemProcess.h"

#include <errno.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

int csystem_pidfd_open(pid_t process) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  /* The kernel sets close-on-exec by itself. */
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  errno = ENOSYS;
  return -1;
#endif
}
