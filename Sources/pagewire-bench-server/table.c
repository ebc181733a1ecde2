#include "table.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const uint8_t *name, size_t count) {
  const uint64_t factor = 0x9FB21C651E98DF25;
  uint64_t hash = 0x9E3779B97F4A7C15 ^ count;
  for (; count >= 8; name += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, name, 8);
    hash = (hash ^ word) * factor;
    hash ^= hash >> 32;
  }
  uint64_t rest = 0;
  for (size_t index = 0; index < count; index++) rest |= (uint64_t)name[index] << (index * 8);
  hash = (hash ^ rest) * factor;
  hash ^= hash >> 32;
  return (uint32_t)(hash ^ (hash >> 29));
}

int32_t table_find(const table *table, const uint8_t *name, size_t count) {
  if (table->capacity == 0) return -1;
  uint32_t hash = hash_of(name, count), mask = table->capacity - 1;
  for (uint32_t index = hash & mask;; index = (index + 1) & mask) {
    const table_slot *slot = &table->slots[index];
    if (slot->value < 0) return -1;
    if (slot->hash == hash && slot->count == count && memcmp(table->names + slot->offset, name, count) == 0) {
      return slot->value;
    }
  }
}

static void place(table *table, table_slot slot) {
  uint32_t mask = table->capacity - 1, index = slot.hash & mask;
  while (table->slots[index].value >= 0) index = (index + 1) & mask;
  table->slots[index] = slot;
}

static void grow(table *table) {
  table_slot *old = table->slots;
  uint32_t count = table->capacity;
  table->capacity = count == 0 ? 16 : count * 2;
  table->slots = malloc(table->capacity * sizeof *table->slots);
  if (table->slots == NULL) abort();
  for (uint32_t index = 0; index < table->capacity; index++) table->slots[index].value = -1;
  for (uint32_t index = 0; index < count; index++) {
    if (old[index].value >= 0) place(table, old[index]);
  }
  free(old);
}

void table_add(table *table, const uint8_t *name, size_t count, int32_t value) {
  if (table->used * 2 >= table->capacity) grow(table);
  if (table->names_used + count > table->names_capacity) {
    table->names_capacity = table->names_capacity * 2 + (uint32_t)count;
    table->names = realloc(table->names, table->names_capacity);
    if (table->names == NULL) abort();
  }
  memcpy(table->names + table->names_used, name, count);
  place(table, (table_slot){table->names_used, (uint32_t)count, hash_of(name, count), value});
  table->names_used += (uint32_t)count;
  table->used++;
}
