#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CBenchSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

extern char **environ;

int bench_pin(int cpu) {
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
#else
  (void)cpu;
  return 0;
#endif
}

int bench_raise_priority(void) {
#ifdef __linux__
  struct sched_param parameters;
  memset(&parameters, 0, sizeof parameters);
  parameters.sched_priority = 1;
  return sched_setscheduler(0, SCHED_RR, &parameters) == 0;
#else
  return 0;
#endif
}

int bench_allowed_cpus(int *cpus, int capacity) {
  int found = 0;
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE && found < capacity; cpu++) {
      if (CPU_ISSET(cpu, &set)) cpus[found++] = cpu;
    }
  }
#endif
  if (found == 0 && capacity > 0) cpus[found++] = 0;
  return found;
}

int bench_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#else
  if (pipe(ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

int bench_pipe_size(int descriptor, int bytes) {
#ifdef F_SETPIPE_SZ
  return fcntl(descriptor, F_SETPIPE_SZ, bytes) >= 0 ? 0 : errno;
#else
  (void)descriptor, (void)bytes;
  return ENOSYS;
#endif
}

// Starts a program on a CPU with what the caller has put into `actions`, in a session of its own if asked.
static pid_t spawn(const char *path, char *const arguments[], posix_spawn_file_actions_t *actions, int new_session, int cpu) {
  posix_spawnattr_t attributes;
  sigset_t defaults;
  pid_t pid = 0;
  int failure = posix_spawnattr_init(&attributes);
  if (failure != 0) return -failure;
  // The benchmark ignores SIGPIPE; what it measures must not inherit that.
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGALRM);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  sigaddset(&defaults, SIGHUP);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGDEF | (new_session ? POSIX_SPAWN_SETSID : 0)));
#ifdef __linux__
  cpu_set_t before;
  int known = sched_getaffinity(0, sizeof before, &before) == 0;
#endif
  bench_pin(cpu);
  failure = posix_spawn(&pid, path, actions, &attributes, arguments, environ);
#ifdef __linux__
  if (known) sched_setaffinity(0, sizeof before, &before);
#endif
  posix_spawnattr_destroy(&attributes);
  return failure == 0 ? pid : -failure;
}

pid_t bench_spawn(const char *path, char *const arguments[], int input, int output, int error, int cpu) {
  posix_spawn_file_actions_t actions;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return -failure;
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (error >= 0) posix_spawn_file_actions_adddup2(&actions, error, 2);
  pid_t pid = spawn(path, arguments, &actions, 0, cpu);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

pid_t bench_spawn_in_terminal(const char *path, char *const arguments[], int columns, int rows, int cpu, int *terminal) {
  posix_spawn_file_actions_t actions;
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ours < 0) return -errno;
  const char *theirs = grantpt(ours) == 0 && unlockpt(ours) == 0 ? ptsname(ours) : NULL;
  if (theirs == NULL || ioctl(ours, TIOCSWINSZ, &size) != 0 || posix_spawn_file_actions_init(&actions) != 0) {
    int failure = errno;
    close(ours);
    return -failure;
  }
  // Opened by the leader of a session that has no terminal yet, it becomes the session's.
  posix_spawn_file_actions_addopen(&actions, 0, theirs, O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  pid_t pid = spawn(path, arguments, &actions, 1, cpu);
  posix_spawn_file_actions_destroy(&actions);
  if (pid < 0) close(ours);
  *terminal = ours;
  return pid;
}

ptrdiff_t bench_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
  const char *found = memmem(bytes, count, needle, needle_count);
  return found == NULL ? -1 : found - (const char *)bytes;
}

static volatile sig_atomic_t ending_signal = 0;

static void interrupted(int signal) {
  if (signal == SIGALRM) return;
  ending_signal = signal;
  bench_alarm(1);  // Interrupts again until the loop that runs has noticed.
}

int bench_interrupted(void) { return ending_signal; }

void bench_prepare_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupted;  // No SA_RESTART: a blocked read returns EINTR.
  sigaction(SIGALRM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
}

void bench_alarm(int seconds) {
  struct itimerval timer;
  memset(&timer, 0, sizeof timer);
  timer.it_value.tv_sec = seconds;
  timer.it_interval.tv_usec = seconds == 0 ? 0 : 100000;
  setitimer(ITIMER_REAL, &timer, NULL);
}

long long bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}
