/* Finds the marks of JSON text with the widest registers that Swift cannot reach. */
#ifndef CJSONMARKS_H
#define CJSONMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes are looked at together. */
#define CJSONMARKS_BLOCK 64

/* Where a search stands between two calls. */
typedef struct {
  /* How many bytes stand before the text and can be read. */
  size_t before;
  /* How many bytes of the text were looked at. */
  size_t offset;
  /* All bits where that part ends inside a string, else none. */
  uint64_t in_string;
  /* 1 where it ends in a backslash that escapes the next byte. */
  uint64_t is_escaped;
  /* 1 where it ends inside a number, a word or anything else that is neither white space nor punctuation. */
  uint64_t is_scalar;
  /* Whether it has what no JSON text has: broken UTF-8, a bad escape, a control character in a string. */
  bool is_broken;
} cjsonmarks;

/* Whether this machine can do it. */
bool cjsonmarks_available(void);

/* Goes on by at most `blocks` blocks in a text of `size` bytes, writes the offsets of its marks into `places`, which has room for 64 a
 * block, and returns how many they are. Marks are the first bytes of all values and names, and all punctuation outside of strings.
 * Two controls, 0x0C and 0x1A, are taken for punctuation; whoever reads the marks looks at the bytes. */
size_t cjsonmarks_find(cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places);

#endif
