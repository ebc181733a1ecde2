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
  if (!HAS("avx512f", AVX512F) || !HAS("avx512bw", AVX512BW) || !HAS("avx512vbmi2", AVX512_VBMI2)) return IS_WIDE;
  return IS_WIDEST;
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
  /* Whether it is no UTF-8, given the three bytes before it. */
  bool is_broken;
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

/* Whether what follows a backslash, of which `room` bytes are there, is an escape. */
static bool is_escape(const unsigned char *bytes, size_t room) {
  if (room == 0) return false;
  switch (bytes[0]) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': return true;
    case 'u': return room > 4 && is_hex(bytes[1]) && is_hex(bytes[2]) && is_hex(bytes[3]) && is_hex(bytes[4]);
    default: return false;
  }
}

/* Which bytes of a block are escaped; the escapes are checked on the way. */
static uint64_t escaped(cjsonmarks *search, uint64_t backslashes, const unsigned char *text, size_t size) {
  uint64_t escaped = search->is_escaped;
  backslashes &= ~escaped;
  search->is_escaped = 0;
  while (backslashes != 0) {
    int at = __builtin_ctzll(backslashes);
    size_t next = search->offset + (size_t)at + 1;
    if (next > size || !is_escape(text + next, size - next)) search->is_broken = true;
    if (at == 63) {
      search->is_escaped = 1;
      return escaped;
    }
    escaped |= 2ull << at;
    backslashes &= ~(3ull << at);
  }
  return escaped;
}

INLINE WIDE uint32_t *write_places(uint64_t marks, size_t offset, uint32_t *places) {
  int count = __builtin_popcountll(marks);
  uint32_t base = (uint32_t)offset;
  /* Eight at a time whether they are there or not, which costs less than to foresee how many they are. */
  for (int done = 0; done < count; done += 8) {
    for (int lane = 0; lane < 8; lane++) {
      places[done + lane] = base + (uint32_t)_tzcnt_u64(marks);
      marks = _blsr_u64(marks);
    }
  }
  return places + count;
}

/* Each of these kinds is told by one lookup with the low four bits. */
#define BLANKS ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100
#define PUNCTUATION 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0

INLINE WIDE kinds kinds_wide(const unsigned char *bytes, bool is_ascii) {
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
  found.is_broken = false;
  if (!is_ascii) {
    __m256i errors = _mm256_or_si256(utf8_errors(bytes), utf8_errors(bytes + 32));
    found.is_broken = !_mm256_testz_si256(errors, errors);
  }
  return found;
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

/* The kinds of 64 bytes, of which also the three that stand before each are given. */
INLINE WIDEST kinds kinds_widest(__m512i here, __m512i back1, __m512i back2, __m512i back3, bool is_ascii) {
  const __m512i blank = table_widest(_mm_setr_epi8(BLANKS));
  const __m512i punctuation = table_widest(_mm_setr_epi8(PUNCTUATION));
  kinds found;
  found.quotes = same_widest(here, '"');
  found.backslashes = same_widest(here, '\\');
  found.blanks = _mm512_cmpeq_epi8_mask(here, _mm512_shuffle_epi8(blank, here));
  found.punctuation = _mm512_cmpeq_epi8_mask(
      _mm512_or_si512(here, _mm512_set1_epi8(0x20)), _mm512_shuffle_epi8(punctuation, here));
  found.controls = ~from_widest(here, 0x20);
  found.is_broken = false;
  if (!is_ascii) {
    __m512i errors = utf8_errors_widest(here, back1, back2, back3);
    found.is_broken = _mm512_test_epi8_mask(errors, errors) != 0;
  }
  return found;
}

INLINE WIDEST kinds block_widest(const unsigned char *bytes, bool is_ascii) {
  return kinds_widest(
      _mm512_loadu_si512(bytes), _mm512_loadu_si512(bytes - 1), _mm512_loadu_si512(bytes - 2),
      _mm512_loadu_si512(bytes - 3), is_ascii);
}

/* Where the marks of a block are. */
INLINE WIDE uint64_t marks_of(cjsonmarks *search, kinds found, const unsigned char *text, size_t size) {
  uint64_t quotes = found.quotes;
  if ((found.backslashes | search->is_escaped) != 0) quotes &= ~escaped(search, found.backslashes, text, size);
  /* From an opening quote on up to the byte before the closing one. */
  uint64_t in_string = parity(quotes) ^ search->in_string;
  search->in_string = (uint64_t)((int64_t)in_string >> 63);
  uint64_t scalars = ~(found.punctuation | found.blanks);
  uint64_t others = scalars & ~quotes;
  uint64_t starts = scalars & ~(others << 1 | search->is_scalar);
  search->is_scalar = others >> 63;
  if (found.is_broken || (found.controls & in_string) != 0) search->is_broken = true;
  return (found.punctuation | starts) & ~(in_string ^ quotes);
}

INLINE WIDEST uint32_t *write_places_widest(uint64_t marks, size_t offset, uint32_t *places) {
  int count = __builtin_popcountll(marks);
  const __m512i all = _mm512_set_epi8(
      63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,
      31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  __m512i base = _mm512_set1_epi32((int)offset);
  unsigned char chosen[64];
  __m512i compressed = _mm512_maskz_compress_epi8(marks, all);
  _mm512_storeu_si512(places, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(compressed))));
  if (count > 16) {
    _mm512_storeu_si512(chosen, compressed);
    for (int done = 16; done < count; done += 16) {
      __m128i some = _mm_loadu_si128((const __m128i *)(chosen + done));
      _mm512_storeu_si512(places + done, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(some)));
    }
  }
  return places + count;
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

/* Whether the next blocks, and the bytes before them that could want to be continued, are ASCII. Text in one language mostly stays so or
 * otherwise for many blocks, which a branch foresees; whether the next 64 bytes have an accent it does not. */
#define ASCII_BLOCKS 8
#define ASCII_BYTES (ASCII_BLOCKS * CJSONMARKS_BLOCK)

INLINE WIDE bool is_ascii_ahead(const unsigned char *text, size_t size, size_t offset) {
  if (offset < 3 || size - offset < ASCII_BYTES) return false;
  __m256i all = _mm256_loadu_si256((const __m256i *)(text + offset - 3));
  for (size_t at = 0; at < ASCII_BYTES; at += 32) {
    all = _mm256_or_si256(all, _mm256_loadu_si256((const __m256i *)(text + offset + at)));
  }
  return _mm256_movemask_epi8(all) == 0;
}

WIDE static size_t find_wide(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places) {
  unsigned char edge[3 + CJSONMARKS_BLOCK];
  uint32_t *end = places;
  bool is_ascii = false;
  for (size_t number = 0; number < blocks && search->offset < size; number++, search->offset += CJSONMARKS_BLOCK) {
    if (number % ASCII_BLOCKS == 0) is_ascii = is_ascii_ahead(text, size, search->offset);
    kinds found = kinds_wide(around(search, text, size, edge), is_ascii);
    end = write_places(marks_of(search, found, text, size), search->offset, end);
  }
  return (size_t)(end - places);
}

/* Up to 64 bytes, with blanks behind them. */
INLINE WIDEST __m512i load_some(const unsigned char *bytes, size_t count) {
  return _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), count < 64 ? (1ull << count) - 1 : ~0ull, bytes);
}

/* What is left of the text, fewer than 64 bytes. */
static WIDEST __attribute__((noinline)) kinds last_block_widest(const unsigned char *bytes, size_t count) {
  return kinds_widest(
      load_some(bytes, count), load_some(bytes - 1, count + 1), load_some(bytes - 2, count + 2),
      load_some(bytes - 3, count + 3), false);
}

WIDEST static size_t find_widest(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places) {
  unsigned char edge[3 + CJSONMARKS_BLOCK];
  uint32_t *end = places;
  bool is_ascii = false;
  for (size_t number = 0; number < blocks && search->offset < size; number++, search->offset += CJSONMARKS_BLOCK) {
    if (number % ASCII_BLOCKS == 0) is_ascii = is_ascii_ahead(text, size, search->offset);
    kinds found;
    if (search->offset + search->before < 3) {
      found = block_widest(around(search, text, size, edge), is_ascii);
    } else if (size - search->offset < CJSONMARKS_BLOCK) {
      found = last_block_widest(text + search->offset, size - search->offset);
    } else {
      found = block_widest(text + search->offset, is_ascii);
    }
    end = write_places_widest(marks_of(search, found, text, size), search->offset, end);
  }
  return (size_t)(end - places);
}

size_t cjsonmarks_find(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places) {
  return width() == IS_WIDEST ? find_widest(search, text, size, blocks, places) : find_wide(search, text, size, blocks, places);
}

#else

bool cjsonmarks_available(void) { return false; }

size_t cjsonmarks_find(
    cjsonmarks *search, const unsigned char *text, size_t size, size_t blocks, uint32_t *places) {
  (void)text, (void)blocks, (void)places;
  search->offset = size;
  search->is_broken = true;
  return 0;
}
#endif
