/*
 * Two files of Swift's runtime that this program can do without, and whose initialisers take 0.1 ms of its start: one looks for
 * the backtracer in eight places, the other reads /proc/self/maps for the arguments.
 */
#include "CStart.h"
#include "Replaceable.h"

#include <stdbool.h>
#include <stdlib.h>

#if defined(__GLIBC__)
/* The backtracer. Crashes are reported by CSystem; all zero, these settings say that the runtime is to do nothing about them. */
REPLACEABLE unsigned char _swift_backtraceSettings[256];

REPLACEABLE bool _swift_backtrace_isThunkFunction(const char *name);

REPLACEABLE bool _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return false;
}

/* The arguments, which glibc hands to initialisers as it does to `main`. */
static int argument_count;
static char **arguments;

__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int cstart_argument_count(void) { return argument_count; }

REPLACEABLE char **_swift_stdlib_getUnsafeArgvArgc(int *count);

REPLACEABLE char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = argument_count;
  return arguments;
}
#else
int cstart_argument_count(void) { return -1; }
#endif
