// Session names to numbers: open addressing, the names one after the other in one block of memory.
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t offset, count, hash;
  int32_t value;  // -1: the slot is free
} table_slot;

typedef struct {
  table_slot *slots;
  uint32_t capacity, used;  // A power of two, at least twice `used`.
  uint8_t *names;
  uint32_t names_capacity, names_used;
} table;

/// The number of a name, or -1.
int32_t table_find(const table *table, const uint8_t *name, size_t count);

/// Adds a name that is not there yet. Ends the program where there is no memory.
void table_add(table *table, const uint8_t *name, size_t count, int32_t value);

#endif
