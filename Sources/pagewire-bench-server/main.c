// The baseline for `notifications` and a peer elsewhere: what the hot path of a pagination server comes to in plain C. It checks
// every message as JSON, finds the session by its name, holds the position against the session's zone, and answers requests.
// It knows `initialize`, `open` (a session of 1,000 items) and `itemAppeared`, loads nothing, and ends with its input.
#include "message.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 1000, ZONE = 200, MAX_FRAME = 64 << 20, FLUSH_AT = 32768 };

typedef struct {
  int64_t count, zone, last_position, appeared_in_zone;
} session;

static table names;
static session *sessions;
static size_t session_count, session_capacity;

static uint8_t *output;
static size_t output_used, output_capacity;

static void flush(void) {
  for (size_t done = 0; done < output_used;) {
    ssize_t written = write(1, output + done, output_used - done);
    if (written < 0 && errno != EINTR) _exit(1);
    if (written > 0) done += (size_t)written;
  }
  output_used = 0;
}

static void *resized(void *memory, size_t count) {
  memory = realloc(memory, count);
  if (memory == NULL) abort();
  return memory;
}

/// Copies bytes and returns what follows them.
static inline uint8_t *put(uint8_t *at, const void *bytes, size_t count) {
  memcpy(at, bytes, count);
  return at + count;
}

#define PUT(at, text) put(at, text, sizeof text - 1)

static uint8_t *put_decimal(uint8_t *at, uint64_t value) {
  char digits[20];
  size_t first = sizeof digits;
  do digits[--first] = (char)('0' + value % 10);
  while (value /= 10);
  return put(at, digits + first, sizeof digits - first);
}

/// Writes a frame with an answer: the request's id, and behind it `rest`, which closes the message.
static void answer(slice id, const void *rest, size_t rest_count) {
  static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
  size_t body = sizeof head - 1 + id.count + rest_count;
  if (output_used + body + 64 > output_capacity) {
    output_capacity = output_capacity * 2 + body + 64;
    output = resized(output, output_capacity);
  }
  uint8_t *at = output + output_used;
  at = PUT(at, "Content-Length: ");
  at = put_decimal(at, body);
  at = PUT(at, "\r\n\r\n");
  at = PUT(at, head);
  at = put(at, id.start, id.count);
  at = put(at, rest, rest_count);
  output_used = (size_t)(at - output);
}

#define ANSWER(id, rest) answer(id, rest, sizeof rest - 1)

static void item_appeared(const message *message) {
  int32_t number = message->session.start ? table_find(&names, message->session.start, message->session.count) : -1;
  if (number < 0 || !message->has_position) {
    if (message->id.start) ANSWER(message->id, ",\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}}");
    return;
  }
  session *session = &sessions[number];
  int in_zone = message->position >= session->count - session->zone;
  session->last_position = message->position;
  session->appeared_in_zone += in_zone;
  if (!message->id.start) return;
  uint8_t rest[96];
  uint8_t *at = PUT(rest, ",\"result\":{\"decision\":\"");
  at = put(at, in_zone ? "load" : "idle", 4);
  at = PUT(at, "\",\"position\":");
  if (message->position < 0) *at++ = '-';
  at = put_decimal(at, (uint64_t)llabs(message->position));
  at = PUT(at, "}}");
  answer(message->id, rest, (size_t)(at - rest));
}

static void open_session(const message *message) {
  if (message->session.start && table_find(&names, message->session.start, message->session.count) < 0) {
    if (session_count == session_capacity) {
      session_capacity = session_capacity * 2 + 16;
      sessions = resized(sessions, session_capacity * sizeof *sessions);
    }
    sessions[session_count] = (session){.count = ITEMS, .zone = ZONE};
    table_add(&names, message->session.start, message->session.count, (int32_t)session_count++);
  }
  if (message->id.start) ANSWER(message->id, ",\"result\":{}}");
}

static inline int is_method(const message *message, const char *name) {
  return message->method.count == strlen(name) && memcmp(message->method.start, name, message->method.count) == 0;
}

static void handle(const uint8_t *bytes, size_t count) {
  static const slice null = {(const uint8_t *)"null", 4};
  message message;
  if (!message_read(bytes, count, &message)) {
    ANSWER(null, ",\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}");
  } else if (!message.is_version_2 || !message.method.start) {
    ANSWER(null, ",\"error\":{\"code\":-32600,\"message\":\"Invalid Request\"}}");
  } else if (is_method(&message, "itemAppeared")) {
    item_appeared(&message);
  } else if (is_method(&message, "open")) {
    open_session(&message);
  } else if (message.id.start && is_method(&message, "initialize")) {
    ANSWER(message.id, ",\"result\":{\"serverInfo\":{\"name\":\"C\",\"version\":\"1\"}}}");
  } else if (message.id.start) {
    ANSWER(message.id, ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
  }
}

/// The length of the header block at `bytes`, and of the body behind it; 0 where the block is not there yet, -1 where it is none.
static int read_header(const uint8_t *bytes, size_t count, size_t *body) {
  if (count < 16) return 0;
  if (memcmp(bytes, "Content-Length: ", 16) != 0) return -1;
  size_t at = 16, length = 0;
  while (at < count && at < 26 && (uint8_t)(bytes[at] - '0') < 10) length = length * 10 + (size_t)(bytes[at++] - '0');
  if (count - at < 4) return 0;
  if (at == 16 || length > MAX_FRAME || memcmp(bytes + at, "\r\n\r\n", 4) != 0) return -1;
  *body = length;
  return (int)at + 4;
}

int main(void) {
  size_t start = 0, end = 0, capacity = 65536;
  uint8_t *input = resized(NULL, capacity + MESSAGE_PADDING);
  for (;;) {
    size_t wanted = 64;
    for (;;) {
      size_t body = 0;
      int header = read_header(input + start, end - start, &body);
      if (header < 0) return 1;
      if (header == 0) break;
      if (end - start - (size_t)header < body) {
        wanted = (size_t)header + body;
        break;
      }
      handle(input + start + header, body);
      start += (size_t)header + body;
      if (output_used >= FLUSH_AT) flush();
    }
    flush();
    if (start == end) {
      start = end = 0;
    } else if (start > 0 && (end == capacity || capacity - start < wanted)) {
      memmove(input, input + start, end - start);
      end -= start;
      start = 0;
    }
    if (capacity - start < wanted) {
      capacity = start + wanted;
      input = resized(input, capacity + MESSAGE_PADDING);
    }
    ssize_t count = read(0, input + end, capacity - end);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      free(input);
      return count < 0;
    }
    end += (size_t)count;
  }
}
