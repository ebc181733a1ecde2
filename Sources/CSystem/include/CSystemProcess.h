/* Watching other processes. */
#ifndef CSYSTEM_PROCESS_H
#define CSYSTEM_PROCESS_H

#include <sys/types.h>

/* A descriptor, closed on exec, that becomes readable when the process ends; -1 where the system has none (errno set). */
int csystem_pidfd_open(pid_t process);

#endif
