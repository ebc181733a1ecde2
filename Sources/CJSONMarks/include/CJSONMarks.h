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
  /* 1 where nothing but white space stands between its last mark and its end; to begin with too, where a text starts. */
  uint64_t is_behind_mark;
  /* Not 0 where it has what no JSON text has: broken UTF-8, a bad escape, a control character in a string, two values or names without a
   * mark between them. */
  uint64_t errors;
} cjsonmarks;

/* In a mark's code, which is the mark itself otherwise: a quote stands before it, which ends a string. */
#define CJSONMARKS_STRING 0x80

/* Whether this machine can do it. */
bool cjsonmarks_available(void);

/* Goes on by at most `blocks` blocks in a text of `size` bytes, writes the offsets of its marks into `places` and their codes into `codes`,
 * which have room for 64 a block each, and returns how many they are. Marks are the punctuation outside of strings. Two controls,
 * 0x0C and 0x1A, are taken for it too, which the codes tell. */
size_t cjsonmarks_find(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes);

/* The same by registers of 32 bytes where the machine has wider ones too, for a test to compare. */
size_t cjsonmarks_find_narrower(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes);

#endif
