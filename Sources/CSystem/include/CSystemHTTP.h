/* HTTP by libcurl, which is opened when it is first needed: no header and no library are needed to build. */
#ifndef CSYSTEM_HTTP_H
#define CSYSTEM_HTTP_H

#include <stddef.h>

/* A connection that stays warm between requests. One thread at a time may use it. */
typedef struct csystem_http csystem_http;

typedef struct {
  const char *url;
  const char *method;
  /* Lines "Name: value"; "Name;" sends an empty value. */
  const char *const *headers;
  size_t header_count;
  /* NULL where the request has none. */
  const void *body;
  size_t body_size;
  long connect_timeout_ms;
  /* The most bytes that are taken of a body, counted after decoding, and of all header lines. */
  size_t max_body_size;
  size_t max_header_size;
  /* Asked at least every 100 ms, and when csystem_http_wake is called; the request ends where it says other than 0. */
  int (*is_cancelled)(void *context);
  void *context;
} csystem_http_request;

typedef struct {
  long status;
  /* All header lines as they came, those of informational responses included. */
  const char *headers;
  size_t header_size;
  const char *body;
  size_t body_size;
  /* Which limit was passed, if any. */
  int body_too_large;
  int headers_too_large;
  /* The library's words for what went wrong, always ended by NUL. */
  char error[256];
} csystem_http_response;

/* Values that csystem_http_perform answers besides the library's own. */
enum {
  CSYSTEM_HTTP_OK = 0,
  CSYSTEM_HTTP_BAD_URL = 3,
  CSYSTEM_HTTP_NO_HOST = 6,
  CSYSTEM_HTTP_NO_CONNECTION = 7,
  CSYSTEM_HTTP_WRITE_ERROR = 23,
  CSYSTEM_HTTP_TIMED_OUT = 28,
  CSYSTEM_HTTP_TLS_ERROR = 35,
  CSYSTEM_HTTP_BAD_CERTIFICATE = 60,
  CSYSTEM_HTTP_BAD_ENCODING = 61,
  CSYSTEM_HTTP_CANCELLED = -1,
  CSYSTEM_HTTP_NO_MEMORY = -2
};

/* Opens the library, once in a process. Returns 0, or -1 with the reason in problem, always ended by NUL. */
int csystem_http_load(char *problem, size_t size);

/* NULL where the library is not loaded or memory is short. */
csystem_http *csystem_http_new(void);
void csystem_http_free(csystem_http *http);

/* Performs one request without following redirects. What the response points to lives until the next call. */
int csystem_http_perform(csystem_http *http, const csystem_http_request *request, csystem_http_response *response);

/* Makes a request that runs ask is_cancelled at once. The one call that any thread may make at any time. */
void csystem_http_wake(csystem_http *http);

#endif
