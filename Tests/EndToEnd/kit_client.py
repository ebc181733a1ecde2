"""A small list on a text screen, for tests of the conformance kit: right by default, and wrong to order.

It restarts its server, keeps a resume token, and shows all that the kit looks for. `faults` names what it does wrong.
"""

import json
import subprocess
import threading

FAULTS = {
    "ignores replaces": "adds a page that stands for the whole list to the old one",
    "never retries": "has a button for it that does nothing",
    "repeats ids": "gives each request the same id",
    "keeps the loader": "never takes the loader down when a load was superseded or failed",
    "shows empty too early": "says that there is nothing while the first page is loading",
    "counts positions itself": "takes the list's generation from `loading`, and counts positions from its own items",
    "forgets to report": "reports what is visible once only",
    "ignores requests": "never answers a request it does not know",
    "ignores the version": "goes on with a server of another major version",
    "ignores drops": "keeps items that were dropped",
    "appends what is prepended": "puts an earlier page at the end",
    "hides errors": "shows no error",
    "trusts decisions": "fails on a decision that it does not know",
    "asks for no token": "cannot come back to its place",
    "cannot lose its server": "shows nothing when the server has gone",
}
DECISIONS = "stale loading empty unknown idle disabled refreshing ended latched paused started".split()


class ListClient:
    def __init__(self, server, faults=()):
        self.server, self.faults = server, set(faults)
        assert self.faults <= set(FAULTS), faults
        self.lock = threading.RLock()
        self.items, self.errors, self.loading = {}, {}, set()
        self.facts, self.generation = {"phase": "loadingFirst", "hasMore": True}, 1
        self.log = []  # (whether it is ours, message)
        self.notice, self.token, self.reported, self.process, self.isQuitting = "", None, None, None, False
        self.start()

    # The server

    def start(self):
        self.last_id, self.waiting, self.isOpen = 0, {}, False
        self.process = subprocess.Popen([self.server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.reader = threading.Thread(target=self.read, args=(self.process,), daemon=True)
        self.reader.start()
        self.request("initialize", {"clientInfo": {"name": "kit client"}}, self.initialized)

    def send(self, message):
        self.log.append((True, {"jsonrpc": "2.0", **message}))
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.process.stdin.flush()
        except (OSError, ValueError):
            pass  # the end of its output says more

    def request(self, method, params, then=lambda answer: None):
        with self.lock:
            self.last_id += 0 if "repeats ids" in self.faults and self.last_id else 1
            self.waiting[self.last_id] = then
            self.send({"id": self.last_id, "method": method, "params": params})

    def ask(self, method, **params):
        self.request(method, {"session": "list", **params}, self.answered)

    def read(self, process):
        while True:
            header = process.stdout.readline()
            if not header:
                break
            process.stdout.readline()
            body = process.stdout.read(int(header.split(b":")[1]))
            with self.lock:
                self.take(json.loads(body))
        with self.lock:
            if not self.isQuitting and not self.notice and "cannot lose its server" not in self.faults:
                self.loading.clear()
                self.notice = "The server is gone; s starts it again."

    def take(self, message):
        self.log.append((False, message))
        if "method" not in message:
            self.waiting.pop(message["id"], lambda answer: None)(message)
        elif "id" in message:
            if "ignores requests" not in self.faults:
                self.send({"id": message["id"], "error": {"code": -32601, "message": "There is no %s here." % message["method"]}})
        else:
            handler = getattr(self, "on_" + message["method"].replace("$/", ""), None)
            if handler and message["params"].get("session") == "list":
                handler(message["params"])
                self.report()

    # Answers

    def initialized(self, answer):
        version = answer["result"]["protocolVersion"]
        if version.split(".")[0] != "1" and "ignores the version" not in self.faults:
            self.notice = "The server speaks version %s of the protocol, not 1." % version
            return self.process.stdin.close()
        more = {"resume": self.token} if self.token else {}
        self.request("open", {"session": "list", "source": {"type": "client"}, "maxItems": 1000, **more}, self.opened)

    def opened(self, answer):
        if "error" in answer:
            self.errors["open"] = answer["error"]["message"]
            self.facts["phase"] = "idle"
            return
        self.items, self.errors, self.isOpen = {}, {}, True
        self.facts, self.generation = answer["result"], answer["result"]["generation"]

    def answered(self, answer):
        decision = answer.get("result", {}).get("decision", "idle")
        if "trusts decisions" in self.faults and decision not in DECISIONS:
            raise SystemExit("what is %s?" % decision)  # ends the thread that reads

    # Notifications

    def on_loading(self, params):
        kind = params["kind"]
        if "counts positions itself" in self.faults:
            self.generation = params["generation"]
        if params["isLoading"]:
            self.loading.add(kind)
            self.errors.pop(kind, None)
        elif "keeps the loader" not in self.faults or params["result"] == "loaded":
            self.loading.discard(kind)
        self.take_facts(params)

    def on_loadFailed(self, params):
        if not params["willRetry"] and "hides errors" not in self.faults:
            self.errors[params["kind"]] = params["error"]["message"]

    def on_pageAppended(self, params):
        if params["replaces"] and "ignores replaces" not in self.faults:
            self.items, self.errors = {}, {}
        start = params["start"]
        if "ignores replaces" in self.faults or "counts positions itself" in self.faults:
            start = max(self.items, default=-1) + 1
        self.add(params, start)

    def on_pagePrepended(self, params):
        start = params["start"]
        if "appends what is prepended" in self.faults:
            start = max(self.items) + 1
        self.add(params, start)

    def add(self, params, start):
        self.items.update((start + index, item) for index, item in enumerate(params["items"]))
        self.generation = params["generation"]
        self.take_facts(params)
        if self.items and "asks for no token" not in self.faults:
            self.request("state", {"session": "list", "resume": True}, self.keep_token)

    def keep_token(self, answer):
        self.token = answer.get("result", {}).get("resume", self.token)

    def on_pagesDropped(self, params):
        if "ignores drops" not in self.faults:
            for position in range(params["from"], params["to"] + 1):
                self.items.pop(position, None)
        self.take_facts(params)

    def on_cleared(self, params):
        self.items, self.errors, self.generation = {}, {}, params["generation"]
        self.take_facts(params)

    def take_facts(self, params):
        self.facts = {**self.facts, **{name: params[name] for name in ("count", "hasMore", "paused", "phase") if name in params}}

    def report(self):
        if not self.items or (self.reported and "forgets to report" in self.faults):
            return
        now = (min(self.items), max(self.items), self.generation)
        if now != self.reported:
            self.reported = now
            self.ask("visibleRange", first=now[0], last=now[1], generation=now[2])

    # What a person sees and does

    def screen(self):
        with self.lock:
            rows = [self.items[position] for position in sorted(self.items)]
            rows += [message + " (enter: again)" for message in self.errors.values()]
            if self.loading or self.facts["phase"] == "loadingFirst" and not self.notice and not self.errors:
                rows.append("Loading ...")
            if not self.items and not self.errors and (self.facts["phase"] == "empty" or "shows empty too early" in self.faults):
                rows.append("No items.")
            if self.facts.get("paused"):
                rows.append("Nothing new was found (enter: go on).")
            return "\n".join(rows + [self.notice])

    def refresh(self):
        self.ask("refresh")

    def retry(self):
        if "never retries" not in self.faults:
            self.ask("loadMore")

    def restart(self):
        with self.lock:
            self.notice, self.reported = "", None
            self.facts["phase"] = "loadingFirst"
        self.process.stdin.close()
        self.reader.join()
        self.start()

    def quit(self):
        self.isQuitting = True
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.wait(10)

    def stop(self):
        self.isQuitting = True
        self.process.kill()
        self.process.wait(10)
        self.reader.join(10)
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except OSError:
                pass
