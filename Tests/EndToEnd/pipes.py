"""A server on plain pipes for tests of quantity: bytes in, counts out, nothing parsed that need not be."""

import os
import queue
import subprocess
import threading
import time

from pagewire_client import BINARY, LIMIT
from strict_json import dumps, frame


def request(number, method, params):
    return frame('{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}' % (number, method, dumps(params)))


class Pipes:
    """Writes from one thread and counts from another, so that neither side of the pipes can stand still for the other."""

    def __init__(self, *arguments, environment=None, prepare=None, stderr=subprocess.DEVNULL):
        self.process = subprocess.Popen(
            [BINARY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0,
            env=environment, preexec_fn=prepare,
        )  # fmt: skip
        self.received = 0
        self.counts = {}
        self.tail = b""
        self.is_ended = False
        self._changed = threading.Condition()
        self._outgoing = queue.Queue()
        threading.Thread(target=self._write, daemon=True).start()
        threading.Thread(target=self._read, daemon=True).start()

    def count(self, *marks):
        """Which pieces of text are counted from now on; none of them may hold another's end."""
        for mark in marks:
            self.counts[mark] = 0

    def send(self, data):
        self._outgoing.put(data)

    def _write(self):
        while True:
            view = memoryview(self._outgoing.get())
            try:
                while len(view):
                    view = view[os.write(self.process.stdin.fileno(), view) :]
            except (OSError, ValueError):
                return

    def _read(self):
        longest = 200
        while True:
            try:
                data = os.read(self.process.stdout.fileno(), 1 << 20)
            except (OSError, ValueError):
                data = b""
            with self._changed:
                for mark in self.counts:
                    # What lies across the border between two reads counts once: with the second.
                    border = self.tail[-len(mark) + 1 :] + data
                    self.counts[mark] += border.count(mark)
                self.received += len(data)
                self.tail = (self.tail + data)[-longest:]
                self.is_ended = not data
                self._changed.notify_all()
            if not data:
                return

    def until(self, mark, number, limit=LIMIT):
        """Waits until `mark` has been read so often."""
        deadline = time.monotonic() + limit
        with self._changed:
            while self.counts[mark] < number:
                if self.is_ended or time.monotonic() > deadline:
                    raise AssertionError("%d of %d %r; ended: %s" % (self.counts[mark], number, mark, self.is_ended))
                self._changed.wait(0.5)

    def memory_kib(self, name="VmRSS"):
        with open("/proc/%d/status" % self.process.pid) as stream:
            return int(next(line for line in stream if line.startswith(name)).split()[1])

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def end(self, limit=LIMIT):
        """Closes the input; the exit status."""
        self.process.stdin.close()
        return self.process.wait(limit)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()
