/* Terminal and child process helpers: macros, character widths and signal handlers that Swift cannot express. */
#ifndef CSYSTEM_TERMINAL_H
#define CSYSTEM_TERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <termios.h>

/* Number of terminal cells of a Unicode scalar in the current locale; -1 where the C library knows none. */
int csystem_wcwidth(uint32_t scalar);

/* Selects a character set that is UTF-8, the user's locale first. Returns 1 if one was found, else 0. */
int csystem_use_utf8_locale(void);

/* Makes a close-on-exec, non-blocking pipe into which watched signals are written as one byte each.
   Returns the end to read from, the same at every call, or -1 with errno. */
int csystem_signal_pipe(void);

/* From now on a signal writes its number into the signal pipe. Interrupts system calls. Returns 0 or -1 with errno. */
int csystem_signal_watch(int number);

/* Back to the default action. */
void csystem_signal_default(int number);

/* Ignores a signal. */
void csystem_signal_ignore(int number);

/* Ignores a signal whose action is the default one; any other choice of the program stays. */
void csystem_signal_ignore_unless_set(int number);

/* Whether a watched signal that should end the program (HUP, INT, QUIT, TERM) has arrived. */
int csystem_signal_ending(void);

/* What fatal signals (a trap, a bad access, abort) do to the terminal before they end the process: write `bytes`
   to it and set its mode. At most 128 bytes are kept. Disarm with csystem_terminal_disarm. */
void csystem_terminal_arm(int descriptor, const struct termios *mode, const void *bytes, size_t count);
void csystem_terminal_disarm(void);

/* Window size in cells; 0 on success. */
int csystem_terminal_size(int descriptor, int *columns, int *rows);

/* Parts of a wait status: the exit status or -1, the signal that ended the process or 0. */
int csystem_wait_exit_status(int status);
int csystem_wait_signal(int status);

/* Asks for a larger pipe; best effort, nothing where the system has no such call. */
void csystem_pipe_size(int descriptor, int bytes);

#endif
