/* What Swift cannot reach through its Glibc or Darwin modules: macros, variadic calls, Linux-only calls. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include "CSystemCrash.h"
#include "CSystemHTTP.h"
#include "CSystemInflate.h"
#include "CSystemProcess.h"
#include "CSystemTerminal.h"
#include "CSystemThread.h"
#include "CSystemWatch.h"

#include <stddef.h>

/* Writes the system's words for an errno value into text, always ended by NUL, cut to size. Safe on any thread. */
void csystem_error_text(int error, char *text, size_t size);

/* Milliseconds of a clock that never goes back. */
long long csystem_milliseconds(void);

/* Writes all the bytes, however often a signal comes in between. Returns 0, or the errno with which it had to stop. */
int csystem_write_all(int descriptor, const void *bytes, size_t size);

/* How often a byte occurs among others. */
size_t csystem_count_byte(const unsigned char *bytes, size_t size, unsigned char byte);

/* Makes the allocator keep blocks of up to 32 MiB that are freed for the next ones. Left alone it hands those of a page back to the
 * system each time, and the system clears and maps fresh ones: a third of the time of paging through a file, and more than half
 * of that of a page of some megabytes. */
void csystem_keep_freed_memory(void);

/* Hands back to the system what the allocator has kept. */
void csystem_give_back_freed_memory(void);

#endif
