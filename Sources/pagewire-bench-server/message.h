// Reading one JSON-RPC message: strict JSON, in one pass that also notes where the members are that matter.
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Readable bytes that must follow the last byte of a message, as short words are read eight bytes at a time.
enum { MESSAGE_PADDING = 8 };

/// Some bytes of the message, quotes left out where it is a string; `start` is NULL where there are none.
typedef struct {
  const uint8_t *start;
  size_t count;
} slice;

typedef struct {
  bool is_version_2;
  slice id;  // As it stands in the message, quotes included.
  slice method;
  slice session;
  bool has_position;
  int64_t position;
} message;

/// Checks that `bytes` are one JSON value and notes the members of `message` in it; false where they are not.
bool message_read(const uint8_t *bytes, size_t count, message *found);

#endif
