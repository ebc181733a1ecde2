#!/usr/bin/env python3
"""A provider that does what the `params` of a source say, good and bad; it notes all that it is told in a file.

`pages`: what each call answers, the last one for ever; an entry is a result's members or one of
  {"$crash": status} {"$kill": signal} {"$raw": text} {"$error": {...}} {"$hang": true} {"$hold": n} {"$big": bytes}
  {"$stderr": bytes} {"$exit": true} {"$result": any}
`$hold` answers only when n calls are held, the last first. `open`: what `openSource` answers, the same way.
"""

import json
import os
import signal
import sys

NOTES = os.environ.get("PROVIDER_NOTES")
held = []
pages = {}
calls = {}


def note(what):
    if NOTES:
        with open(NOTES, "a") as stream:
            stream.write(json.dumps(dict(what, pid=os.getpid())) + "\n")


def read():
    length = None
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            return None
        if line in (b"\r\n", b"\n"):
            return sys.stdin.buffer.read(length)
        length = int(line.split(b":")[1])


def write(body):
    body = body.encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def answer(identifier, what):
    def send(member, value):
        write('{"jsonrpc":"2.0","id":%d,"%s":%s}' % (identifier, member, json.dumps(value)))

    if "$crash" in what:
        print("the last words", file=sys.stderr, flush=True)
        os._exit(what["$crash"])
    elif "$kill" in what:
        os.kill(os.getpid(), what["$kill"])
        signal.pause()
    elif "$raw" in what:
        sys.stdout.buffer.write(what["$raw"].replace("$id", str(identifier)).encode())
        sys.stdout.buffer.flush()
    elif "$body" in what:
        write(what["$body"].replace("$id", str(identifier)))
    elif "$error" in what:
        send("error", what["$error"])
    elif "$hang" in what:
        pass
    elif "$hold" in what:
        held.append(identifier)
        if len(held) == what["$hold"]:
            for each in reversed(held):
                write('{"jsonrpc":"2.0","id":%d,"result":{"items":[%d],"next":null}}' % (each, each))
            held.clear()
    elif "$big" in what:
        send("result", {"items": ["x" * what["$big"]], "next": None})
    elif "$stderr" in what:
        os.write(2, b"e" * 99 + b"\n")
        for _ in range(what["$stderr"] // 1000):
            sys.stderr.write("e" * 99 + "\n" if _ % 10 else "e" * 999 + "\n")
        sys.stderr.flush()
        send("result", {"items": [1], "next": None})
    elif "$result" in what:
        send("result", what["$result"])
    else:
        send("result", what)


note({"started": sys.argv, "stdin": os.readlink("/proc/self/fd/0")[:4]})
while True:
    text = read()
    if text is None:
        note({"ended": True})
        break
    message = json.loads(text)
    note({"message": message, "text": text.decode()})
    method, params = message.get("method"), message.get("params") or {}
    if method == "openSource":
        script = params["source"].get("params") or {}
        pages[params["session"]] = list(script.get("pages", [{"items": [], "next": None}]))
        answer(message["id"], script.get("open", {"$result": None}))
        if "ask" in script:
            write(json.dumps({"jsonrpc": "2.0", "id": "mine", "method": script["ask"]}))
            write(json.dumps({"jsonrpc": "2.0", "method": "$/progress", "params": {}}))
    elif method == "fetchPage":
        script = pages[params["session"]]
        answer(message["id"], script.pop(0) if len(script) > 1 else script[0])
