#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CSystemWatch.h"

#include <errno.h>
#include <string.h>

#if defined(__linux__)
#include <sys/inotify.h>

int csystem_watch_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int csystem_watch_file(int descriptor, const char *path) {
  return inotify_add_watch(descriptor, path, IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF);
}

int csystem_watch_folder(int descriptor, const char *path) {
  return inotify_add_watch(descriptor, path, IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR);
}

void csystem_watch_end(int descriptor, int watch) { (void)inotify_rm_watch(descriptor, watch); }

size_t csystem_watch_next(const void *bytes, size_t count, csystem_watch_event *event) {
  struct inotify_event head;
  if (count < sizeof head) return 0;
  /* The bytes need not be aligned for the struct. */
  memcpy(&head, bytes, sizeof head);
  if (head.len > count - sizeof head) return 0;
  event->watch = head.wd;
  event->happened = CSYSTEM_WATCH_CHANGED;
  if (head.mask & IN_Q_OVERFLOW) event->happened |= CSYSTEM_WATCH_OVERFLOW;
  event->name = (const char *)bytes + sizeof head;
  /* The name is filled up with NULs. */
  event->name_length = strnlen(event->name, head.len);
  return sizeof head + head.len;
}
#else
int csystem_watch_open(void) {
  errno = ENOSYS;
  return -1;
}

int csystem_watch_file(int descriptor, const char *path) {
  (void)descriptor;
  (void)path;
  errno = ENOSYS;
  return -1;
}

int csystem_watch_folder(int descriptor, const char *path) { return csystem_watch_file(descriptor, path); }

void csystem_watch_end(int descriptor, int watch) {
  (void)descriptor;
  (void)watch;
}

size_t csystem_watch_next(const void *bytes, size_t count, csystem_watch_event *event) {
  (void)bytes;
  (void)count;
  (void)event;
  return 0;
}
#endif
