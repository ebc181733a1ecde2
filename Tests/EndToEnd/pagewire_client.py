"""A test client: spawns a server over pipes, is strict about what it emits, and keeps a model of every session."""

import collections
import fcntl
import json
import os
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time

import schemas
from invariants import Conversation
from library_lists import LibraryLists
from strict_json import Message, ProtocolViolation, StrictFrames, batch_or_message, dumps, frame

from pagewire import Pipes

BINARY = os.environ.get("PAGEWIRE") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", ".build", "release", "pagewire"
)
# A failure limit, never a wait: what a test waits for comes as a message.
LIMIT = float(os.environ.get("PAGEWIRE_TEST_LIMIT", "30"))
_ABSENT = object()


class RPCError(Exception):
    """An error response."""

    def __init__(self, error):
        super().__init__("%s: %s %s" % (error["code"], error["message"], error.get("data")))
        self.code = error["code"]
        self.message = error["message"]
        self.data = error.get("data") or {}


class Fetch:
    """One `fetchPage` of the server; the test answers it when and how it likes."""

    def __init__(self, server, message):
        self.server = server
        self.raw_id = message.raw["id"]
        self.id = message["id"]
        self.params = message.params

    def answer(self, items=(), **members):
        members["items"] = list(items)
        self.answer_text(dumps(members))

    def answer_text(self, result):
        """Answers with a result given as exact JSON text."""
        self._send('"result":' + result)

    def fail(self, code=-32000, message="The test says no.", **data):
        error = {"code": code, "message": message}
        if data:
            error["data"] = data
        self._send('"error":' + dumps(error))

    def _send(self, member):
        self.server.send_text('{"jsonrpc":"2.0","id":%s,%s}' % (self.raw_id, member))


class Server:
    """A running server. Messages are kept in `log` in their order; waiting is for messages, never for time.

    The pipes are those of the Python client, which also keeps its own lists of what the server says; these are compared
    with the stricter model here after each message.
    """

    def __init__(self, *arguments, check=True, stderr="file", command=None, environment=None):
        self.check = check
        self.conversation = Conversation()
        self.schemas = schemas.Conversation()
        self.lists = LibraryLists()
        self.log = []
        self.answers = {}
        self.fetches = []
        self.handlers = {}
        self.problem = None
        self.told = False
        self.ended = False
        self._changed = threading.Condition()
        self._next_id = 0
        self._frames = StrictFrames()
        self.stderr_file = tempfile.TemporaryFile() if stderr == "file" else None
        command = list(command or [BINARY]) + list(arguments)
        self.pipes = Pipes(command, self._data, self._end, stderr=self.stderr_file or stderr, env=environment)
        self.process = self.pipes.process
        self.pipes.start()

    # Reading.

    def _data(self, data):
        if self.problem:
            return
        try:
            for body in self._frames.feed(data):
                for text in batch_or_message(body):
                    self._receive(Message(text))
        except BaseException as error:  # noqa: B902 (kept for the test that waits)
            self._fault(error)

    def _end(self, status, said):
        try:
            self._frames.finish()
        except ProtocolViolation as error:
            self._fault(error)
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def _fault(self, error):
        with self._changed:
            self.problem = self.problem or error
            self._changed.notify_all()

    def _receive(self, message):
        handler = None
        with self._changed:
            self.log.append(message)
            if self.check:
                try:
                    self.schemas.received(message)
                    self.conversation.received(message)
                    self.lists.received(message, self.conversation.sessions)
                except (ProtocolViolation, KeyError, TypeError) as error:
                    text = "%s: %s\n  at %r" % (type(error).__name__, error, message)
                    self.problem = self.problem or ProtocolViolation(text)
            if message.kind == "response":
                self.answers.setdefault(message.raw["id"], []).append(message)
            elif message.kind == "request" and message.method == "fetchPage":
                fetch = Fetch(self, message)
                self.fetches.append(fetch)
                handler = self.handlers.get(message.params["session"])
            self._changed.notify_all()
        if handler is not None:
            handler(fetch)

    # Sending.

    def send_raw(self, data):
        self.pipes.write(bytes(data))

    def send_text(self, body):
        self.send_raw(frame(body))

    def message_text(self, method, params=_ABSENT, raw_id=None):
        parts = ['"jsonrpc":"2.0"']
        if raw_id is not None:
            parts.append('"id":' + raw_id)
        parts.append('"method":' + dumps(method))
        if params is not _ABSENT:
            parts.append('"params":' + (params if isinstance(params, str) else dumps(params)))
        return "{%s}" % ",".join(parts)

    def request(self, method, params=_ABSENT, raw_id=None):
        """Sends a request, `params` as a value or as exact text; the answer is had by `wait`."""
        with self._changed:
            if raw_id is None:
                self._next_id += 1
                raw_id = str(self._next_id)
            if self.check:
                value = json.loads(params) if isinstance(params, str) else params
                self.conversation.sent(raw_id, method, value)
                self.schemas.sent(raw_id, method, None if value is _ABSENT else value)
            self.answers.pop(raw_id, None)
            self.send_text(self.message_text(method, params, raw_id))
        return raw_id

    def notify(self, method, params=_ABSENT):
        self.send_text(self.message_text(method, params))

    def end_input(self):
        """Closes stdin once everything queued is written."""
        self.pipes.write(None)

    def consumed(self):
        """Waits until the server has read every byte sent so far, so that what follows comes in a read of its own."""
        deadline = time.monotonic() + LIMIT
        while self.pipes.outgoing.unfinished_tasks or self._unread():
            if time.monotonic() > deadline:
                raise AssertionError("the server does not read")
            os.sched_yield() if hasattr(os, "sched_yield") else time.sleep(0)

    def _unread(self):
        return struct.unpack("i", fcntl.ioctl(self.process.stdin.fileno(), termios.FIONREAD, b"\0" * 4))[0]

    # Waiting.

    def until(self, condition, what, limit=None):
        """Waits until `condition()` gives something true, which is returned; every message is a new look."""
        deadline = time.monotonic() + (limit or LIMIT)
        with self._changed:
            while True:
                if self.problem:
                    self.told = True
                    raise self.problem
                found = condition()
                if found:
                    return found
                left = deadline - time.monotonic()
                if self.ended:
                    raise AssertionError("the server ended before: %s\n%s" % (what, self.diagnosis()))
                if left <= 0:
                    raise AssertionError("not within %g s: %s\n%s" % (limit or LIMIT, what, self.diagnosis()))
                self._changed.wait(left)

    def wait_response(self, raw_id, limit=None):
        return self.until(lambda: self.answers.get(raw_id), "answer to %s" % raw_id, limit)[0]

    def wait(self, raw_id, limit=None):
        message = self.wait_response(raw_id, limit)
        if "error" in message.members:
            raise RPCError(message["error"])
        return message["result"]

    def call(self, method, params=_ABSENT, limit=None):
        return self.wait(self.request(method, params), limit)

    def wait_notification(self, method, since=0, limit=None, **members):
        """The first notification from log index `since` on that has these members."""

        def find():
            for message in self.log[since:]:
                if message.kind == "notification" and message.method == method:
                    if all(message.params.get(key, _ABSENT) == value for key, value in members.items()):
                        return message
            return None

        return self.until(find, "%s with %r" % (method, members), limit)

    def wait_loaded(self, session, since=0, **members):
        """Waits for the end of a load: `loading` false."""
        return self.wait_notification("loading", since, session=session, isLoading=False, **members)

    def next_fetch(self, session=None, limit=None):
        """The next `fetchPage` that no call of this took yet."""

        def find():
            for index, fetch in enumerate(self.fetches):
                if session is None or fetch.params["session"] == session:
                    return self.fetches.pop(index)
            return None

        return self.until(find, "fetchPage of %s" % session, limit)

    def wait_cancelled(self, fetch):
        self.until(lambda: self.was_cancelled(fetch), "$/cancelRequest of fetch %s" % fetch.raw_id)

    def was_cancelled(self, fetch):
        return any(message.method == "$/cancelRequest" and message.params["id"] == fetch.id for message in self.log)

    def serve(self, session, answer):
        """Answers every `fetchPage` of a session at once: `answer(params)` gives the result's members."""

        def handle(fetch):
            self.fetches.remove(fetch)
            result = answer(fetch.params)
            if isinstance(result, Exception):
                fetch.fail(message=str(result))
            else:
                fetch.answer_text(result if isinstance(result, str) else dumps(result))

        self.handlers[session] = handle

    # Convenience.

    def open(self, session, source, **members):
        return self.call("open", dict(members, session=session, source=source))

    def model(self, session):
        return self.conversation.sessions[session]

    def barrier(self):
        """Everything sent before has been handled, and what it caused at once has been read, when this returns."""
        return self.call("sessions", {})

    def notifications(self, session, since=0):
        return [
            message
            for message in list(self.log)[since:]
            if message.kind == "notification" and message.params.get("session") == session
        ]

    def mark(self):
        return len(self.log)

    # The end.

    def wait_exit(self, limit=None):
        """The exit status, once the server has ended and all its output has been read."""
        try:
            status = self.process.wait(limit or LIMIT)
        except subprocess.TimeoutExpired:
            raise AssertionError("the server does not end\n" + self.diagnosis())
        self.pipes.join()
        if self.problem:
            raise self.problem
        return status

    def finish(self):
        """Ends the server in an orderly way and says what was wrong with it, if anything."""
        try:
            if self.process.poll() is None and not self.problem:
                self.wait_response(self.request("shutdown", raw_id='"finish"'))
                self.notify("exit")
                status = self.wait_exit()
                if status != 0:
                    raise AssertionError("exit status %d after shutdown\n%s" % (status, self.diagnosis()))
            if self.problem and not self.told:
                raise self.problem
            self.lists.finish()
        finally:
            self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.pipes.join()
        if self.stderr_file:
            self.stderr_file.close()

    def stderr_text(self):
        if not self.stderr_file or self.stderr_file.closed:
            return ""
        return os.pread(self.stderr_file.fileno(), 4000, 0).decode("utf-8", "replace")

    def diagnosis(self):
        tail = "\n".join("  < %r" % message for message in collections.deque(self.log, 8))
        return "last messages:\n%s\nstatus %s, stderr: %s" % (tail, self.process.poll(), self.stderr_text())
