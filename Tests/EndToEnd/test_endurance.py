"""More than anybody should ask for: sessions, items, deaths and the ends of disks and memory, and a short form of the soak."""

import os
import resource
import signal
import subprocess
import sys
import time
import unittest

from pagewire_client import BINARY, LIMIT
from pipes import Pipes, request
from processes import running, until
from soak import soak
from strict_json import dumps
from support import EndToEndCase

# How often the parent is killed; a thousand times with PAGEWIRE_DEATHS=1000.
DEATHS = int(os.environ.get("PAGEWIRE_DEATHS", "6"))
ANSWER = b'{"jsonrpc":"2.0","id":'
MIB = 1024


class EnduranceCase(EndToEndCase):
    def pipes(self, *arguments, **options):
        server = Pipes(*arguments, **options)
        self.addCleanup(server.kill)
        return server


class QuantityTests(EnduranceCase):
    def test_a_hundred_thousand_sessions_are_opened_and_closed(self):
        server = self.pipes()
        server.count(ANSWER)
        number = 100_000
        before = None
        for start in range(0, number, 5_000):
            server.send(
                b"".join(
                    request(n, "open", {"session": "s%d" % n, "source": {"type": "synthetic"}, "autoload": False})
                    for n in range(start, start + 5_000)
                )
            )
            server.until(ANSWER, start + 5_000)
            before = before or server.memory_kib()
        full = server.memory_kib()
        # A session that has loaded nothing takes a few kilobytes.
        self.assertLess(full - before, number * 4)
        server.send(b"".join(request(n, "close", {"session": "s%d" % n}) for n in range(number)))
        server.until(ANSWER, 2 * number)
        server.send(request(0, "sessions", {}))
        server.until(ANSWER, 2 * number + 1)
        self.assertTrue(server.tail.endswith(b'"result":[]}'), server.tail)
        # Opened once more they take what was given back.
        again = 20_000
        server.send(
            b"".join(
                request(n, "open", {"session": "t%d" % n, "source": {"type": "synthetic"}, "autoload": False})
                for n in range(again)
            )
        )
        server.until(ANSWER, 2 * number + 1 + again)
        self.assertLess(server.memory_kib(), full + 32 * MIB)
        self.assertEqual(server.end(), 0)

    def test_a_page_of_ten_million_items_comes_or_is_refused_in_bounded_memory(self):
        """The front end answers with ten million items in one frame; with `ids` beside them they do not fit one any more."""
        server = self.pipes()
        server.count(b'"method":"fetchPage"', b'"method":"loadFailed"', b'"method":"pageAppended"', b'"isLoading":false')
        opened = {"session": "s", "source": {"type": "client"}, "pageSize": 10_000_000, "retry": {"retries": 0}}
        server.send(request(1, "open", opened))
        server.until(b'"method":"fetchPage"', 1)
        items = b"[" + b"0," * 9_999_999 + b"0]"
        body = b'{"jsonrpc":"2.0","id":1,"result":{"next":null,"items":%s}}' % items
        server.send(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        # Seconds of one core's time; the limit is for a machine that has others to serve.
        server.until(b'"isLoading":false', 1, 10 * LIMIT)
        self.assertEqual(server.counts[b'"method":"loadFailed"'] + server.counts[b'"method":"pageAppended"'], 1)
        # The places of ten million items and their ids: some 140 bytes each, for a moment.
        self.assertLess(server.memory_kib("VmHWM"), 2000 * MIB)
        server.count(ANSWER)
        server.send(request(2, "close", {"session": "s"}))
        server.until(ANSWER, 1)
        server.send(request(3, "open", {"session": "t", "source": {"type": "synthetic", "count": 3}}))
        server.until(ANSWER, 2)
        self.assertEqual(server.end(), 0)

    def test_a_soak_keeps_memory_and_descriptors_flat(self):
        """The short form of soak.py, which see."""
        figures, done, status = soak(30_000, 200)
        self.assertGreaterEqual(done, 30_000)
        memory = [each for each, _ in figures[3:]]
        self.assertLess(max(memory) - memory[0], 4 * MIB, figures)
        self.assertEqual({each for _, each in figures[3:]}, {figures[3][1]}, figures)
        self.assertEqual(status, 0)


class DeathTests(EnduranceCase):
    PARENT = (
        "import os, subprocess, sys, time\n"
        "p = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "p.stdin.write(sys.argv[2].encode()); p.stdin.flush(); seen = b''\n"
        "while b'pageAppended' not in seen: seen += os.read(p.stdout.fileno(), 65536)\n"
        "print(p.pid, flush=True); time.sleep(600)\n"
    )

    def test_when_the_parent_is_killed_the_server_and_its_programs_are_gone_every_time(self):
        """A program that ignores what asks it to end, and its child; the parent dies without a word."""
        marker = "pagewire-death-%d" % os.getpid()
        script = "trap '' TERM HUP INT; sleep 600 & echo line; while :; do sleep 600; done; : %s" % marker
        source = {"type": "command", "argv": ["sh", "-c", script], "mode": "stream"}
        opened = request(1, "open", {"session": "s", "source": source, "pageSize": 1}).decode()
        slowest = 0
        for _ in range(DEATHS):
            parent = subprocess.Popen([sys.executable, "-c", self.PARENT, BINARY, opened], stdout=subprocess.PIPE)
            pid = int(parent.stdout.readline())
            family = [pid] + descendants(pid)
            self.assertGreaterEqual(len(family), 3, "the server, the program, and its child")
            parent.kill()
            parent.wait()
            parent.stdout.close()
            started = time.monotonic()
            until(lambda: not any(running(each) for each in family), "the whole family is gone")
            slowest = max(slowest, time.monotonic() - started)
        # Within a second where the machine is free; this is far beyond it, and far below what a time-out would take.
        self.assertLess(slowest, 15)

    def test_time_that_stands_still_fires_nothing_twice(self):
        """The process is stopped for longer than its timers run, as when a laptop is closed."""
        server = self.server()
        retry = {"retries": 3, "initialDelayMs": 200, "maxDelayMs": 200, "jitter": 0}
        source = {"type": "synthetic", "count": 3, "fail": [{"page": 0, "times": 2}]}
        server.open("s", source, retry=retry)
        server.wait_notification("loadFailed", session="s")
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(1.2)
        server.process.send_signal(signal.SIGCONT)
        server.wait_loaded("s")
        failures = [m for m in server.log if m.method == "loadFailed"]
        self.assertEqual([m.params["attempt"] for m in failures], [1, 2])

    def test_a_clock_that_is_set_changes_nothing(self):
        """The time of day jumps back and forth by years with every look at it; waits are measured otherwise."""
        library = self.clock_that_jumps()
        environment = dict(os.environ, LD_PRELOAD=library)
        server = self.server(environment=environment)
        retry = {"retries": 2, "initialDelayMs": 300, "maxDelayMs": 300, "multiplier": 1, "jitter": 0}
        started = time.monotonic()
        server.open("s", {"type": "synthetic", "count": 3, "latencyMs": 100, "fail": [{"page": 0, "times": 2}]}, retry=retry)
        server.wait_loaded("s")
        self.assertGreater(time.monotonic() - started, 0.6)
        failures = [m for m in server.log if m.method == "loadFailed"]
        self.assertEqual([m.params["retryInMs"] for m in failures], [300, 300])

    def clock_that_jumps(self):
        source = self.file(
            "#define _GNU_SOURCE\n#include <time.h>\n#include <sys/time.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
            "static long jump(void) { static long n; return (++n % 2 ? 1 : -1) * (n % 7) * 31000000; }\n"
            "int clock_gettime(clockid_t id, struct timespec *t) { int r = syscall(SYS_clock_gettime, id, t);\n"
            "  if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) t->tv_sec += jump(); return r; }\n"
            "time_t time(time_t *p) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t); if (p) *p = t.tv_sec; return t.tv_sec; }\n"
            "int gettimeofday(struct timeval *v, void *z) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t);\n"
            "  v->tv_sec = t.tv_sec; v->tv_usec = t.tv_nsec / 1000; (void)z; return 0; }\n",
            "jump.c",
        )
        library = source[:-2] + ".so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
        return library


class ResourceTests(EnduranceCase):
    def serve_on(self, *arguments, prepare=None):
        """A server that is asked to write a lot of log and recording, and must serve as if there was neither."""
        server = self.pipes(*arguments, prepare=prepare)
        server.count(ANSWER)
        opened = {"session": "s", "source": {"type": "items", "items": [1, 2, 3]}, "ifExists": "replace"}
        text = b"".join(request(n, "open", dict(opened, x="y" * 500)) for n in range(400))
        bad = b"Content-Length: 3\r\n\r\nbad" * 400
        server.send(text + bad + request(7, "sessions", {}))
        server.until(ANSWER, 801)
        self.assertIn(b'"count":3', server.tail)
        self.assertEqual(server.end(), 0)

    def test_a_full_disk_under_the_log_and_the_recording_stops_nobody(self):
        self.serve_on("--log", "/dev/full", "--log-level", "debug")
        self.serve_on("--record", "/dev/full")

    def test_the_longest_allowed_file_stops_nobody(self):
        """The system sends a signal with this one, whose default is to kill."""

        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            # Python ignores the signal, and children would inherit that.
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

        for option in ("--record", "--log"):
            with self.subTest(option):
                path = os.path.join(self.folder(), "file")
                self.serve_on(option, path, "--log-level", "debug", prepare=small)
                self.assertLessEqual(os.path.getsize(path), 4096)

    def test_with_little_memory_it_serves_and_what_is_too_much_ends_it_at_once(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (260 << 20, 260 << 20))

        server = self.pipes(prepare=little)
        server.count(ANSWER)
        for number in range(50):
            server.send(request(number, "open", {"session": "s%d" % number, "source": {"type": "synthetic", "count": None}}))
            server.send(request(number, "loadMore", {"session": "s%d" % number}))
        server.until(ANSWER, 100)
        # More than there is: whether it can be served or not, nobody waits for ever.
        server.send(request(1000, "open", {"session": "big", "source": {"type": "items", "items": ["x" * 55_000_000]}}))
        server.send(request(1001, "open", {"session": "big2", "source": {"type": "items", "items": ["x" * 55_000_000]}}))
        server.send(request(1002, "sessions", {}))
        until(lambda: server.is_ended or server.counts[ANSWER] >= 103, "an answer or an end")


def descendants(pid):
    """The processes below one, all generations."""
    found = []
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/children" % (pid, task)) as stream:
            for child in map(int, stream.read().split()):
                found += [child] + descendants(child)
    return found


if __name__ == "__main__":
    unittest.main()
