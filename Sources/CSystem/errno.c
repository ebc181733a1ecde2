/* strerror_r comes in two forms; without _GNU_SOURCE both systems have the one of POSIX. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "CSystem.h"

void csystem_error_text(int error, char *text, size_t size) {
  if (size == 0) return;
  if (strerror_r(error, text, size) != 0) snprintf(text, size, "error %d", error);
}
