"""`pagewire browse` against a server that misbehaves: one clear line, the right status, nothing left behind."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from pagewire_client import BINARY, LIMIT
from support import EndToEndCase, children, memory_kib

FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "browse_fake_server.py")


def fake_server(**spec):
    return "'%s' '%s' '%s'" % (sys.executable, FAKE, json.dumps(spec))


def running(marker):
    """Processes with this text in their command line."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as stream:
                words = stream.read().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"python3") and any(marker.encode() in word for word in words):
            found.append(int(pid))
    return found


class FaultTests(EndToEndCase):
    def browse(self, server, *arguments, **options):
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(
            [BINARY, "browse", "--server", server, *arguments, "x"],
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            timeout=LIMIT,
            **options
        )

    def assert_one_line(self, done, *texts):
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith(b"pagewire browse: "), done.stderr)
        for text in texts:
            self.assertIn(text.encode(), done.stderr)

    def test_the_fake_server_serves(self):
        for count in (0, 1, 9, 10, 11, 95):
            done = self.browse(fake_server(count=count), "--page-size", "10")
            expected = "".join("line %d\n" % n for n in range(count)).encode()
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, expected, b""))

    def test_a_server_that_is_none(self):
        self.assert_one_line(self.browse("/no/such/server"), "/no/such/server", "No such file")
        self.assert_one_line(self.browse(os.path.dirname(FAKE)), "Permission denied")
        self.assert_one_line(self.browse("cat"), '"cat" does not speak the Pagewire protocol')
        self.assert_one_line(self.browse("ls /"), '"ls" does not speak the Pagewire protocol')
        self.assert_one_line(self.browse("true"), '"true" exited with status 0 before it answered')
        for start in ("garbage", "echo"):
            self.assert_one_line(self.browse(fake_server(start=start)), "does not speak the Pagewire protocol")
        self.assert_one_line(self.browse(fake_server(start="exit")), "exited with status 4 before it answered")

    def test_a_source_that_is_refused(self):
        done = self.browse(fake_server(open_error="No such file: \x1b[31mx\n; give another path."))
        self.assert_one_line(done, "No such file: ^[[31mx^J; give another path.")

    def test_a_server_that_crashes_in_between(self):
        done = self.browse(fake_server(crash_page=2), "--page-size", "10")
        self.assert_one_line(done, "exited with status 3")
        self.assertEqual(done.stdout, "".join("line %d\n" % n for n in range(20)).encode())
        self.assert_one_line(self.browse(fake_server(kill_page=1), "--page-size", "10"), "signal 9")

    def test_a_load_that_fails_ends_what_was_printed(self):
        done = self.browse(fake_server(fail_page=1), "--page-size", "10")
        self.assert_one_line(done, "the disk is on fire ^[[31m")
        self.assertEqual(done.stdout.count(b"\n"), 10)

    def test_frames_that_are_broken(self):
        def frame(body):
            return "Content-Length: %d\r\n\r\n%s" % (len(body), body)

        page = '{"jsonrpc":"2.0","method":"pageAppended","params":%s}'
        for raw in (
            "Content-Length: x\r\n\r\n",
            frame("{"),
            frame("[]"),
            frame("1"),
            frame(page % "{}"),
            frame(page % '{"items":5,"hasMore":true}'),
            frame('{"jsonrpc":"2.0","id":1,"method":"later"}')[:-1] + "x",
        ):
            with self.subTest(raw):
                done = self.browse(fake_server(raw_page=1, raw=raw), "--page-size", "10")
                self.assert_one_line(done, "broke the protocol")
                self.assertEqual(done.stdout.count(b"\n"), 10)

    def test_what_the_server_asks_is_refused_and_browsing_goes_on(self):
        body = '{"jsonrpc":"2.0","id":"q","method":"fetchPage","params":{}}'
        raw = "Content-Length: %d\r\n\r\n%s" % (len(body), body)
        done = self.browse(fake_server(raw_page=1, raw=raw, count=30), "--page-size", "10")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout.count(b"\n"), 30)

    def test_a_full_disk_is_an_error(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        with open("/dev/full", "w") as full:
            self.assert_one_line(self.browse(fake_server(), stdout=full), "No space left on device")

    def test_a_reader_that_goes_while_nothing_comes_is_noticed(self):
        marker = "marker-%d" % os.getpid()
        process = subprocess.Popen(
            [BINARY, "browse", "--server", fake_server(count=30, page_delay=2, text=marker), "--page-size", "10", "x"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(LIMIT), 0)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(running(marker), [])

    def test_a_signal_ends_both(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
            marker = "marker-%d-%d" % (os.getpid(), number)
            process = subprocess.Popen(
                [BINARY, "browse", "--server", fake_server(count=10**9, text=marker), "--page-size", "10", "x"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            process.stdout.readline()
            process.send_signal(number)
            process.stdout.close()
            self.assertEqual(process.wait(LIMIT), -number)
            deadline = time.monotonic() + LIMIT
            while running(marker) and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertEqual(running(marker), [])


class SizeTests(EndToEndCase):
    def test_printing_needs_no_more_memory_for_a_large_file(self):
        lines = b"".join(b"%08d and some more text to fill the line with\n" % n for n in range(20_000))
        path = self.file(lines * 24)
        process = subprocess.Popen([BINARY, "browse", path], stdout=subprocess.PIPE)
        for _ in range(23):
            self.assertEqual(process.stdout.read(len(lines)), lines)
        for pid in [process.pid] + children(process.pid):
            self.assertLess(memory_kib(pid, "VmHWM"), 24 << 10)
        self.assertEqual(process.stdout.read(), lines)
        process.stdout.close()
        self.assertEqual(process.wait(LIMIT), 0)

    def test_a_line_that_the_server_cuts_is_not_passed_over_in_silence(self):
        path = self.file(b"x" * 3_000_000 + b"\nlast\n")
        done = subprocess.run([BINARY, "browse", path], capture_output=True, timeout=LIMIT)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1))
        self.assertIn(b"only the beginning was printed", done.stderr)
        self.assertTrue(done.stdout.endswith(b"x\nlast\n"))


class UsageTests(EndToEndCase):
    def browse(self, *arguments):
        return subprocess.run([BINARY, "browse", *arguments], capture_output=True, timeout=LIMIT)

    def test_bad_usage_is_one_line_and_status_2(self):
        for arguments in (
            [],
            ["--nope", "x"],
            ["-x", "y"],
            ["a", "b"],
            ["--page-size", "x", "a"],
            ["--page-size", "0", "a"],
            ["--page-size"],
            ["--server", "", "a"],
            ["--"],
            ["a", "--", "b"],
            [""],
            ["{"],
            ["{} x"],
        ):
            with self.subTest(arguments):
                done = self.browse(*arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1), done.stderr)
        self.assertIn(b'unknown option "--nope"', self.browse("--nope", "x").stderr)

    def test_help_is_given(self):
        done = self.browse("--help")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"--page-size", done.stdout)


if __name__ == "__main__":
    unittest.main()
