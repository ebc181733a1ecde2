// What the benchmark needs of the system and Swift's Glibc module does not show: CPU pinning, pipes that close on exec,
// spawning onto a CPU and into a terminal, a search for bytes, and an HTTP server.
#ifndef CBENCHSUPPORT_H
#define CBENCHSUPPORT_H

#include <stddef.h>
#include <sys/types.h>

/// Binds the calling thread to one CPU. Returns 0, or an errno. Where the system has no such call, does nothing.
int bench_pin(int cpu);

/// Puts this process and its children ahead of all ordinary ones (SCHED_RR); returns whether that is allowed.
int bench_raise_priority(void);

/// Writes the numbers of the CPUs this process may run on, lowest first, and returns how many; 1 and CPU 0 if unknown.
int bench_allowed_cpus(int *cpus, int capacity);

/// A pipe whose ends close on exec. Returns 0, or an errno.
int bench_pipe(int ends[2]);

/// Gives a pipe room for so many bytes. Returns 0, or an errno; ENOSYS where the system has no such call.
int bench_pipe_size(int descriptor, int bytes);

/// Starts a program on the given CPU with the given descriptors as its standard input, output and error; where `error` is
/// negative, standard error is inherited. Returns the process id, or a negative errno.
pid_t bench_spawn(const char *path, char *const arguments[], int input, int output, int error, int cpu);

/// Starts a program on the given CPU in a terminal of the given size, and sets `terminal` to our end of it. Returns the process
/// id, or a negative errno.
pid_t bench_spawn_in_terminal(const char *path, char *const arguments[], int columns, int rows, int cpu, int *terminal);

/// The offset of `needle` in `bytes`, or -1.
ptrdiff_t bench_find(const void *bytes, size_t count, const void *needle, size_t needle_count);

/// Sets SIGALRM to interrupt system calls without any other effect, SIGPIPE to be ignored, and SIGINT, SIGTERM and SIGHUP to be
/// remembered for `bench_interrupted`, so that files and processes are cleared away first.
void bench_prepare_signals(void);

/// The signal that asked this process to end, or 0.
int bench_interrupted(void);

/// Interrupts system calls of this process after so many seconds and every tenth of a second from then on; 0 turns it off.
void bench_alarm(int seconds);

/// Nanoseconds of a clock that only goes forward.
long long bench_now(void);

/// A whole answer of the HTTP server.
typedef struct {
  const char *bytes;
  size_t count;
} bench_answer;

/// A listening socket on the loopback, with its port. Returns -1 where there is none.
int bench_http_listen(int *port);

/// Answers each request with the answer whose number is in its URL behind `page=`, else the first; keeps connections open.
/// Returns when the listener has been shut down.
void bench_http_serve(int listener, const bench_answer *answers, size_t count);

/// Asks for so many pages, one after the other on one connection, and reads the answers; how many bytes those had, -1 where it
/// failed.
long long bench_http_read(int port, size_t pages);

#endif
