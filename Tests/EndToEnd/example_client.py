#!/usr/bin/env python3
"""Prints every line of a file through a Pagewire session: python3 example_client.py FILE [server command]"""

import json
import subprocess
import sys

server = subprocess.Popen(sys.argv[2:] or ["pagewire"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


send(id=1, method="open", params={"session": "s", "source": {"type": "file", "path": sys.argv[1], "format": "lines"}})
while header := server.stdout.readline():
    server.stdout.readline()
    message = json.loads(server.stdout.read(int(header[16:])))
    params = message.get("params", {})
    if error := message.get("error") or params.get("error"):
        sys.exit(error["message"])
    for item in params.get("items", []):
        print(item["text"])
    if message.get("method") == "loading" and not params["isLoading"]:
        if not params["hasMore"]:
            break
        send(method="itemAppeared", params={"session": "s", "position": params["count"] - 1})
