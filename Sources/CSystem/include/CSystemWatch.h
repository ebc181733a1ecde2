/* Watching files for changes: Linux's inotify, where there is one. */
#ifndef CSYSTEM_WATCH_H
#define CSYSTEM_WATCH_H

#include <stddef.h>

/* What happened, as bits of csystem_watch_event.happened. */
#define CSYSTEM_WATCH_CHANGED 1  /* the file, or an entry of the folder, is no longer what it was */
#define CSYSTEM_WATCH_OVERFLOW 2 /* events were lost; anything may have changed */

/* One event. name points into the bytes that were read and is empty for what is watched itself. */
typedef struct {
  int watch;
  int happened;
  const char *name;
  size_t name_length;
} csystem_watch_event;

/* A descriptor, non-blocking and closed on exec, that becomes readable when something watched changes; -1 where the
   system has none (errno set). */
int csystem_watch_open(void);

/* Watches a file's content, or the names in a folder. Returns the watch's number, the same for the same file, or -1 with
   errno. */
int csystem_watch_file(int descriptor, const char *path);
int csystem_watch_folder(int descriptor, const char *path);

/* Ends a watch. */
void csystem_watch_end(int descriptor, int watch);

/* Takes the event at bytes, of which count are left. Returns how many bytes it takes, 0 where none is whole. */
size_t csystem_watch_next(const void *bytes, size_t count, csystem_watch_event *event);

#endif
