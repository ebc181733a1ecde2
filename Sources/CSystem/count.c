#include "CSystem.h"

/* The thread sanitizer instruments the function that chooses, which the loader calls before the sanitizer has begun. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CSYSTEM_ONE_CLONE
#endif
#endif

/* Counts in bytes, at most 255 blocks at a time, which compilers of C turn into compares and adds of whole registers; what Swift's made
 * of such a loop took five times as long. On x86 the widest registers that the machine has are chosen when the program is loaded. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(CSYSTEM_ONE_CLONE)
__attribute__((target_clones("avx2", "default")))
#endif
size_t csystem_count_byte(const unsigned char *bytes, size_t size, unsigned char byte) {
  size_t total = 0;
  while (size >= 32) {
    unsigned char counts[32] = {0};
    size_t blocks = size / 32 < 255 ? size / 32 : 255;
    for (size_t block = 0; block < blocks; block++) {
      for (size_t lane = 0; lane < 32; lane++) counts[lane] += bytes[block * 32 + lane] == byte;
    }
    for (size_t lane = 0; lane < 32; lane++) total += counts[lane];
    bytes += blocks * 32;
    size -= blocks * 32;
  }
  for (size_t index = 0; index < size; index++) total += bytes[index] == byte;
  return total;
}
