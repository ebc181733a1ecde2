"""When the server dies by its own fault: one line says what ran and of what size, and nothing of what was in it."""

import os
import re
import signal
import subprocess
import unittest

from pagewire_client import BINARY, LIMIT
from strict_json import dumps, frame
from support import EndToEndCase

SIGNALS = ("SIGILL", "SIGTRAP", "SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE")
SECRET = "quite-private-data"
LINE = (
    r"^pagewire: crash: signal (\d+) \((\w+)\) while serving, version (\d+\.\d+\.\d+), last method (\S+), "
    r"message (\d+) of (\d+) bytes, (\d+) sessions, (\d+) bytes unsent$"
)


class CrashTests(EndToEndCase):
    def crash(self, name, *arguments, messages=2):
        """A server that has answered two requests and then gets the signal: (status, stderr, the last body's bytes)."""
        process = subprocess.Popen(
            [BINARY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.addCleanup(process.kill)
        source = {"type": "items", "items": [{"id": SECRET}]}
        bodies = [
            '{"jsonrpc":"2.0","id":1,"method":"open","params":%s}' % dumps({"session": SECRET, "source": source}),
            '{"jsonrpc":"2.0","id":2,"method":"state","params":%s}' % dumps({"session": SECRET, "x": SECRET}),
        ][:messages]
        for body in bodies:
            process.stdin.write(frame(body))
        if messages == 2:
            seen = b""
            while b'"id":2' not in seen:
                seen += os.read(process.stdout.fileno(), 65536)
        else:
            # Something that is answered without being a call, so that the handlers are known to be there.
            process.stdin.write(frame("no JSON"))
            os.read(process.stdout.fileno(), 65536)
        process.send_signal(getattr(signal, name))
        _, stderr = process.communicate(timeout=LIMIT)
        return process.returncode, stderr.decode(), len(bodies[-1]) if bodies else len("no JSON")

    def test_each_fatal_signal_writes_one_line_and_ends_the_server_as_it_would_have(self):
        for name in SIGNALS:
            with self.subTest(name):
                status, stderr, size = self.crash(name)
                self.assertEqual(status, -getattr(signal, name))
                found = re.findall(LINE, stderr, re.M)
                self.assertEqual(len(found), 1, stderr)
                number, named, _, method, messages, length, sessions, unsent = found[0]
                self.assertEqual((int(number), named, method), (getattr(signal, name), name, "state"))
                self.assertEqual((int(messages), int(length), int(sessions)), (2, size, 1))
                # What the first message had to say may still have been there when the second came.
                self.assertLess(int(unsent), 2000)
                self.assertNotIn(SECRET, stderr)

    def test_the_line_is_in_the_log_too(self):
        log = os.path.join(self.folder(), "log")
        _, stderr, _ = self.crash("SIGSEGV", "--log", log)
        with open(log) as stream:
            text = stream.read()
        self.assertRegex(text, "(?m)" + LINE)
        self.assertRegex(stderr, "(?m)" + LINE)
        self.assertNotIn(SECRET, text)

    def test_before_any_call_there_is_no_method(self):
        _, stderr, size = self.crash("SIGABRT", messages=0)
        found = re.findall(LINE, stderr, re.M)
        self.assertEqual([(each[3], int(each[4]), int(each[5])) for each in found], [("none", 1, size)])

    def test_a_signal_that_asks_to_end_is_no_crash(self):
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            with self.subTest(name):
                status, stderr, _ = self.crash(name)
                self.assertEqual(status, -getattr(signal, name))
                self.assertEqual(stderr, "")

    def test_a_line_that_cannot_be_written_holds_nobody_up(self):
        """stderr is a full pipe that nobody reads, or is closed."""
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)
        try:
            while os.write(writer, b"x" * 65536):
                pass
        except BlockingIOError:
            pass
        process = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=writer, bufsize=0)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        os.close(writer)
        process.stdin.write(frame("no JSON"))
        os.read(process.stdout.fileno(), 65536)
        process.send_signal(signal.SIGSEGV)
        self.assertEqual(process.wait(LIMIT), -signal.SIGSEGV)


if __name__ == "__main__":
    unittest.main()
