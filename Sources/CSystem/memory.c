#include "CSystem.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void csystem_keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}
