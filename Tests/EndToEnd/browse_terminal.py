"""Runs a program on a pseudo terminal and reads its screen through a terminal emulator (pyte)."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import pyte


class TerminalProgram:
    """A program on a terminal of its own; `rows` is what a person would see."""

    def __init__(self, argv, columns=60, lines=10, env=None, cwd=None, stderr=None):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.status = None
        environment = dict(os.environ, TERM="xterm", LC_ALL="C.UTF-8")
        environment.update(env or {})
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
                if cwd:
                    os.chdir(cwd)
                if stderr:
                    os.dup2(os.open(stderr, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)
                os.execvpe(argv[0], argv, environment)
            finally:
                os._exit(127)
        self.mode = termios.tcgetattr(self.master)

    # What it shows

    @property
    def rows(self):
        return [row.rstrip() for row in self.screen.display]

    @property
    def status_line(self):
        return self.rows[-1]

    def pump(self, seconds=0.0):
        """Takes what has been written; False when the terminal has been closed."""
        end = time.monotonic() + seconds
        while True:
            left = max(0.0, end - time.monotonic())
            ready, _, _ = select.select([self.master], [], [], left)
            if not ready:
                return True
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.raw += data
            self.stream.feed(data)

    def wait_for(self, condition, seconds=20.0):
        """Waits until `condition` holds of this program; fails with the screen otherwise."""
        end = time.monotonic() + seconds
        while not condition(self):
            if time.monotonic() > end or not self.pump(0.02):
                if condition(self):
                    return
                raise AssertionError("not seen; the screen is:\n" + "\n".join(self.screen.display))

    def wait_for_text(self, text, seconds=20.0):
        self.wait_for(lambda program: any(text in row for row in program.rows), seconds)

    # What is done to it

    def press(self, keys):
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def kill(self, number):
        os.kill(self.pid, number)

    # How it ends

    def wait(self, seconds=20.0):
        """The exit status, or the negative number of the signal that ended it."""
        end = time.monotonic() + seconds
        while self.status is None:
            self.pump(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                raise AssertionError("it does not end; the screen is:\n" + "\n".join(self.screen.display))
        self.pump(0.05)
        return self.status

    def is_restored(self):
        """Whether the screen and the mode of the terminal are as they were before."""
        entered, left = self.raw.rfind(b"\x1b[?1049h"), self.raw.rfind(b"\x1b[?1049l")
        shown = self.raw.rfind(b"\x1b[?25h") > self.raw.rfind(b"\x1b[?25l")
        return (entered < left or entered < 0) and (shown or entered < 0) and termios.tcgetattr(self.master) == self.mode

    def after_screen(self):
        """What was written after the screen had been given back."""
        return self.raw[self.raw.rfind(b"\x1b[?1049l") + len(b"\x1b[?1049l"):].decode()

    def close(self):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
            self.status = -signal.SIGKILL
        os.close(self.master)
