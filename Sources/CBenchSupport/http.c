#define _GNU_SOURCE
#include "CBenchSupport.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 8, REQUEST_BYTES = 8192 };

typedef struct {
  size_t count;
  char bytes[REQUEST_BYTES + 1];
} request_buffer;

int bench_http_listen(int *port) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (listener < 0) return -1;
  if (bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, CONNECTIONS) == 0 &&
      getsockname(listener, (struct sockaddr *)&address, &size) == 0) {
    *port = ntohs(address.sin_port);
    return listener;
  }
  close(listener);
  return -1;
}

static int write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    bytes += written;
    count -= (size_t)written;
  }
  return 1;
}

/* Reads what has come and answers each request that is whole; 0 where the connection is over. */
static int serve(int descriptor, request_buffer *request, const bench_answer *answers, size_t count) {
  ssize_t got = recv(descriptor, request->bytes + request->count, REQUEST_BYTES - request->count, 0);
  if (got <= 0) return got < 0 && errno == EINTR;
  request->count += (size_t)got;
  request->bytes[request->count] = 0;
  char *end;
  while ((end = strstr(request->bytes, "\r\n\r\n"))) {
    const char *place = strstr(request->bytes, "page=");
    size_t page = place && place < end ? (size_t)strtoul(place + 5, NULL, 10) : 0;
    if (page >= count || !write_all(descriptor, answers[page].bytes, answers[page].count)) return 0;
    size_t used = (size_t)(end + 4 - request->bytes);
    request->count -= used;
    memmove(request->bytes, request->bytes + used, request->count + 1);
  }
  return request->count < REQUEST_BYTES;
}

void bench_http_serve(int listener, const bench_answer *answers, size_t count) {
  struct pollfd waited[CONNECTIONS + 1] = {{.fd = listener, .events = POLLIN}};
  request_buffer *requests = calloc(CONNECTIONS, sizeof *requests);
  nfds_t open = 1;
  while (requests && (poll(waited, open, -1) >= 0 || errno == EINTR)) {
    for (nfds_t index = open - 1; index > 0; index--) {
      if (!waited[index].revents || serve(waited[index].fd, &requests[index - 1], answers, count)) continue;
      close(waited[index].fd);
      open--;
      waited[index] = waited[open];
      requests[index - 1] = requests[open - 1];
    }
    if (!waited[0].revents) continue;
    int descriptor = accept(listener, NULL, NULL);
    if (descriptor < 0) break;
    if (open > CONNECTIONS) {
      close(descriptor);
      continue;
    }
    /* An answer is written at once, so nothing is to wait for more of it. */
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    requests[open - 1].count = 0;
    waited[open++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
  }
  while (open > 1) close(waited[--open].fd);
  free(requests);
}

/* The length of an answer whose head is there, else 0. */
static size_t answer_length(const char *bytes) {
  const char *end = strstr(bytes, "\r\n\r\n"), *length = strstr(bytes, "Content-Length: ");
  return end && length ? (size_t)(end + 4 - bytes) + (size_t)strtoul(length + 16, NULL, 10) : 0;
}

long long bench_http_read(int port, size_t pages) {
  static char bytes[1 << 16];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), fine = descriptor >= 0;
  long long total = 0;
  fine = fine && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0;
  for (size_t page = 0; page < pages && fine; page++) {
    char request[64];
    int count = snprintf(request, sizeof request, "GET /items?page=%zu HTTP/1.1\r\n\r\n", page);
    fine = write_all(descriptor, request, (size_t)count);
    for (size_t have = 0, due = 0; fine && (due == 0 || have < due);) {
      /* Only the head is looked at, so the rest may be overwritten. */
      size_t at = due == 0 ? have : 0;
      ssize_t got = recv(descriptor, bytes + at, sizeof bytes - 1 - at, 0);
      if (got < 0 && errno == EINTR) continue;
      fine = got > 0;
      if (!fine) break;
      have += (size_t)got;
      total += got;
      if (due == 0) {
        bytes[have] = 0;
        due = answer_length(bytes);
      }
    }
  }
  if (descriptor >= 0) close(descriptor);
  return fine ? total : -1;
}
