#define _GNU_SOURCE
#include "CSystemTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

int csystem_wcwidth(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

static int locale_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

int csystem_use_utf8_locale(void) {
  static const char *const names[] = {"", "C.UTF-8", "C.utf8", "en_US.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (setlocale(LC_CTYPE, names[i]) != NULL && locale_is_utf8()) return 1;
  }
  return 0;
}

/* Written before any handler that reads them is installed. */
static int signal_pipe[2] = {-1, -1};
static volatile sig_atomic_t ending;

int csystem_signal_pipe(void) {
  if (signal_pipe[0] >= 0) return signal_pipe[0];
  int ends[2];
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  signal_pipe[0] = ends[0];
  signal_pipe[1] = ends[1];
  return signal_pipe[0];
}

static void note_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  if (number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM) ending = 1;
  /* A full pipe already holds news enough; the loop drains it whole. */
  ssize_t ignored = write(signal_pipe[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

int csystem_signal_watch(int number) {
  if (csystem_signal_pipe() < 0) return -1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_signal;
  /* No SA_RESTART: a write to a terminal that does not drain has to end when the program should. */
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, NULL);
}

void csystem_signal_default(int number) { signal(number, SIG_DFL); }

void csystem_signal_ignore(int number) { signal(number, SIG_IGN); }

void csystem_signal_ignore_unless_set(int number) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL) signal(number, SIG_IGN);
}

int csystem_signal_ending(void) { return ending; }

static const int fatal_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { fatal_count = sizeof fatal_signals / sizeof *fatal_signals };
/* What was installed before, such as a language runtime's own crash report. */
static struct sigaction fatal_before[fatal_count];
static int guard_descriptor = -1;
static struct termios guard_mode;
static char guard_bytes[128];
static size_t guard_count;

static void restore_and_die(int number) {
  if (guard_descriptor >= 0) {
    ssize_t ignored = write(guard_descriptor, guard_bytes, guard_count);
    (void)ignored;
    tcsetattr(guard_descriptor, TCSANOW, &guard_mode);
  }
  for (int i = 0; i < fatal_count; i++) {
    if (fatal_signals[i] == number) sigaction(number, &fatal_before[i], NULL);
  }
  raise(number);
}

void csystem_terminal_arm(int descriptor, const struct termios *mode, const void *bytes, size_t count) {
  csystem_terminal_disarm();
  guard_mode = *mode;
  guard_count = count < sizeof guard_bytes ? count : sizeof guard_bytes;
  memcpy(guard_bytes, bytes, guard_count);
  guard_descriptor = descriptor;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = restore_and_die;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < fatal_count; i++) sigaction(fatal_signals[i], &action, &fatal_before[i]);
}

void csystem_terminal_disarm(void) {
  if (guard_descriptor < 0) return;
  guard_descriptor = -1;
  for (int i = 0; i < fatal_count; i++) sigaction(fatal_signals[i], &fatal_before[i], NULL);
}

int csystem_terminal_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int csystem_wait_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

int csystem_wait_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

void csystem_pipe_size(int descriptor, int bytes) {
#ifdef F_SETPIPE_SZ
  int ignored = fcntl(descriptor, F_SETPIPE_SZ, bytes);
  (void)ignored;
#else
  (void)descriptor;
  (void)bytes;
#endif
}
