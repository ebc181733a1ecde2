"""A loop over a log, as one would write it by hand: the same frames in and out, a page of lines for each request.

argv: how many bytes of the file to read.
"""

import json
import sys

limit = int(sys.argv[1])
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
file, size, offset, start = None, 0, 0, 0


def send(message):
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    stdout.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def send_page():
    global offset, start
    items = []
    while len(items) < size and offset < limit:
        line = file.readline()
        items.append({"offset": offset, "text": line[:-1].decode("utf-8", "replace")})
        offset += len(line)
    if items:
        ids = [item["offset"] for item in items]
        params = {"session": "s", "start": start, "items": items, "ids": ids, "count": start + len(items)}
        send({"jsonrpc": "2.0", "method": "pageAppended", "params": {**params, "hasMore": offset < limit}})
    start += len(items)
    return len(items)


while header := stdin.readline():
    stdin.readline()
    message = json.loads(stdin.read(int(header.split(b":")[1])))
    if message["method"] == "open":
        file, size = open(message["params"]["source"]["path"], "rb"), message["params"]["pageSize"]
        send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
        send_page()
    else:
        send({"jsonrpc": "2.0", "id": message["id"], "result": {"added": send_page()}})
    stdout.flush()
