"""Counts the instructions that the server spends on an operation, and fails where one costs more than bounds.json allows.

    python3 Tests/Instructions/check.py [--update] [PAGEWIRE]

Instructions are counted by callgrind, so the figures hardly depend on the machine's speed or on what else it does: each is the
difference between a long run and a short one, divided by the operations between them. A bound is a figure that was measured
and a tenth more. `--update` writes what is measured now.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BOUNDS = os.path.join(HERE, "bounds.json")
MARGIN = 1.1


class Server:
    """A server under callgrind, and as much of a client as is needed."""

    def __init__(self, binary, folder):
        self.counts = os.path.join(folder, "callgrind.out")
        # Without a fixed environment and addresses the counts differ by a tenth of a percent.
        command = ["setarch", "-R", "valgrind", "--tool=callgrind", "--callgrind-out-file=" + self.counts, "-q", binary]
        environment = {"PATH": os.environ["PATH"], "SWIFT_DETERMINISTIC_HASHING": "1"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def send(self, *messages):
        bodies = [json.dumps(message, separators=(",", ":")).encode() for message in messages]
        self.process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies))
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        length = int(line.split(b":")[1])
        self.process.stdout.readline()
        return json.loads(self.process.stdout.read(length))

    def answer(self, number):
        """The answer of a request; pages that the server asks for meanwhile are given."""
        while True:
            message = self.read()
            if message.get("method") == "fetchPage":
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": self.page(message["params"]["page"])})
            elif message.get("id") == number:
                if "error" in message:
                    raise SystemExit("an answer is an error: %s" % message["error"])
                return message["result"]

    @staticmethod
    def page(number):
        items = [{"id": number * 1000 + at, "name": "item %d" % at, "text": "x" * 300} for at in range(1000)]
        return {"items": items, "next": str(number + 1)}

    def total(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise SystemExit("the server ended with status %d" % self.process.returncode)
        with open(self.counts) as stream:
            return int(re.search(r"^(?:summary|totals): (\d+)", stream.read(), re.M).group(1))


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def open_items(server):
    server.send(request(1, "open", session="s", source={"type": "items", "items": list(range(1000))}, pageSize=1000))
    server.answer(1)


def notifications(server, count):
    open_items(server)
    message = {"jsonrpc": "2.0", "method": "itemAppeared", "params": {"session": "s", "position": 17}}
    for _ in range(count // 100):
        server.send(*[message] * 100)
    server.send(request(2, "state", session="s"))
    server.answer(2)


def requests(server, count):
    open_items(server)
    for number in range(2, count + 2):
        server.send(request(number, "itemAppeared", session="s", position=17))
        server.answer(number)


def client_pages(server, count):
    server.send(request(1, "open", session="s", source={"type": "client"}, pageSize=1000, autoload=False))
    server.answer(1)
    load(server, count)


def file_pages(server, count):
    lines = ("line %d, with some words in it\n" % number for number in range(100 * (count + 2)))
    load_file(server, count, lines, format="lines", page_size=100)


def jsonl_pages(server, count):
    items = (json.dumps(item) + "\n" for number in range(count + 2) for item in server.page(number)["items"])
    load_file(server, count, items, format="jsonl", page_size=1000)


def load_file(server, count, lines, format, page_size):
    with tempfile.NamedTemporaryFile("w") as stream:
        stream.writelines(lines)
        stream.flush()
        source = {"type": "file", "path": stream.name, "format": format}
        server.send(request(1, "open", session="s", source=source, pageSize=page_size, autoload=False))
        server.answer(1)
        load(server, count)


def load(server, count):
    for number in range(2, count + 2):
        server.send(request(number, "loadMore", session="s"))
        server.answer(number)


# Name: what is done, and how often in the short and in the long run.
OPERATIONS = {
    "notification": (notifications, 1000, 6000),
    "request": (requests, 200, 1200),
    "client page of 1,000 items": (client_pages, 2, 8),
    "file page of 100 lines": (file_pages, 20, 120),
    "jsonl page of 1,000 items": (jsonl_pages, 2, 8),
}


def measure(binary, work, few, many):
    totals = []
    for count in (few, many):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(binary, folder)
            work(server, count)
            totals.append(server.total())
    return (totals[1] - totals[0]) / (many - few)


def main(arguments):
    updates = "--update" in arguments
    paths = [argument for argument in arguments if argument != "--update"]
    binary = os.path.abspath((paths or [os.environ.get("PAGEWIRE", ".build/release/pagewire")])[0])
    with open(BOUNDS) as stream:
        bounds = json.load(stream)
    failed = 0
    for name, (work, few, many) in OPERATIONS.items():
        found = round(measure(binary, work, few, many))
        if updates:
            bounds[name] = round(found * MARGIN)
        is_over = found > bounds[name]
        failed += is_over
        print("%-28s %12s instructions, bound %12s%s" % (name, f"{found:,}", f"{bounds[name]:,}", "  TOO MANY" if is_over else ""))
    if updates:
        with open(BOUNDS, "w") as stream:
            json.dump(bounds, stream, indent=2)
            stream.write("\n")
    print("%d passed, %d failed" % (len(OPERATIONS) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
