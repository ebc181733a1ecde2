/* zlib's inflater, opened at run time: gzip members only. */
#ifndef CSYSTEM_INFLATE_H
#define CSYSTEM_INFLATE_H

#include <stddef.h>

/* One stream that is being inflated. */
typedef struct csystem_inflate csystem_inflate;

/* Opens zlib, once. NULL where it is there, else why it is not. Safe on any thread. */
const char *csystem_inflate_problem(void);

/* A stream at the start of a gzip member, or a copy of one that goes on from the same place; NULL without memory. */
csystem_inflate *csystem_inflate_begin(void);
csystem_inflate *csystem_inflate_copy(csystem_inflate *stream);
void csystem_inflate_end(csystem_inflate *stream);

/* Makes a stream ready for the next member. Returns 0, or -1 where it cannot be. */
int csystem_inflate_next_member(csystem_inflate *stream);

/* Inflates from `in` to `out`, at most 1 GiB of each. Returns 0 to go on, 1 at the end of a member, -1 where the data is
   broken. */
int csystem_inflate_run(csystem_inflate *stream, const void *in, size_t in_count, size_t *consumed, void *out,
                        size_t out_count, size_t *produced);

#endif
