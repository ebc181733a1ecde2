/* What Swift cannot reach through its Glibc or Darwin modules: macros, variadic calls, Linux-only calls. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include "CSystemProcess.h"
#include "CSystemTerminal.h"

#include <stddef.h>

/* Writes the system's words for an errno value into text, always ended by NUL, cut to size. Safe on any thread. */
void csystem_error_text(int error, char *text, size_t size);

#endif
