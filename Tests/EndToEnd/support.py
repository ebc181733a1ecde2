"""What the test files share: a test case that looks after servers and files, and small front-end sources."""

import os
import shutil
import subprocess
import tempfile
import unittest

from pagewire_client import BINARY, LIMIT, RPCError, Server
from strict_json import Message, StrictFrames, batch_or_message

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, BAD_PARAMS, CANCELLED = -32700, -32600, -32601, -32602, -32800
NOT_FOUND, EXISTS, UNAVAILABLE, LOAD_FAILED, CHANGED, CYCLE, TIMEOUT, LIMIT_EXCEEDED, REFUSED, BAD_PAGE = range(
    1001, 1011
)
NO_RETRY = {"retries": 0}
SLOW_RETRY = {"retries": 5, "initialDelayMs": 600_000, "maxDelayMs": 600_000, "jitter": 0}
QUICK_RETRY = {"retries": 2, "initialDelayMs": 1, "maxDelayMs": 5, "multiplier": 1, "jitter": 0}


class EndToEndCase(unittest.TestCase):
    maxDiff = 4000

    def server(self, *arguments, **options):
        """A server that must end in good order, without a rule broken, when the test is over."""
        server = Server(*arguments, **options)
        self.addCleanup(server.finish)
        return server

    def folder(self):
        path = tempfile.mkdtemp(prefix="pagewire-test-")
        self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        return path

    def file(self, content, name="file.txt"):
        path = os.path.join(self.folder(), name)
        with open(path, "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def refused(self, code, call, *arguments, **members):
        """The error that a call must be refused with."""
        with self.assertRaises(RPCError) as caught:
            call(*arguments, **members)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return caught.exception

    def assert_names(self, error, pointer):
        """The error names the member by JSON Pointer and says what was expected."""
        self.assertEqual(error.data.get("pointer"), pointer, str(error))
        self.assertTrue(error.data.get("expected"), str(error))

    def open_client(self, server, session="s", first=None, **members):
        """A session on a `client` source; with `first` its first page is answered with these members."""
        members.setdefault("retry", NO_RETRY)
        since = server.mark()
        state = server.open(session, {"type": "client"}, **members)
        if first is not None:
            server.next_fetch(session).answer(**first)
            server.wait_loaded(session, since)
        return state

    def assert_idle(self, server, session="s"):
        """Nothing loads, and nothing was asked for that nobody took."""
        server.barrier()
        self.assertEqual(server.model(session).loading, {})
        self.assertEqual([fetch.params for fetch in server.fetches if fetch.params["session"] == session], [])

    def scroll_to_end(self, server, session="s", limit=10_000):
        """Appears the last item again and again until the list has ended, as a front end at the bottom does."""
        server.barrier()
        model = server.model(session)
        for _ in range(limit):
            server.until(lambda: not model.loading, "loads of %s end" % session)
            server.barrier()
            if model.loading:
                continue
            if not model.facts["hasMore"]:
                return model
            if not model.items:
                self.fail("nothing loaded, nothing loading, and it has not ended: %r" % model.facts)
            decision = server.call("itemAppeared", {"session": session, "position": model.last})["decision"]
            self.assertIn(decision, ("started", "loading", "ended"))
        self.fail("no end after %d loads" % limit)


def talk(data, *arguments, limit=LIMIT):
    """Everything a server says to `data` followed by the end of input: (messages, exit status)."""
    done = subprocess.run(
        [BINARY, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit
    )
    frames = StrictFrames()
    bodies = frames.feed(done.stdout)
    frames.finish()
    return [[Message(text) for text in batch_or_message(body)] for body in bodies], done.returncode


def numbered(first, number):
    return [{"id": index} for index in range(first, first + number)]


class Book:
    """A source of `total` items for `Server.serve`: pages of the sizes given (the last size repeats), with cursors."""

    def __init__(self, total, sizes, with_cursor=True):
        self.total = total
        self.sizes = sizes
        self.with_cursor = with_cursor
        self.calls = []

    def __call__(self, params):
        self.calls.append(params)
        at = (params["cursor"] or [0])[0] if self.with_cursor else params["offset"]
        size = self.sizes[min(len(self.calls), len(self.sizes)) - 1]
        end = min(self.total, at + size)
        page = {"items": numbered(at, end - at)}
        if self.with_cursor:
            # The number of the call makes each cursor a new one, so that an empty page is no cycle.
            page["next"] = [end, len(self.calls)] if end < self.total else None
        return page


def children(pid):
    """The programs that a process has started and that still run."""

    def command(process):
        try:
            with open("/proc/%d/cmdline" % process, "rb") as stream:
                return stream.read()
        except OSError:
            return b""

    found = []
    # Each thread has the children that it has started itself.
    for task in os.listdir("/proc/%d/task" % pid):
        try:
            with open("/proc/%d/task/%s/children" % (pid, task)) as stream:
                found += [int(child) for child in stream.read().split()]
        except FileNotFoundError:
            pass
    # What is but a copy of the process is none: on a busy machine the one that starts the guard is there for a while.
    return [child for child in found if command(child) != command(pid)]


def memory_kib(pid, what="VmRSS"):
    with open("/proc/%d/status" % pid) as stream:
        return next(int(line.split()[1]) for line in stream if line.startswith(what + ":"))
