#define _GNU_SOURCE
#include "CSystemCrash.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct csystem_crash_facts csystem_crash_facts;

/* The signals that end a program by its own fault: traps of Swift come as SIGILL or SIGTRAP. */
static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
enum { FATAL_COUNT = sizeof fatal / sizeof *fatal };

static const char *program_version = "";
static int descriptors[2] = {-1, -1};
static pthread_t serving_thread;
/* What happened to the signals before, such as a backtrace of Swift's runtime: it still happens, after the line. */
static struct sigaction before[FATAL_COUNT];
/* A stack of its own, since the one that was used may be what is broken. */
static char stack[16 << 10];

/* A line that is put together without anything that a signal's handler may not call. */
struct line {
  char text[512];
  size_t size;
};

static void add(struct line *line, const char *text, size_t size) {
  size_t room = sizeof line->text - line->size - 1;
  if (size > room) size = room;
  memcpy(line->text + line->size, text, size);
  line->size += size;
}

static void add_text(struct line *line, const char *text) { add(line, text, strlen(text)); }

static void add_number(struct line *line, unsigned long long number) {
  char digits[24];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  add(line, digits + first, sizeof digits - first);
}

static const char *name_of(int number) {
  switch (number) {
  case SIGILL: return " (SIGILL)";
  case SIGTRAP: return " (SIGTRAP)";
  case SIGSEGV: return " (SIGSEGV)";
  case SIGBUS: return " (SIGBUS)";
  case SIGABRT: return " (SIGABRT)";
  case SIGFPE: return " (SIGFPE)";
  default: return "";
  }
}

static void report(int number) {
  struct line line;
  line.size = 0;
  add_text(&line, "pagewire: crash: signal ");
  add_number(&line, (unsigned long long)number);
  add_text(&line, name_of(number));
  add_text(&line, pthread_equal(pthread_self(), serving_thread) ? " while serving" : " on a source's thread");
  add_text(&line, ", version ");
  add_text(&line, program_version);
  add_text(&line, ", last method ");
  if (csystem_crash_facts.method)
    add(&line, csystem_crash_facts.method, csystem_crash_facts.method_size);
  else
    add_text(&line, "none");
  add_text(&line, ", message ");
  add_number(&line, csystem_crash_facts.messages);
  add_text(&line, " of ");
  add_number(&line, csystem_crash_facts.message_bytes);
  add_text(&line, " bytes, ");
  add_number(&line, csystem_crash_facts.sessions);
  add_text(&line, " sessions, ");
  add_number(&line, csystem_crash_facts.queued_bytes);
  add_text(&line, " bytes unsent\n");
  for (int i = 0; i < 2; i++) {
    if (descriptors[i] < 0) continue;
    /* A pipe that nobody empties must not keep a dead program. */
    struct pollfd ready = {descriptors[i], POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT)) continue;
    /* What cannot be written is lost: there is nobody to tell. */
    ssize_t written = write(descriptors[i], line.text, line.size);
    (void)written;
  }
}

static void handle(int number) {
  report(number);
  for (int i = 0; i < FATAL_COUNT; i++)
    if (fatal[i] == number) sigaction(number, &before[i], NULL);
  /* A fault comes again by itself where it is not raised; a signal that was sent does not. */
  raise(number);
}

void csystem_crash_report(const char *version, int descriptor, int other_descriptor) {
  program_version = version;
  descriptors[0] = descriptor;
  descriptors[1] = other_descriptor;
  serving_thread = pthread_self();
  stack_t own;
  memset(&own, 0, sizeof own);
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < FATAL_COUNT; i++) sigaction(fatal[i], &action, &before[i]);
}
