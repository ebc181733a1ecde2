#include "CJSONMarks.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

/* Two widths of the same: registers of 32 bytes, as nearly all machines have them, and of 64, which can also pick bytes out by a mask. */
#define WIDE __attribute__((target("avx2,bmi,popcnt,pclmul")))
#define WIDEST __attribute__((target("avx2,bmi,popcnt,pclmul,avx512f,avx512bw,avx512vbmi2")))
#define INLINE static inline __attribute__((always_inline))

/* glibc knows what the processor can do. Where a program asks that itself (`__builtin_cpu_supports`), libgcc does so at every start,
 * by instructions that a virtual machine hands to its host: 50 us. */
#if defined(__linux__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif
#ifdef CPU_FEATURE_ACTIVE
#define HAS(name, feature) CPU_FEATURE_ACTIVE(feature)
#else
#define HAS(name, feature) __builtin_cpu_supports(name)
#endif

enum width { UNKNOWN, NARROW, IS_WIDE, IS_WIDEST };

static enum width width_of_the_machine(void) {
  if (!HAS("avx2", AVX2) || !HAS("bmi", BMI1) || !HAS("popcnt", POPCNT) || !HAS("pclmul", PCLMULQDQ)) return NARROW;
  bool has_widest = HAS("avx512f", AVX512F) && HAS("avx512bw", AVX512BW) && HAS("avx512vbmi2", AVX512_VBMI2);
  return has_widest ? IS_WIDEST : IS_WIDE;
}

/* Asked once. */
static enum width width(void) {
  static enum width known = UNKNOWN;
  enum width found = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (found == UNKNOWN) {
    found = width_of_the_machine();
    __atomic_store_n(&known, found, __ATOMIC_RELAXED);
  }
  return found;
}

bool cjsonmarks_available(void) { return width() != NARROW; }

/* What the bytes of a block are, a bit each. */
typedef struct {
  uint64_t quotes;
  uint64_t backslashes;
  uint64_t blanks;
  uint64_t punctuation;
  uint64_t controls;
} kinds;

/* One bit a byte of a comparison's result. */
INLINE WIDE uint64_t bits(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

INLINE WIDE uint64_t equal(__m256i low, __m256i high, char byte) {
  __m256i all = _mm256_set1_epi8(byte);
  return bits(_mm256_cmpeq_epi8(low, all), _mm256_cmpeq_epi8(high, all));
}

/* In each bit whether an odd number of bits is set up to it. */
INLINE WIDE uint64_t parity(uint64_t word) {
  return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)word), _mm_set1_epi8(-1), 0));
}

/* UTF-8 is checked as in "Validating UTF-8 In Less Than One Instruction Per Byte" (Keiser, Lemire 2021): the high and low half of a
 * byte and the high half of the next one each rule some errors out, and what none of the three rules out is one. */
enum {
  TOO_SHORT = 1 << 0,
  TOO_LONG = 1 << 1,
  OVERLONG_3 = 1 << 2,
  TOO_LARGE = 1 << 3,
  SURROGATE = 1 << 4,
  OVERLONG_2 = 1 << 5,
  TOO_LARGE_1000 = 1 << 6,
  OVERLONG_4 = 1 << 6,
  TWO_CONTINUATIONS = 1 << 7,
  CARRY = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS,
  LARGE = CARRY | TOO_LARGE | TOO_LARGE_1000,
  CONTINUATION = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS,
};
#define FIRST_HIGH                                                                                                            \
  TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, (char)TWO_CONTINUATIONS,                    \
      (char)TWO_CONTINUATIONS, (char)TWO_CONTINUATIONS, (char)TWO_CONTINUATIONS, TOO_SHORT | OVERLONG_2, TOO_SHORT,           \
      TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4
#define FIRST_LOW                                                                                                             \
  (char)(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), (char)(CARRY | OVERLONG_2), (char)CARRY, (char)CARRY,                  \
      (char)(CARRY | TOO_LARGE), (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE,   \
      (char)LARGE, (char)(LARGE | SURROGATE), (char)LARGE, (char)LARGE
#define SECOND_HIGH                                                                                                           \
  TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,                                     \
      (char)(CONTINUATION | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4), (char)(CONTINUATION | OVERLONG_3 | TOO_LARGE),         \
      (char)(CONTINUATION | SURROGATE | TOO_LARGE), (char)(CONTINUATION | SURROGATE | TOO_LARGE), TOO_SHORT, TOO_SHORT,       \
      TOO_SHORT, TOO_SHORT

INLINE WIDE __m256i high_half(__m256i bytes) {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
}

/* Not zero where 32 bytes are no UTF-8, given the three before them. */
INLINE WIDE __m256i utf8_errors(const unsigned char *bytes) {
  __m256i here = _mm256_loadu_si256((const __m256i *)bytes);
  __m256i back1 = _mm256_loadu_si256((const __m256i *)(bytes - 1));
  __m256i back2 = _mm256_loadu_si256((const __m256i *)(bytes - 2));
  __m256i back3 = _mm256_loadu_si256((const __m256i *)(bytes - 3));
  __m256i low1 = _mm256_and_si256(back1, _mm256_set1_epi8(0x0F));
  __m256i pair = _mm256_and_si256(
      _mm256_and_si256(
          _mm256_shuffle_epi8(_mm256_setr_epi8(FIRST_HIGH, FIRST_HIGH), high_half(back1)),
          _mm256_shuffle_epi8(_mm256_setr_epi8(FIRST_LOW, FIRST_LOW), low1)),
      _mm256_shuffle_epi8(_mm256_setr_epi8(SECOND_HIGH, SECOND_HIGH), high_half(here)));
  __m256i third = _mm256_subs_epu8(back2, _mm256_set1_epi8(0xE0 - 0x80));
  __m256i fourth = _mm256_subs_epu8(back3, _mm256_set1_epi8(0xF0 - 0x80));
  __m256i must_continue = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
  return _mm256_xor_si256(must_continue, pair);
}

static bool is_hex(unsigned char byte) { return (unsigned char)(byte - '0') < 10 || (unsigned char)((byte | 0x20) - 'a') < 6; }

/* Whether four hexadecimal digits follow each of these letters of a block; from its start on there are `room` bytes of text. */
static __attribute__((noinline)) bool have_digits(uint64_t letters, const unsigned char *block, size_t room) {
  for (; letters != 0; letters &= letters - 1) {
    size_t at = (size_t)__builtin_ctzll(letters);
    if (at + 5 > room) return false;
    for (size_t digit = 1; digit <= 4; digit++) {
      if (!is_hex(block[at + digit])) return false;
    }
  }
  return true;
}

/* Which bytes of a block are escaped: behind the first backslash of a row and every second one after it. */
INLINE uint64_t escaped(cjsonmarks *search, uint64_t backslashes) {
  const uint64_t odd = 0xAAAAAAAAAAAAAAAA;
  uint64_t first = backslashes & ~search->is_escaped;
  /* The subtraction runs along each row to the byte behind it; whether that place and the row's first one are both odd or even tells
   * whether its last backslash escapes. */
  uint64_t rows = ((first << 1 | odd) - first) ^ odd;
  uint64_t escaped = rows ^ (backslashes | search->is_escaped);
  search->is_escaped = (rows & backslashes) >> 63;
  return escaped;
}

/* What of a block is escaped is checked: `escapes` may be, and digits have to follow each u. */
INLINE void check_escaped(
    cjsonmarks *search, uint64_t escaped, uint64_t escapes, uint64_t letters, const unsigned char *block, size_t room) {
  search->errors |= escaped & ~escapes;
  if ((escaped & letters) != 0 && !have_digits(escaped & letters, block, room)) search->errors = 1;
}

/* Where the marks of a block are, some bytes of which are escaped. */
INLINE WIDE uint64_t marks_of(cjsonmarks *search, kinds found, uint64_t escaped) {
  uint64_t quotes = found.quotes & ~escaped;
  /* From an opening quote on up to the byte before the closing one. */
  uint64_t in_string = parity(quotes) ^ search->in_string;
  search->in_string = (uint64_t)((int64_t)in_string >> 63);
  uint64_t outside = ~(in_string | quotes);
  uint64_t marks = found.punctuation & outside;
  uint64_t blanks = found.blanks & outside;
  uint64_t others = outside & ~(marks | blanks);
  uint64_t starts = (quotes & in_string) | (others & ~(others << 1 | search->is_scalar));
  search->is_scalar = others >> 63;
  uint64_t behind = marks << 1 | search->is_behind_mark;
  search->is_behind_mark = marks >> 63;
  uint64_t loose = starts & ~behind;
  if ((loose | blanks >> 63) != 0) {
    /* What is behind a mark but for blanks: a carry runs along these. */
    uint64_t sum;
    search->is_behind_mark |= __builtin_add_overflow(behind, blanks, &sum);
    loose &= ~sum;
  }
  search->errors |= loose | (found.backslashes & outside) | (found.controls & in_string);
  return marks;
}

/* Each of these kinds is told by one lookup with the low four bits. */
#define BLANKS ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100
#define PUNCTUATION 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0
/* What may follow a backslash, by two lookups that have a bit in common: by the low four bits and by the high ones. */
#define ESCAPES_LOW 0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1
#define ESCAPES_HIGH 0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0

INLINE WIDE kinds kinds_wide(const unsigned char *bytes) {
  __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
  __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
  const __m256i blank = _mm256_setr_epi8(BLANKS, BLANKS);
  const __m256i punctuation = _mm256_setr_epi8(PUNCTUATION, PUNCTUATION);
  const __m256i bit5 = _mm256_set1_epi8(0x20);
  const __m256i last_control = _mm256_set1_epi8(0x1F);
  kinds found;
  found.quotes = equal(low, high, '"');
  found.backslashes = equal(low, high, '\\');
  found.blanks = bits(
      _mm256_cmpeq_epi8(low, _mm256_shuffle_epi8(blank, low)), _mm256_cmpeq_epi8(high, _mm256_shuffle_epi8(blank, high)));
  found.punctuation = bits(
      _mm256_cmpeq_epi8(_mm256_or_si256(low, bit5), _mm256_shuffle_epi8(punctuation, low)),
      _mm256_cmpeq_epi8(_mm256_or_si256(high, bit5), _mm256_shuffle_epi8(punctuation, high)));
  found.controls = bits(
      _mm256_cmpeq_epi8(_mm256_max_epu8(low, last_control), last_control),
      _mm256_cmpeq_epi8(_mm256_max_epu8(high, last_control), last_control));
  return found;
}

/* What of 32 bytes may follow a backslash is not zero. */
INLINE WIDE __m256i escapes_wide(__m256i bytes) {
  return _mm256_and_si256(
      _mm256_shuffle_epi8(_mm256_setr_epi8(ESCAPES_LOW, ESCAPES_LOW), bytes),
      _mm256_shuffle_epi8(_mm256_setr_epi8(ESCAPES_HIGH, ESCAPES_HIGH), high_half(bytes)));
}

static WIDE __attribute__((noinline)) uint64_t escaped_wide(
    cjsonmarks *search, uint64_t backslashes, const unsigned char *bytes, const unsigned char *block, size_t room) {
  __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
  __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
  const __m256i none = _mm256_setzero_si256();
  uint64_t found = escaped(search, backslashes);
  uint64_t others = bits(_mm256_cmpeq_epi8(escapes_wide(low), none), _mm256_cmpeq_epi8(escapes_wide(high), none));
  check_escaped(search, found, ~others, equal(low, high, 'u'), block, room);
  return found;
}

/* The codes that 32 bytes would have as marks. */
INLINE WIDE __m256i codes_wide(const unsigned char *bytes) {
  __m256i back1 = _mm256_loadu_si256((const __m256i *)(bytes - 1));
  __m256i ends = _mm256_and_si256(_mm256_cmpeq_epi8(back1, _mm256_set1_epi8('"')), _mm256_set1_epi8((char)CJSONMARKS_STRING));
  return _mm256_or_si256(_mm256_loadu_si256((const __m256i *)bytes), ends);
}

INLINE WIDE size_t write_marks(
    uint64_t marks, size_t offset, const unsigned char *bytes, uint32_t *places, unsigned char *codes) {
  int count = __builtin_popcountll(marks);
  /* A byte more for what is not there. */
  unsigned char all_codes[CJSONMARKS_BLOCK + 1];
  _mm256_storeu_si256((__m256i *)all_codes, codes_wide(bytes));
  _mm256_storeu_si256((__m256i *)(all_codes + 32), codes_wide(bytes + 32));
  all_codes[CJSONMARKS_BLOCK] = 0;
  /* Eight at a time whether they are there or not, which costs less than to foresee how many they are. */
  for (int done = 0; done < count; done += 8) {
    for (int lane = 0; lane < 8; lane++) {
      size_t at = _tzcnt_u64(marks);
      places[done + lane] = (uint32_t)(offset + at);
      codes[done + lane] = all_codes[at];
      marks = _blsr_u64(marks);
    }
  }
  return (size_t)count;
}

INLINE WIDEST uint64_t same_widest(__m512i bytes, int byte) {
  return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)byte));
}

INLINE WIDEST uint64_t from_widest(__m512i bytes, int first) {
  return _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8((char)first));
}

INLINE WIDEST __m512i table_widest(__m128i table) { return _mm512_broadcast_i32x4(table); }

INLINE WIDEST __m512i high_half_widest(__m512i bytes) {
  return _mm512_and_si512(_mm512_srli_epi16(bytes, 4), _mm512_set1_epi8(0x0F));
}

INLINE WIDEST __m512i utf8_errors_widest(__m512i here, __m512i back1, __m512i back2, __m512i back3) {
  __m512i low1 = _mm512_and_si512(back1, _mm512_set1_epi8(0x0F));
  __m512i pair = _mm512_and_si512(
      _mm512_and_si512(
          _mm512_shuffle_epi8(table_widest(_mm_setr_epi8(FIRST_HIGH)), high_half_widest(back1)),
          _mm512_shuffle_epi8(table_widest(_mm_setr_epi8(FIRST_LOW)), low1)),
      _mm512_shuffle_epi8(table_widest(_mm_setr_epi8(SECOND_HIGH)), high_half_widest(here)));
  __m512i third = _mm512_subs_epu8(back2, _mm512_set1_epi8(0xE0 - 0x80));
  __m512i fourth = _mm512_subs_epu8(back3, _mm512_set1_epi8(0xF0 - 0x80));
  __m512i must_continue = _mm512_and_si512(_mm512_or_si512(third, fourth), _mm512_set1_epi8((char)0x80));
  return _mm512_xor_si512(must_continue, pair);
}

INLINE WIDEST kinds kinds_widest(__m512i here) {
  const __m512i blank = table_widest(_mm_setr_epi8(BLANKS));
  const __m512i punctuation = table_widest(_mm_setr_epi8(PUNCTUATION));
  kinds found;
  found.quotes = same_widest(here, '"');
  found.backslashes = same_widest(here, '\\');
  found.blanks = _mm512_cmpeq_epi8_mask(here, _mm512_shuffle_epi8(blank, here));
  found.punctuation = _mm512_cmpeq_epi8_mask(
      _mm512_or_si512(here, _mm512_set1_epi8(0x20)), _mm512_shuffle_epi8(punctuation, here));
  found.controls = ~from_widest(here, 0x20);
  return found;
}

INLINE WIDEST uint64_t escaped_widest(
    cjsonmarks *search, uint64_t backslashes, __m512i here, const unsigned char *block, size_t room) {
  uint64_t found = escaped(search, backslashes);
  uint64_t escapes = _mm512_test_epi8_mask(
      _mm512_shuffle_epi8(table_widest(_mm_setr_epi8(ESCAPES_LOW)), here),
      _mm512_shuffle_epi8(table_widest(_mm_setr_epi8(ESCAPES_HIGH)), high_half_widest(here)));
  check_escaped(search, found, escapes, same_widest(here, 'u'), block, room);
  return found;
}

INLINE WIDEST size_t write_marks_widest(
    uint64_t marks, size_t offset, __m512i here, __m512i back1, uint32_t *places, unsigned char *codes) {
  int count = __builtin_popcountll(marks);
  const __m512i all = _mm512_set_epi8(
      63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,
      31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  __m512i base = _mm512_set1_epi32((int)offset);
  __m512i all_codes = _mm512_mask_add_epi8(here, same_widest(back1, '"'), here, _mm512_set1_epi8((char)CJSONMARKS_STRING));
  __m512i codes_found = _mm512_maskz_compress_epi8(marks, all_codes);
  __m512i found = _mm512_maskz_compress_epi8(marks, all);
  _mm_storeu_si128((__m128i *)codes, _mm512_castsi512_si128(codes_found));
  _mm512_storeu_si512(places, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(found))));
  if (count > 16) {
    unsigned char offsets[CJSONMARKS_BLOCK];
    _mm512_storeu_si512(codes, codes_found);
    _mm512_storeu_si512(offsets, found);
    for (int done = 16; done < count; done += 16) {
      __m128i some = _mm_loadu_si128((const __m128i *)(offsets + done));
      _mm512_storeu_si512(places + done, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(some)));
    }
  }
  return (size_t)count;
}

/* Where a block can be read with three bytes before it: in the text, or in a copy with blanks at the text's ends. */
INLINE const unsigned char *around(
    const cjsonmarks *search, const unsigned char *text, size_t size, unsigned char *edge) {
  size_t offset = search->offset, room = size - offset;
  if (offset + search->before >= 3 && room >= CJSONMARKS_BLOCK) return text + offset;
  size_t before = offset + search->before < 3 ? offset + search->before : 3;
  memset(edge, ' ', 3 + CJSONMARKS_BLOCK);
  memcpy(edge + 3 - before, text + offset - before, before + (room < CJSONMARKS_BLOCK ? room : CJSONMARKS_BLOCK));
  return edge + 3;
}

/* Whether a block, and the three bytes before it that could want to be continued, are ASCII. It pays with registers of this width only. */
INLINE WIDE bool is_ascii(const unsigned char *bytes) {
  __m256i before = _mm256_loadu_si256((const __m256i *)(bytes - 3));
  __m256i low = _mm256_loadu_si256((const __m256i *)bytes), high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
  return _mm256_movemask_epi8(_mm256_or_si256(before, _mm256_or_si256(low, high))) == 0;
}

/* Both work on a copy of where the search stands, which stays in registers: bytes that are written could be part of anything else. */
WIDE static size_t find_wide(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes) {
  cjsonmarks here = *search;
  unsigned char edge[3 + CJSONMARKS_BLOCK];
  size_t count = 0;
  __m256i utf8 = _mm256_setzero_si256();
  for (size_t number = 0; number < blocks && here.offset < size; number++, here.offset += CJSONMARKS_BLOCK) {
    const unsigned char *bytes = around(&here, text, size, edge);
    kinds found = kinds_wide(bytes);
    if (!is_ascii(bytes)) utf8 = _mm256_or_si256(utf8, _mm256_or_si256(utf8_errors(bytes), utf8_errors(bytes + 32)));
    uint64_t escaped = 0;
    if ((found.backslashes | here.is_escaped) != 0) {
      escaped = escaped_wide(&here, found.backslashes, bytes, text + here.offset, size - here.offset);
    }
    count += write_marks(marks_of(&here, found, escaped), here.offset, bytes, places + count, codes + count);
  }
  if (!_mm256_testz_si256(utf8, utf8)) here.errors = 1;
  *search = here;
  return count;
}

/* The marks of the next block, which is read at `bytes`, and three bytes before it. */
INLINE WIDEST size_t find_in_block_widest(
    cjsonmarks *search, const unsigned char *bytes, __m512i *utf8, const unsigned char *text, size_t size, uint32_t *places,
    unsigned char *codes) {
  __m512i here = _mm512_loadu_si512(bytes), back1 = _mm512_loadu_si512(bytes - 1);
  __m512i back2 = _mm512_loadu_si512(bytes - 2), back3 = _mm512_loadu_si512(bytes - 3);
  kinds found = kinds_widest(here);
  *utf8 = _mm512_or_si512(*utf8, utf8_errors_widest(here, back1, back2, back3));
  uint64_t escaped = 0;
  if ((found.backslashes | search->is_escaped) != 0) {
    escaped = escaped_widest(search, found.backslashes, here, text + search->offset, size - search->offset);
  }
  size_t count = write_marks_widest(marks_of(search, found, escaped), search->offset, here, back1, places, codes);
  search->offset += CJSONMARKS_BLOCK;
  return count;
}

WIDEST static size_t find_widest(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes) {
  cjsonmarks here = *search;
  size_t count = 0;
  __m512i utf8 = _mm512_setzero_si512();
  while (blocks > 0 && here.offset < size) {
    size_t whole = (size - here.offset) / CJSONMARKS_BLOCK;
    if (whole == 0 || here.offset + here.before < 3) {
      unsigned char edge[3 + CJSONMARKS_BLOCK];
      const unsigned char *bytes = around(&here, text, size, edge);
      count += find_in_block_widest(&here, bytes, &utf8, text, size, places + count, codes + count);
      blocks--;
      continue;
    }
    for (whole = whole < blocks ? whole : blocks, blocks -= whole; whole > 0; whole--) {
      count += find_in_block_widest(&here, text + here.offset, &utf8, text, size, places + count, codes + count);
    }
  }
  if (_mm512_test_epi8_mask(utf8, utf8) != 0) here.errors = 1;
  *search = here;
  return count;
}

size_t cjsonmarks_find(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes) {
  return width() == IS_WIDEST ? find_widest(search, text, size, blocks, places, codes)
                              : find_wide(search, text, size, blocks, places, codes);
}

size_t cjsonmarks_find_narrower(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes) {
  return find_wide(search, text, size, blocks, places, codes);
}

#else

bool cjsonmarks_available(void) { return false; }

size_t cjsonmarks_find(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes) {
  (void)text, (void)blocks, (void)places, (void)codes;
  search->offset = size;
  search->errors = 1;
  return 0;
}

size_t cjsonmarks_find_narrower(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places, unsigned char *codes) {
  return cjsonmarks_find(search, text, size, blocks, places, codes);
}
#endif
