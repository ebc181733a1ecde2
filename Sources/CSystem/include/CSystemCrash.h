/* One line about a crash: what ran, and of what size, never what was in it. */
#ifndef CSYSTEM_CRASH_H
#define CSYSTEM_CRASH_H

#include <stddef.h>

/* What the line says, noted as it changes by the thread that serves. Texts must live as long as the process. */
struct csystem_crash_facts {
  const char *method;
  size_t method_size;
  unsigned long long messages;
  size_t message_bytes;
  size_t sessions;
  size_t queued_bytes;
};

extern struct csystem_crash_facts csystem_crash_facts;

/* From now on a fatal signal writes a line to the descriptors, -1 for none, before it ends the process as it would have.
 * To be called by the thread that serves. The version must live as long as the process. */
void csystem_crash_report(const char *version, int descriptor, int other_descriptor);

/* A message came in. */
static inline void csystem_crash_note_message(size_t bytes, size_t sessions, size_t queued) {
  csystem_crash_facts.method = NULL;
  csystem_crash_facts.messages += 1;
  csystem_crash_facts.message_bytes = bytes;
  csystem_crash_facts.sessions = sessions;
  csystem_crash_facts.queued_bytes = queued;
}

/* It is a call of this method. */
static inline void csystem_crash_note_method(const void *name, size_t size) {
  csystem_crash_facts.method = (const char *)name;
  csystem_crash_facts.method_size = size;
}

#endif
