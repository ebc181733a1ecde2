#include "CSystemThread.h"

#include <pthread.h>

int csystem_start_thread(void *(*main)(void *), void *argument, size_t stack_bytes) {
  pthread_attr_t attributes;
  int failure = pthread_attr_init(&attributes);
  if (failure != 0) return failure;
  failure = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (failure == 0 && stack_bytes > 0) failure = pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  if (failure == 0) failure = pthread_create(&thread, &attributes, main, argument);
  pthread_attr_destroy(&attributes);
  return failure;
}
