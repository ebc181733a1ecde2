/* Threads, which Glibc's and Darwin's modules show to Swift in different forms. */
#ifndef CSYSTEM_THREAD_H
#define CSYSTEM_THREAD_H

#include <stddef.h>

/* Starts a thread that nobody waits for, with a stack of so many bytes, 0 for the system's own size. Returns 0, or an errno. */
int csystem_start_thread(void *_Nullable (*_Nonnull main)(void *_Nullable), void *_Nullable argument, size_t stack_bytes);

#endif
