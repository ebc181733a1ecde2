/* Starting, watching and ending other processes. */
#ifndef CSYSTEM_PROCESS_H
#define CSYSTEM_PROCESS_H

#include <sys/types.h>

/* A descriptor, closed on exec, that becomes readable when the process ends; -1 where the system has none (errno set). */
int csystem_pidfd_open(pid_t process);

/* What a program is started with. */
struct csystem_program {
  const char *path;          /* the file, relative to `directory`; nothing is searched and no shell steps in */
  char *const *arguments;    /* ended by NULL */
  char *const *environment;  /* ended by NULL */
  const char *directory;     /* NULL: ours */
  int descriptors[3];        /* become 0, 1 and 2; each must be 3 or more */
  int guard;                 /* what the guard reads ids from, or -1; on Linux it is told before the program runs */
};

/* Where starting a program failed. */
enum csystem_start_step {
  CSYSTEM_START_PROCESS, /* no process could be made */
  CSYSTEM_START_SETUP,   /* its descriptors could not be put in place */
  CSYSTEM_START_CHDIR,   /* its directory could not be entered */
  CSYSTEM_START_EXEC     /* the file could not be executed */
};

/* Starts a program in a session and process group of its own, without a terminal, with default signal actions, no blocked
   signals and no descriptors but those three. On Linux it is killed when the calling thread ends, so that thread should
   live as long as the process. Returns its id, or -1 with errno and *step set. */
pid_t csystem_start(const struct csystem_program *program, enum csystem_start_step *step);

/* Makes a pipe whose ends are 3 or more and closed on exec. Returns 0, or -1 with errno. */
int csystem_pipe(int ends[2]);

/* Opens anew, on Linux, what a descriptor stands for. Returns a descriptor, or -1 with errno. */
int csystem_reopen(int descriptor, int flags);

/* Makes a pair of descriptors, closed on exec, of which the first becomes readable once eight bytes were written to the
   second; they may be one and the same. Returns 0, or -1 with errno. */
int csystem_event(int ends[2]);

/* Whether a child has ended: 1 if so, with *status its exit status or -1 and *number the signal that ended it or 0; 0 while
   it runs; -1 with errno. With `reap` the system forgets it; until then its id and its group's stay taken. */
int csystem_ended(pid_t process, int reap, int *status, int *number);

/* Makes sure that ended children are kept until they are asked for, which a parent may have switched off. */
void csystem_keep_ended_children(void);

/* Starts a process, no child of ours, that kills process groups when we are gone, however we end: it reads ids (pid_t, whole)
   from `descriptor`, a positive one to be killed then, a negative one not any more, and acts when that ends. Returns 0, or -1
   with errno. */
int csystem_start_guard(int descriptor);

#endif
