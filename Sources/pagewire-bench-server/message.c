#include "message.h"

#include <string.h>

// Every `skip_` function takes the first byte of what it is named for, and returns what follows it, or NULL where it is not
// well formed. `end` is where the message ends.
typedef const uint8_t *cursor;

enum { MAX_DEPTH = 500 };

static inline uint64_t load8(cursor at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}


static inline bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static inline bool is_hex(uint8_t byte) { return is_digit(byte) || (uint8_t)((byte | 0x20) - 'a') < 6; }

static inline bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

static inline cursor skip_space(cursor at, cursor end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
  return at;
}

/// One scalar of UTF-8 that is not ASCII: nothing overlong, no surrogates, nothing above U+10FFFF.
static cursor skip_scalar(cursor at, cursor end) {
  ptrdiff_t left = end - at;
  uint8_t first = at[0];
  if (first < 0xC2 || first > 0xF4 || left < 2 || !is_continuation(at[1])) return NULL;
  if (first < 0xE0) return at + 2;
  if (left < 3 || !is_continuation(at[2])) return NULL;
  if (first < 0xF0) {
    if ((first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F)) return NULL;
    return at + 3;
  }
  if (left < 4 || !is_continuation(at[3])) return NULL;
  if ((first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F)) return NULL;
  return at + 4;
}

static cursor skip_escape(cursor at, cursor end) {
  if (end - at < 2) return NULL;
  switch (at[1]) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
      return at + 2;
    case 'u':
      if (end - at < 6) return NULL;
      return is_hex(at[2]) && is_hex(at[3]) && is_hex(at[4]) && is_hex(at[5]) ? at + 6 : NULL;
    default:
      return NULL;
  }
}

/// A high bit for each byte of a word that needs a look: a quote, a backslash, a control character, not ASCII. Borrows make
/// bytes above the first such byte unreliable, so only the lowest bit counts.
static inline uint64_t special_bytes(uint64_t word) {
  const uint64_t ones = 0x0101010101010101, highs = ones << 7;
  uint64_t quotes = word ^ (ones * '"'), backslashes = word ^ (ones * '\\');
  return (word | ((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes) | ((word - ones * 0x20) & ~word)) &
         highs;
}

/// From behind the opening quote of a string to its closing quote.
static cursor find_closing_quote(cursor at, cursor end) {
  for (;;) {
    while (end - at >= 8) {
      uint64_t specials = special_bytes(load8(at));
      if (specials != 0) {
        at += __builtin_ctzll(specials) >> 3;
        break;
      }
      at += 8;
    }
    if (at >= end) return NULL;
    if (*at == '"') return at;
    if (*at < 0x20) return NULL;
    if (*at == '\\') {
      at = skip_escape(at, end);
    } else if (*at >= 0x80) {
      do at = skip_scalar(at, end);
      while (at != NULL && at < end && *at >= 0x80);
    } else {
      at++;
    }
    if (at == NULL) return NULL;
  }
}

static inline cursor skip_digits(cursor at, cursor end) {
  while (at < end && is_digit(*at)) at++;
  return at;
}

static cursor skip_number(cursor at, cursor end) {
  if (*at == '-') at++;
  if (at >= end || !is_digit(*at)) return NULL;
  at = *at == '0' ? at + 1 : skip_digits(at, end);
  if (at < end && *at == '.') {
    cursor digits = ++at;
    at = skip_digits(at, end);
    if (at == digits) return NULL;
  }
  if (at < end && (*at | 0x20) == 'e') {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    cursor digits = at;
    at = skip_digits(at, end);
    if (at == digits) return NULL;
  }
  return at;
}

/// From the opening quote of a key to the value behind the colon; `key` is set to the text between the quotes.
static inline cursor skip_key(cursor at, cursor end, slice *key) {
  if (at >= end || *at != '"') return NULL;
  cursor quote = find_closing_quote(at + 1, end);
  if (quote == NULL) return NULL;
  *key = (slice){at + 1, (size_t)(quote - at - 1)};
  at = skip_space(quote + 1, end);
  return at < end && *at == ':' ? skip_space(at + 1, end) : NULL;
}

/// What follows an element: to the next one behind a comma, or behind `close`, where `*more` is set to false.
static inline cursor skip_separator(cursor at, cursor end, uint8_t close, bool *more) {
  at = skip_space(at, end);
  if (at >= end) return NULL;
  if (*at == ',') return skip_space(at + 1, end);
  *more = false;
  return *at == close ? at + 1 : NULL;
}

static cursor skip_value(cursor at, cursor end, int depth);

static cursor skip_object(cursor at, cursor end, int depth) {
  slice key;
  at = skip_space(at + 1, end);
  if (at < end && *at == '}') return at + 1;
  for (bool more = true; more && at != NULL;) {
    at = skip_key(at, end, &key);
    if (at != NULL) at = skip_value(at, end, depth - 1);
    if (at != NULL) at = skip_separator(at, end, '}', &more);
  }
  return at;
}

static cursor skip_array(cursor at, cursor end, int depth) {
  at = skip_space(at + 1, end);
  if (at < end && *at == ']') return at + 1;
  for (bool more = true; more && at != NULL;) {
    at = skip_value(at, end, depth - 1);
    if (at != NULL) at = skip_separator(at, end, ']', &more);
  }
  return at;
}

static cursor skip_value(cursor at, cursor end, int depth) {
  if (at >= end || depth == 0) return NULL;
  switch (*at) {
    case '"': {
      cursor quote = find_closing_quote(at + 1, end);
      return quote == NULL ? NULL : quote + 1;
    }
    case '{': return skip_object(at, end, depth);
    case '[': return skip_array(at, end, depth);
    case 't': return end - at >= 4 && memcmp(at, "true", 4) == 0 ? at + 4 : NULL;
    case 'n': return end - at >= 4 && memcmp(at, "null", 4) == 0 ? at + 4 : NULL;
    case 'f': return end - at >= 5 && memcmp(at, "false", 5) == 0 ? at + 5 : NULL;
    default: return skip_number(at, end);
  }
}

/// The bytes of a key of at most eight bytes as a number; longer ones are none of ours.
static inline uint64_t key_word(slice key) {
  if (key.count > 8) return 0;
  return load8(key.start) & (key.count == 8 ? ~UINT64_C(0) : (UINT64_C(1) << (key.count * 8)) - 1);
}

static inline bool is_key(uint64_t word, const char *name) {
  uint64_t wanted = 0;
  memcpy(&wanted, name, strlen(name));
  return word == wanted;
}

static inline slice unquoted(cursor value, cursor after) {
  return *value == '"' ? (slice){value + 1, (size_t)(after - value - 2)} : (slice){NULL, 0};
}

static void read_position(cursor value, cursor after, message *found) {
  cursor at = *value == '-' ? value + 1 : value;
  if (after - at > 18) return;
  int64_t number = 0;
  for (; at < after; at++) {
    if (!is_digit(*at)) return;
    number = number * 10 + (*at - '0');
  }
  found->position = *value == '-' ? -number : number;
  found->has_position = true;
}

static cursor read_params(cursor at, cursor end, message *found) {
  slice key;
  at = skip_space(at + 1, end);
  if (at < end && *at == '}') return at + 1;
  for (bool more = true; more;) {
    cursor value = skip_key(at, end, &key);
    if (value == NULL) return NULL;
    at = skip_value(value, end, MAX_DEPTH);
    if (at == NULL) return NULL;
    uint64_t word = key_word(key);
    if (is_key(word, "session")) found->session = unquoted(value, at);
    else if (is_key(word, "position")) read_position(value, at, found);
    at = skip_separator(at, end, '}', &more);
    if (at == NULL) return NULL;
  }
  return at;
}

static cursor read_envelope(cursor at, cursor end, message *found) {
  slice key;
  at = skip_space(at + 1, end);
  if (at < end && *at == '}') return at + 1;
  for (bool more = true; more;) {
    cursor value = skip_key(at, end, &key);
    if (value == NULL || value >= end) return NULL;
    uint64_t word = key_word(key);
    if (is_key(word, "params") && *value == '{') {
      at = read_params(value, end, found);
      if (at == NULL) return NULL;
    } else {
      at = skip_value(value, end, MAX_DEPTH);
      if (at == NULL) return NULL;
      if (is_key(word, "jsonrpc")) found->is_version_2 = at - value == 5 && memcmp(value, "\"2.0\"", 5) == 0;
      else if (is_key(word, "id")) found->id = (slice){value, (size_t)(at - value)};
      else if (is_key(word, "method")) found->method = unquoted(value, at);
    }
    at = skip_separator(at, end, '}', &more);
    if (at == NULL) return NULL;
  }
  return at;
}

bool message_read(const uint8_t *bytes, size_t count, message *found) {
  cursor end = bytes + count;
  *found = (message){0};
  cursor at = skip_space(bytes, end);
  if (at >= end) return false;
  at = *at == '{' ? read_envelope(at, end, found) : skip_value(at, end, MAX_DEPTH);
  return at != NULL && skip_space(at, end) == end;
}
