#include "CSystemInflate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is needed of zlib's interface; inflateInit2_ is told its version and size, and refuses what does not fit. */
typedef struct {
  const unsigned char *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *, unsigned int, unsigned int);
  void (*zfree)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} z_stream;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, Z_NO_FLUSH = 0, GZIP_ONLY = 15 + 16 };

struct csystem_inflate {
  z_stream z;
};

static struct {
  int (*init)(z_stream *, int, const char *, int);
  int (*run)(z_stream *, int);
  int (*end)(z_stream *);
  int (*reset)(z_stream *);
  int (*copy)(z_stream *, z_stream *);
} zlib;

static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static char load_problem[512] = "it was not opened";

/* A function's address goes into a variable of its type by way of memory: C has no conversion for it. */
static int find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  if (!symbol) snprintf(load_problem, sizeof load_problem, "it has no %s", name);
  if (symbol) memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static void load(void) {
#if defined(__APPLE__)
  void *library = dlopen("/usr/lib/libz.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  const char *chosen = getenv("PAGEWIRE_LIBZ");
  void *library = dlopen(chosen && *chosen ? chosen : "libz.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) {
    const char *reason = dlerror();
    snprintf(load_problem, sizeof load_problem, "%s", reason ? reason : "it cannot be opened");
    return;
  }
  if (find(library, "inflateInit2_", &zlib.init) && find(library, "inflate", &zlib.run) &&
      find(library, "inflateEnd", &zlib.end) && find(library, "inflateReset", &zlib.reset) &&
      find(library, "inflateCopy", &zlib.copy))
    load_problem[0] = 0;
}

const char *csystem_inflate_problem(void) {
  pthread_once(&load_once, load);
  return load_problem[0] ? load_problem : NULL;
}

csystem_inflate *csystem_inflate_begin(void) {
  if (csystem_inflate_problem()) return NULL;
  csystem_inflate *stream = calloc(1, sizeof *stream);
  if (stream && zlib.init(&stream->z, GZIP_ONLY, "1.2.11", (int)sizeof stream->z) != Z_OK) {
    free(stream);
    stream = NULL;
  }
  return stream;
}

csystem_inflate *csystem_inflate_copy(csystem_inflate *stream) {
  csystem_inflate *copy = calloc(1, sizeof *copy);
  if (copy && zlib.copy(&copy->z, &stream->z) != Z_OK) {
    free(copy);
    copy = NULL;
  }
  return copy;
}

void csystem_inflate_end(csystem_inflate *stream) {
  (void)zlib.end(&stream->z);
  free(stream);
}

int csystem_inflate_next_member(csystem_inflate *stream) { return zlib.reset(&stream->z) == Z_OK ? 0 : -1; }

int csystem_inflate_run(csystem_inflate *stream, const void *in, size_t in_count, size_t *consumed, void *out,
                        size_t out_count, size_t *produced) {
  const size_t most = (size_t)1 << 30;
  z_stream *z = &stream->z;
  z->next_in = in;
  z->avail_in = (unsigned int)(in_count < most ? in_count : most);
  z->next_out = out;
  z->avail_out = (unsigned int)(out_count < most ? out_count : most);
  int result = zlib.run(z, Z_NO_FLUSH);
  *consumed = (size_t)(z->next_in - (const unsigned char *)in);
  *produced = (size_t)(z->next_out - (unsigned char *)out);
  /* Nothing of the caller's is kept. */
  z->next_in = NULL;
  z->avail_in = 0;
  z->next_out = NULL;
  z->avail_out = 0;
  if (result == Z_STREAM_END) return 1;
  /* No room or no input is no error. */
  return result == Z_OK || result == Z_BUF_ERROR ? 0 : -1;
}
