#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CSystemProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#if !defined(SYS_close_range)
#define SYS_close_range 436
#endif
#endif

int csystem_pidfd_open(pid_t process) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  /* The kernel sets close-on-exec by itself. */
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  errno = ENOSYS;
  return -1;
#endif
}

/* Moves a descriptor out of the way of the standard three. */
static int raised(int descriptor) {
  if (descriptor < 0 || descriptor > 2) return descriptor;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  int error = errno;
  close(descriptor);
  errno = error;
  return moved;
}

int csystem_pipe(int ends[2]) {
#if defined(__linux__)
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
#else
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
#endif
  for (int i = 0; i < 2; i++) ends[i] = raised(ends[i]);
  if (ends[0] >= 0 && ends[1] >= 0) return 0;
  int error = errno;
  for (int i = 0; i < 2; i++) {
    if (ends[i] >= 0) close(ends[i]);
  }
  errno = error;
  return -1;
}

int csystem_reopen(int descriptor, int flags) {
  /* By hand, since the start of a program is waited for: printf would take longer than the call. */
  char path[32] = "/proc/self/fd/";
  size_t end = strlen(path), digits = 1;
  for (int rest = descriptor / 10; rest > 0; rest /= 10) digits++;
  for (size_t at = end + digits; at > end; descriptor /= 10) path[--at] = (char)('0' + descriptor % 10);
  return open(path, flags);
}

int csystem_event(int ends[2]) {
#if defined(__linux__)
  ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return ends[0] < 0 ? -1 : 0;
#else
  return csystem_pipe(ends);
#endif
}

/* Closes every descriptor from `first` on. */
static void close_from(int first) {
#if defined(__linux__)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
  long limit = sysconf(_SC_OPEN_MAX);
  if (limit < 0 || limit > 65536) limit = 65536;
  for (long descriptor = first; descriptor < limit; descriptor++) close((int)descriptor);
}

#if defined(__linux__)

/* What happens between being made and becoming the program. Shares memory with the parent, which stands still: nothing here
   may allocate, lock or return. */
static void become(const struct csystem_program *program, pid_t parent, volatile enum csystem_start_step *step,
                   volatile int *error) {
  *step = CSYSTEM_START_SETUP;
  /* A session of its own has no terminal to ask for passwords on, and a group of its own can be ended whole. */
  setsid();
  /* Here and not by the parent, which may be killed before it gets to it: the program could have children by then. */
  pid_t self = getpid();
  /* A guard that is gone must cost nothing: a signal that waits here would end the program as soon as it may come. */
  struct sigaction nothing = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &nothing, NULL);
  if (program->guard >= 0 && write(program->guard, &self, sizeof self) < 0) self = 0;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) goto failed;
  if (getppid() != parent) _exit(127);
  for (int i = 0; i < 3; i++) {
    if (dup2(program->descriptors[i], i) < 0) goto failed;
  }
  close_from(3);
  /* Handlers would be reset by exec, but what is ignored stays ignored, and a blocked signal blocked. */
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  *step = CSYSTEM_START_CHDIR;
  if (program->directory != NULL && chdir(program->directory) != 0) goto failed;
  *step = CSYSTEM_START_EXEC;
  execve(program->path, program->arguments, program->environment);
failed:
  *error = errno;
  _exit(127);
}

/* By vfork: no page table is copied, however large we are, and an error needs no pipe to come back. */
pid_t csystem_start(const struct csystem_program *program, enum csystem_start_step *step) {
  volatile enum csystem_start_step reached = CSYSTEM_START_PROCESS;
  volatile int error = 0;
  pid_t parent = getpid();
  /* No handler of ours may run in the child. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t process = vfork();
  if (process == 0) become(program, parent, &reached, &error);
  if (process < 0) error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  *step = reached;
  if (error == 0) return process;
  if (process > 0) {
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
    }
    pid_t gone = -process;
    if (program->guard >= 0 && write(program->guard, &gone, sizeof gone) < 0) gone = 0;
  }
  errno = error;
  return -1;
}

#else

pid_t csystem_start(const struct csystem_program *program, enum csystem_start_step *step) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  pid_t process = -1;
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  *step = CSYSTEM_START_EXEC;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int i = 0; i < 3; i++) posix_spawn_file_actions_adddup2(&actions, program->descriptors[i], i);
  if (program->directory != NULL) posix_spawn_file_actions_addchdir_np(&actions, program->directory);
#if defined(POSIX_SPAWN_SETSID) && defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
  flags |= POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT;
#else
  flags |= POSIX_SPAWN_SETPGROUP;
#endif
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, flags);
  int error = posix_spawn(&process, program->path, &actions, &attributes, program->arguments, program->environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return process;
  errno = error;
  return -1;
}

#endif

int csystem_ended(pid_t process, int reap, int *status, int *number) {
  siginfo_t info;
  int result;
  info.si_pid = 0;
  do {
    result = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | (reap ? 0 : WNOWAIT));
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -1;
  if (info.si_pid == 0) return 0;
  *status = info.si_code == CLD_EXITED ? info.si_status : -1;
  *number = info.si_code == CLD_EXITED ? 0 : info.si_status;
  return 1;
}

void csystem_keep_ended_children(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

enum { guarded_count = 1024 };

/* Ids that are to be killed; only the guard uses it. */
static pid_t guarded[guarded_count];

static void note(pid_t id) {
  pid_t wanted = id > 0 ? 0 : -id;
  /* An id may be told twice. */
  for (int i = 0; id > 0 && i < guarded_count; i++) {
    if (guarded[i] == id) return;
  }
  for (int i = 0; i < guarded_count; i++) {
    if (guarded[i] == wanted) {
      guarded[i] = id > 0 ? id : 0;
      return;
    }
  }
}

static void guard(int descriptor) {
  /* Whoever ends us in an orderly way may send his signal to all that bear our name. */
  static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
  setsid();
#if defined(__linux__)
  prctl(PR_SET_NAME, "pagewire-guard");
#endif
  int null = open("/dev/null", O_RDWR);
  for (int i = 0; i < 3; i++) dup2(null, i);
  dup2(descriptor, 3);
  close_from(4);
  pid_t ids[256];
  while (1) {
    /* What is written in whole ids is read in whole ids. */
    ssize_t count = read(3, ids, sizeof ids);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (size_t i = 0; i < (size_t)count / sizeof *ids; i++) note(ids[i]);
  }
  for (int i = 0; i < guarded_count; i++) {
    if (guarded[i] > 0) kill(-guarded[i], SIGKILL);
  }
  _exit(0);
}

int csystem_start_guard(int descriptor) {
  pid_t between = fork();
  if (between == 0) {
    /* An orphan is nobody's child, so it is in nobody's way. */
    pid_t orphan = fork();
    if (orphan == 0) guard(descriptor);
    _exit(orphan < 0 ? 1 : 0);
  }
  if (between < 0) return -1;
  int status = 0;
  while (waitpid(between, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  errno = EAGAIN;
  return -1;
}
