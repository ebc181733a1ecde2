#include "CSystemHTTP.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is needed of libcurl's interface, whose numbers never change (curl.h says so). */
typedef void CURL;
typedef void CURLM;
struct curl_slist;

enum { OPT_LONG = 0, OPT_OBJECT = 10000, OPT_FUNCTION = 20000, OPT_OFF_T = 30000 };
enum {
  OPT_WRITEDATA = OPT_OBJECT + 1,
  OPT_URL = OPT_OBJECT + 2,
  OPT_ERRORBUFFER = OPT_OBJECT + 10,
  OPT_WRITEFUNCTION = OPT_FUNCTION + 11,
  OPT_POSTFIELDS = OPT_OBJECT + 15,
  OPT_HTTPHEADER = OPT_OBJECT + 23,
  OPT_HEADERDATA = OPT_OBJECT + 29,
  OPT_CUSTOMREQUEST = OPT_OBJECT + 36,
  OPT_FOLLOWLOCATION = OPT_LONG + 52,
  OPT_HEADERFUNCTION = OPT_FUNCTION + 79,
  OPT_NOSIGNAL = OPT_LONG + 99,
  OPT_ACCEPT_ENCODING = OPT_OBJECT + 102,
  OPT_POSTFIELDSIZE_LARGE = OPT_OFF_T + 120,
  OPT_CONNECTTIMEOUT_MS = OPT_LONG + 156,
  OPT_PROTOCOLS = OPT_LONG + 181,
  OPT_PATH_AS_IS = OPT_LONG + 234,
  OPT_SUPPRESS_CONNECT_HEADERS = OPT_LONG + 265,
  INFO_RESPONSE_CODE = 0x200000 + 2,
  PROTOCOL_HTTP = 1,
  PROTOCOL_HTTPS = 2,
  GLOBAL_ALL = 3,
  MESSAGE_DONE = 1
};

typedef struct {
  int message;
  CURL *easy;
  union {
    void *whatever;
    int result;
  } data;
} CURLMessage;

static struct {
  int (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  int (*easy_setopt)(CURL *, int, ...);
  int (*easy_getinfo)(CURL *, int, ...);
  const char *(*easy_strerror)(int);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLM *(*multi_init)(void);
  int (*multi_cleanup)(CURLM *);
  int (*multi_add_handle)(CURLM *, CURL *);
  int (*multi_remove_handle)(CURLM *, CURL *);
  int (*multi_perform)(CURLM *, int *);
  int (*multi_wait)(CURLM *, void *, unsigned, int, int *);
  CURLMessage *(*multi_info_read)(CURLM *, int *);
  /* NULL in a library from before 7.68; then a wait ends when its time is over. */
  int (*multi_wakeup)(CURLM *);
} curl;

static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char load_problem[512];

static void *open_library(void) {
  const char *chosen = getenv("PAGEWIRE_LIBCURL");
  if (chosen && *chosen) return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
#if defined(__APPLE__)
  void *library = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
  return library ? library : dlopen("/usr/lib/libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  return dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#endif
}

/* A function's address goes into a variable of its type by way of memory: C has no conversion for it. */
static int find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    snprintf(load_problem, sizeof load_problem, "it has no %s", name);
    return 0;
  }
  memcpy(function, &symbol, sizeof symbol);
  return 1;
}

static void load(void) {
  void *library = open_library();
  if (!library) {
    const char *reason = dlerror();
    snprintf(load_problem, sizeof load_problem, "%s", reason ? reason : "it cannot be opened");
    return;
  }
  if (!find(library, "curl_global_init", &curl.global_init) || !find(library, "curl_easy_init", &curl.easy_init) ||
      !find(library, "curl_easy_cleanup", &curl.easy_cleanup) || !find(library, "curl_easy_reset", &curl.easy_reset) ||
      !find(library, "curl_easy_setopt", &curl.easy_setopt) ||
      !find(library, "curl_easy_getinfo", &curl.easy_getinfo) ||
      !find(library, "curl_easy_strerror", &curl.easy_strerror) ||
      !find(library, "curl_slist_append", &curl.slist_append) ||
      !find(library, "curl_slist_free_all", &curl.slist_free_all) ||
      !find(library, "curl_multi_init", &curl.multi_init) ||
      !find(library, "curl_multi_cleanup", &curl.multi_cleanup) ||
      !find(library, "curl_multi_add_handle", &curl.multi_add_handle) ||
      !find(library, "curl_multi_remove_handle", &curl.multi_remove_handle) ||
      !find(library, "curl_multi_perform", &curl.multi_perform) ||
      !find(library, "curl_multi_poll", &curl.multi_wait) ||
      !find(library, "curl_multi_info_read", &curl.multi_info_read))
    return;
  void *wakeup = dlsym(library, "curl_multi_wakeup");
  memcpy(&curl.multi_wakeup, &wakeup, sizeof wakeup);
  if (curl.global_init(GLOBAL_ALL) != 0) {
    snprintf(load_problem, sizeof load_problem, "it cannot be initialised");
    return;
  }
  is_loaded = 1;
}

int csystem_http_load(char *problem, size_t size) {
  pthread_once(&load_once, load);
  if (size > 0) snprintf(problem, size, "%s", load_problem);
  return is_loaded ? 0 : -1;
}

typedef struct {
  char *bytes;
  size_t count, capacity, limit;
  int is_over, is_out_of_memory;
} buffer;

struct csystem_http {
  CURL *easy;
  CURLM *multi;
  buffer headers, body;
};

csystem_http *csystem_http_new(void) {
  if (!is_loaded) return NULL;
  csystem_http *http = calloc(1, sizeof *http);
  if (!http) return NULL;
  http->easy = curl.easy_init();
  http->multi = curl.multi_init();
  if (http->easy && http->multi) return http;
  csystem_http_free(http);
  return NULL;
}

void csystem_http_free(csystem_http *http) {
  if (!http) return;
  if (http->easy) curl.easy_cleanup(http->easy);
  if (http->multi) curl.multi_cleanup(http->multi);
  free(http->headers.bytes);
  free(http->body.bytes);
  free(http);
}

void csystem_http_wake(csystem_http *http) {
  if (curl.multi_wakeup) curl.multi_wakeup(http->multi);
}

/* Takes all of it or, where that would pass the limit, nothing, which ends the transfer. */
static size_t append(char *bytes, size_t size, size_t count, void *context) {
  buffer *to = context;
  size *= count;
  if (size > to->limit - to->count) {
    to->is_over = 1;
    return 0;
  }
  if (size > to->capacity - to->count) {
    size_t wanted = to->capacity < 4096 ? 4096 : to->capacity;
    while (wanted - to->count < size) wanted *= 2;
    char *grown = realloc(to->bytes, wanted);
    if (!grown) {
      to->is_out_of_memory = 1;
      return 0;
    }
    to->bytes = grown;
    to->capacity = wanted;
  }
  memcpy(to->bytes + to->count, bytes, size);
  to->count += size;
  return size;
}

/* Memory of a huge response is given back before the next one. */
static void empty(buffer *buffer, size_t limit) {
  if (buffer->capacity > (1 << 20)) {
    free(buffer->bytes);
    buffer->bytes = NULL;
    buffer->capacity = 0;
  }
  buffer->count = 0;
  buffer->limit = limit;
  buffer->is_over = buffer->is_out_of_memory = 0;
}

static int prepare(csystem_http *http, const csystem_http_request *request, struct curl_slist *headers, char *error) {
  CURL *easy = http->easy;
  /* Keeps the connections and forgets everything else. */
  curl.easy_reset(easy);
  int failed = curl.easy_setopt(easy, OPT_URL, request->url);
  failed |= curl.easy_setopt(easy, OPT_CUSTOMREQUEST, request->method);
  failed |= curl.easy_setopt(easy, OPT_FOLLOWLOCATION, 0L);
  failed |= curl.easy_setopt(easy, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
  failed |= curl.easy_setopt(easy, OPT_ERRORBUFFER, error);
  failed |= curl.easy_setopt(easy, OPT_HTTPHEADER, headers);
  failed |= curl.easy_setopt(easy, OPT_WRITEFUNCTION, append);
  failed |= curl.easy_setopt(easy, OPT_WRITEDATA, &http->body);
  failed |= curl.easy_setopt(easy, OPT_HEADERFUNCTION, append);
  failed |= curl.easy_setopt(easy, OPT_HEADERDATA, &http->headers);
  failed |= curl.easy_setopt(easy, OPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
  /* Signals are the program's own; nothing here may interrupt its other threads. */
  failed |= curl.easy_setopt(easy, OPT_NOSIGNAL, 1L);
  if (request->body) {
    failed |= curl.easy_setopt(easy, OPT_POSTFIELDSIZE_LARGE, (long long)request->body_size);
    failed |= curl.easy_setopt(easy, OPT_POSTFIELDS, request->body);
  }
  if (failed) return 0;
  /* These are comforts: an old library may lack them. */
  curl.easy_setopt(easy, OPT_ACCEPT_ENCODING, "");
  curl.easy_setopt(easy, OPT_PATH_AS_IS, 1L);
  curl.easy_setopt(easy, OPT_SUPPRESS_CONNECT_HEADERS, 1L);
  return 1;
}

/* The wait ends as soon as the socket has something, and at the latest in time to ask again whether to go on. */
static int transfer(csystem_http *http, const csystem_http_request *request) {
  while (1) {
    int running = 0;
    if (curl.multi_perform(http->multi, &running) != 0) return CSYSTEM_HTTP_NO_MEMORY;
    int left = 0;
    CURLMessage *message;
    while ((message = curl.multi_info_read(http->multi, &left)))
      if (message->message == MESSAGE_DONE) return message->data.result;
    if (request->is_cancelled(request->context)) return CSYSTEM_HTTP_CANCELLED;
    if (curl.multi_wait(http->multi, NULL, 0, 100, NULL) != 0) return CSYSTEM_HTTP_NO_MEMORY;
  }
}

int csystem_http_perform(csystem_http *http, const csystem_http_request *request, csystem_http_response *response) {
  memset(response, 0, sizeof *response);
  empty(&http->headers, request->max_header_size);
  empty(&http->body, request->max_body_size);
  struct curl_slist *headers = NULL;
  for (size_t index = 0; index < request->header_count; index++) {
    struct curl_slist *longer = curl.slist_append(headers, request->headers[index]);
    if (!longer) {
      curl.slist_free_all(headers);
      return CSYSTEM_HTTP_NO_MEMORY;
    }
    headers = longer;
  }
  int result = CSYSTEM_HTTP_NO_MEMORY;
  if (prepare(http, request, headers, response->error) && curl.multi_add_handle(http->multi, http->easy) == 0) {
    result = transfer(http, request);
    curl.easy_getinfo(http->easy, INFO_RESPONSE_CODE, &response->status);
    curl.multi_remove_handle(http->multi, http->easy);
  }
  /* Nothing of the request may be looked at after this call. */
  curl.easy_reset(http->easy);
  curl.slist_free_all(headers);
  if (http->headers.is_out_of_memory || http->body.is_out_of_memory) result = CSYSTEM_HTTP_NO_MEMORY;
  if (result > 0 && !response->error[0])
    snprintf(response->error, sizeof response->error, "%s", curl.easy_strerror(result));
  response->headers = http->headers.bytes;
  response->header_size = http->headers.count;
  response->headers_too_large = http->headers.is_over;
  response->body = http->body.bytes;
  response->body_size = http->body.count;
  response->body_too_large = http->body.is_over;
  return result;
}
