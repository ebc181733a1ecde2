"""A server on Python's standard library: frames, `json`, a dictionary of sessions, the position held against the zone.

A `page` goes through it as it does through a pagination server: its items are read, and passed on with their ids.
`nextPage` does the same with the next lines of a file of JSON lines.
"""

import itertools
import json
import sys

sessions = {}
files = {}


def page(items):
    return {"ids": [item["id"] for item in items], "items": items}


def result(method, params):
    if method == "itemAppeared":
        session = sessions[params["session"]]
        position = params["position"]
        session["last"] = position
        in_zone = position >= session["count"] - session["zone"]
        return {"decision": "load" if in_zone else "idle", "position": position}
    if method == "open":
        sessions[params["session"]] = {"count": 1000, "zone": 200, "last": None}
        return {}
    if method == "page":
        return page(params["items"])
    if method == "nextPage":
        path = params["path"]
        if params["isFirst"]:
            files[path] = open(path, "rb")
        return page([json.loads(line) for line in itertools.islice(files[path], params["count"])])
    return {"serverInfo": {"name": "Python", "version": "1"}}


stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
while header := stdin.readline():
    while stdin.readline() != b"\r\n":
        pass
    message = json.loads(stdin.read(int(header.split(b":")[1])))
    value = result(message["method"], message["params"])
    if "id" in message:
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": value}, ensure_ascii=False, separators=(",", ":"))
        body = body.encode()
        stdout.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stdout.flush()
