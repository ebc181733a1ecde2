"""A server for tests of `pagewire browse` that misbehaves to order. It knows one session and only what browse sends.

    browse_fake_server.py JSON

JSON is an object; all members may be left out:
  count          lines in the list (100)
  text           text of every line, "%d" is its number ("line %d")
  page_delay     seconds that a page takes (0)
  fail_page      number of a page whose load fails once (from 0)
  crash_page     the process ends, status 3, when this page is asked for
  kill_page      the same by SIGKILL
  raw_page       instead of this page, once, the text in `raw` is written
  start          "exit": ends at once with status 4; "garbage": writes what is no frame; "silent": never answers;
                 "echo": sends back what it gets
  open_error     message of an error that `open` is answered with
  stderr         text written to standard error at the start
"""
import json
import os
import signal
import sys
import time

SPEC = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}


def read_message(stream):
    length = None
    while True:
        line = stream.readline()
        if not line:
            return None
        line = line.strip()
        if not line:
            break
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(stream.read(length))


def send(message):
    body = json.dumps(dict(jsonrpc="2.0", **message), ensure_ascii=False).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


class Session:
    def __init__(self, params):
        self.name = params["session"]
        self.page_size = params.get("pageSize", 20)
        self.max_items = params.get("maxItems", 1 << 60)
        self.threshold = params.get("prefetchThreshold", 3)
        self.generation = 1
        self.first, self.end = 0, 0
        self.pages = 0
        self.failed = set()

    @property
    def count(self):
        return SPEC.get("count", 100)

    def facts(self):
        has_more = self.end < self.count
        phase = "items" if self.end else ("idle" if has_more else "empty")
        return {"count": self.end - self.first, "hasMore": has_more, "hasPrevious": self.first > 0,
                "paused": False, "phase": phase}

    def notify(self, method, **params):
        send({"method": method, "params": dict(session=self.name, generation=self.generation, **params)})

    def items(self, start, end):
        text = SPEC.get("text", "line %d")
        return [{"offset": n, "text": text.replace("%d", str(n))} for n in range(start, end)]

    def load(self, kind="more"):
        """Loads the next page; an error object where that fails."""
        if self.end >= self.count:
            return None
        first = self.pages == 0
        kind = "initial" if first else kind
        facts = self.facts()
        if first:
            facts["phase"] = "loadingFirst"
        self.notify("loading", kind=kind, isLoading=True, **facts)
        time.sleep(SPEC.get("page_delay", 0))
        number = self.pages
        if number == SPEC.get("crash_page"):
            os._exit(3)
        if number == SPEC.get("kill_page"):
            os.kill(os.getpid(), signal.SIGKILL)
        if number == SPEC.get("raw_page"):
            del SPEC["raw_page"]
            sys.stdout.write(SPEC["raw"])
            sys.stdout.flush()
            return None
        if number == SPEC.get("fail_page") and number not in self.failed:
            self.failed.add(number)
            error = {"code": 1004, "message": "the disk is on fire \u001b[31m", "data": {"name": "loadFailed"}}
            self.notify("loadFailed", kind=kind, error=error, attempt=1, willRetry=False)
            facts["phase"] = "failedFirst" if first else "items"
            self.notify("loading", kind=kind, isLoading=False, result="failed", **facts)
            return error
        start, self.end = self.end, min(self.end + self.page_size, self.count)
        self.pages += 1
        items = self.items(start, self.end)
        self.notify("pageAppended", page=number, start=start, items=items, ids=[i["offset"] for i in items],
                    duplicates=0, replaces=False, **self.facts())
        while self.end - self.first > self.max_items and self.end - self.first > self.page_size:
            dropped, self.first = self.first, self.first + self.page_size
            self.notify("pagesDropped", edge="start", **{"from": dropped, "to": self.first - 1}, **self.facts())
        self.notify("loading", kind=kind, isLoading=False, result="loaded", **self.facts())
        return None

    def load_previous(self):
        start, end = max(0, self.first - self.page_size), self.first
        self.notify("loading", kind="previous", isLoading=True, **self.facts())
        self.first = start
        items = self.items(start, end)
        self.notify("pagePrepended", page=-1, start=start, items=items, ids=[i["offset"] for i in items],
                    duplicates=0, replaces=False, **self.facts())
        self.notify("loading", kind="previous", isLoading=False, result="loaded", **self.facts())

    def refresh(self):
        self.notify("loading", kind="refresh", isLoading=True, **self.facts())
        self.generation += 1
        self.first, self.end = 0, min(self.page_size, self.count)
        items = self.items(0, self.end)
        self.notify("pageAppended", page=0, start=0, items=items, ids=[i["offset"] for i in items],
                    duplicates=0, replaces=True, **self.facts())
        self.notify("loading", kind="refresh", isLoading=False, result="loaded", **self.facts())

    def outcome(self, word):
        return {"outcome": word, "added": 0, "duplicates": 0, "generation": self.generation,
                **{k: v for k, v in self.facts().items() if k in ("count", "hasMore", "hasPrevious")}}


def main():
    if "stderr" in SPEC:
        sys.stderr.write(SPEC["stderr"])
        sys.stderr.flush()
    start = SPEC.get("start")
    if start == "exit":
        sys.exit(4)
    if start == "garbage":
        sys.stdout.write("hello, I am a program\n" * 3)
        sys.stdout.flush()
    session = None
    while True:
        message = read_message(sys.stdin.buffer)
        if message is None or message.get("method") == "exit":
            return
        if start == "silent":
            continue
        method, params, ident = message.get("method"), message.get("params") or {}, message.get("id")
        if start == "echo":
            message.pop("jsonrpc")
            send(message)
        elif method == "initialize":
            send({"id": ident, "result": {"serverInfo": {"name": "fake", "version": "0"}, "protocolVersion": "1.0"}})
        elif method == "open":
            if "open_error" in SPEC:
                send({"id": ident, "error": {"code": 1003, "message": SPEC["open_error"]}})
                continue
            session = Session(params)
            state = dict(session=session.name, generation=1, loading={}, total=None, **session.facts())
            send({"id": ident, "result": state})
            if params.get("autoload", True):
                session.load()
        elif session is None:
            if ident is not None:
                send({"id": ident, "error": {"code": 1001, "message": "no such session"}})
        elif method == "loadMore":
            had_more = session.end < session.count
            error = session.load()
            if error:
                send({"id": ident, "error": error})
            else:
                send({"id": ident, "result": session.outcome("loaded" if had_more else "ended")})
        elif method == "visibleRange":
            while session.end - 1 - params["last"] <= session.threshold and session.end < session.count:
                if session.load():
                    break
            if session.first > 0 and params["first"] - session.first <= session.threshold:
                session.load_previous()
        elif method == "refresh":
            session.refresh()
            send({"id": ident, "result": session.outcome("loaded")})
        elif ident is not None:
            send({"id": ident, "result": None})


try:
    main()
except BrokenPipeError:
    # The client has gone; nothing is left to be flushed either.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
