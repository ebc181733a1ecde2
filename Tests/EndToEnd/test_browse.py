"""`pagewire browse`, as a pipe and in a terminal (contract section 11)."""

import json
import os
import pty
import select
import signal
import struct
import subprocess
import fcntl
import termios
import time
import unittest

from pagewire_client import BINARY, LIMIT
from support import EndToEndCase


class PipeTests(EndToEndCase):
    def browse(self, *arguments):
        return subprocess.run(
            [BINARY, "browse", *arguments], capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL
        )

    def test_every_line_of_a_file_to_the_end(self):
        for number in (0, 1, 49, 50, 51, 100, 12_345):
            content = "".join("line %d é\n" % n for n in range(number)).encode()
            done = self.browse(self.file(content))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, content, b""), number)

    def test_a_page_size_changes_nothing(self):
        content = "".join("line %d\n" % n for n in range(777)).encode()
        for size in (1, 7, 776, 777, 778, 100_000):
            self.assertEqual(self.browse("--page-size", str(size), self.file(content)).stdout, content, size)

    def test_a_source_object(self):
        done = self.browse('{"type":"synthetic","count":95,"shortPages":[1],"emptyPages":[2]}')
        self.assertEqual(done.returncode, 0)
        items = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.assertEqual([each["id"] for each in items], list(range(95)))

    def test_what_fails_is_one_line_that_names_it(self):
        path = os.path.join(self.folder(), "nosuch")
        for argument in (path, '{"type":"nosuch"}', '{"type":"synthetic","count":-1}', "{}"):
            with self.subTest(argument):
                done = self.browse(argument)
                self.assertIn(done.returncode, (1, 2))
                self.assertEqual((done.stdout, done.stderr.count(b"\n")), (b"", 1), done.stderr)
        self.assertIn(path.encode(), self.browse(path).stderr)

    def test_a_reader_that_has_enough_ends_it_cleanly(self):
        source = '{"type":"synthetic","count":null,"itemBytes":1000}'
        process = subprocess.Popen([BINARY, "browse", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first = process.stdout.readline()
        process.stdout.close()
        self.assertEqual(json.loads(first)["id"], 0)
        errors = process.stderr.read()
        process.stderr.close()
        self.assertIn(process.wait(LIMIT), (0, -signal.SIGPIPE))
        self.assertEqual(errors, b"")

    def test_no_server_is_left_behind(self):
        done = self.browse('{"type":"synthetic","count":30}')
        self.assertEqual(done.returncode, 0)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % pid) as stream:
                    parent = int(stream.read().rsplit(")", 1)[1].split()[1])
                with open("/proc/%s/cmdline" % pid, "rb") as stream:
                    words = stream.read().split(b"\0")
            except (OSError, IndexError):
                continue
            self.assertFalse(parent == 1 and words[0] == BINARY.encode(), words)


class Terminal:
    """`browse` in a pseudo terminal; what it writes is kept, and waited for."""

    def __init__(self, *arguments, rows=10, columns=60):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(BINARY, [BINARY, "browse", *arguments])
        self.output = b""
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.descriptor)

    def resize(self, rows, columns):
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, *texts, since=0):
        deadline = time.monotonic() + LIMIT
        while not all(text.encode() in self.output[since:] for text in texts):
            left = deadline - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError("%r did not come: %r" % (texts, self.output[-2000:]))
        return len(self.output)

    def _read(self, limit):
        ready, _, _ = select.select([self.descriptor], [], [], limit)
        try:
            data = os.read(self.descriptor, 65536) if ready else b""
        except OSError:
            data = b""
        self.output += data
        return bool(data)

    def press(self, keys):
        since = len(self.output)
        os.write(self.descriptor, keys)
        return since

    def wait_exit(self):
        """The exit status, once all output has been read."""
        while self._read(LIMIT):
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status)


class TerminalTests(EndToEndCase):
    ENTER, LEAVE, SHOW_CURSOR = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25h"

    def start(self, *arguments, **options):
        terminal = Terminal(*arguments, **options)
        self.addCleanup(self.stop, terminal)
        return terminal

    def stop(self, terminal):
        try:
            os.kill(terminal.pid, signal.SIGKILL)
            os.waitpid(terminal.pid, 0)
            os.close(terminal.descriptor)
        except (OSError, ChildProcessError):
            pass

    def assert_restored(self, terminal):
        self.assertIn(self.ENTER, terminal.output)
        self.assertGreater(terminal.output.rfind(self.LEAVE), terminal.output.rfind(self.ENTER))
        self.assertGreater(terminal.output.rfind(self.SHOW_CURSOR), terminal.output.rfind(self.ENTER))

    def test_a_list_is_shown_scrolled_and_left_by_q(self):
        path = self.file("".join("line-%03d\n" % n for n in range(300)))
        terminal = self.start(path)
        terminal.until("line-000", "line-005")
        since = terminal.press(b"\x1b[6~")
        terminal.until("line-009", since=since)
        since = terminal.press(b"G")
        terminal.until("line-299", since=since)
        since = terminal.press(b"g")
        terminal.until("line-000", since=since)
        terminal.press(b"q")
        self.assertEqual(terminal.wait_exit(), 0)
        self.assert_restored(terminal)

    def test_an_error_row_can_be_tried_again(self):
        source = (
            '{"type":"synthetic","count":100,"fail":[{"page":0,"times":1,"message":"Out of paper.","retryable":false}]}'
        )
        terminal = self.start(source)
        since = terminal.until("Out of paper.")
        terminal.press(b"\r")
        terminal.until("Item 0", since=since)
        terminal.press(b"q")
        self.assertEqual(terminal.wait_exit(), 0)

    def test_an_empty_list_says_so_and_a_refresh_works(self):
        path = self.file("")
        terminal = self.start(path)
        terminal.until("mpty")
        with open(path, "w") as stream:
            stream.write("now there is something\n")
        since = terminal.press(b"r")
        terminal.until("now there is something", since=since)
        terminal.press(b"q")
        self.assertEqual(terminal.wait_exit(), 0)

    def test_a_resize_draws_again(self):
        path = self.file("".join("line-%03d\n" % n for n in range(300)))
        terminal = self.start(path, rows=6)
        since = terminal.until("line-000")
        terminal.resize(30, 60)
        terminal.until("line-020", since=since)
        terminal.press(b"q")
        self.assertEqual(terminal.wait_exit(), 0)

    def test_the_terminal_is_restored_on_every_way_out(self):
        path = self.file("".join("line-%03d\n" % n for n in range(300)))
        for name, leave in (
            ("q", lambda terminal: terminal.press(b"q")),
            ("interrupt key", lambda terminal: terminal.press(b"\x03")),
            ("SIGTERM", lambda terminal: os.kill(terminal.pid, signal.SIGTERM)),
            ("SIGINT", lambda terminal: os.kill(terminal.pid, signal.SIGINT)),
        ):
            with self.subTest(name):
                terminal = self.start(path)
                terminal.until("line-000")
                leave(terminal)
                terminal.wait_exit()
                self.assert_restored(terminal)


if __name__ == "__main__":
    unittest.main()
