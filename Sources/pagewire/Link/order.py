#!/usr/bin/env python3
r"""Prints start.order: what a start of the server touches, in that order, for the linker to lay together.

    PAGEWIRE_SYMBOLS=1 swift build -c release --product pagewire --scratch-path .build/order \
        -Xlinker --no-demangle -Xlinker -Map="$PWD/.build/map"
    Sources/pagewire/Link/order.py .build/order/release/pagewire .build/map > Sources/pagewire/Link/start.order

Needs valgrind and binutils. Names that are gone are ignored by the linker, so an old list does no harm; it only orders less.
"""

import bisect
import json
import os
import re
import subprocess
import sys
import tempfile

# A section larger than this stays where the linker puts it: it would pull apart what is to lie together.
LARGEST_SECTION = 32 << 10


def input_of_a_start(folder):
    """A client's first messages: the first page of a file is asked for, and the end of the input waits for it."""
    path = os.path.join(folder, "items.jsonl")
    with open(path, "w") as file:
        file.writelines(f'{{"id":"{number}","text":"item {number}"}}\n' for number in range(100))
    for identifier, method, params in [
        (1, "initialize", {"clientInfo": {"name": "order", "version": "1"}}),
        (2, "open", {"session": "s", "source": {"type": "file", "path": path}, "pageSize": 50}),
    ]:
        body = json.dumps({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}).encode()
        yield b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def touched_addresses(binary):
    """The addresses of code and data that a start touches, each once, in order."""
    with tempfile.TemporaryDirectory() as folder:
        # valgrind cannot read the debug information.
        program = os.path.join(folder, "pagewire")
        subprocess.run(["strip", "-g", "-o", program, binary], check=True)
        log = os.path.join(folder, "log")
        run = subprocess.run(
            ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-file={log}", program],
            input=b"".join(input_of_a_start(folder)), stdout=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "SWIFT_DETERMINISTIC_HASHING": "1"})
        if run.returncode != 0 or b'"pageAppended"' not in run.stdout:
            sys.exit(f"order.py: no page came: {run.stdout!r}")
        with open(log) as lines:
            found = (re.match(r"(?:I | [LSM]) ([0-9a-f]+),", line) for line in lines)
            return list(dict.fromkeys(int(match[1], 16) for match in found if match))


def symbols(map_path):
    """What the linker's map says: (address, size, name) of all symbols in sections that are not too large, by address."""
    found = []
    section_size = 0
    with open(map_path) as lines:
        for line in lines:
            match = re.match(r" *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+( +)(\S.*)$", line)
            if not match:
                continue
            # The map has three columns: sections of the program, sections of object files in them, symbols in those.
            size, depth = int(match[2], 16), (len(match[3]) - 1) // 8
            if depth == 1:
                section_size = size
            elif depth == 2 and section_size <= LARGEST_SECTION:
                found.append((int(match[1], 16), size, match[4]))
    return sorted(found)


def main():
    binary, map_path = sys.argv[1:]
    table = symbols(map_path)
    starts = [address for address, _, _ in table]
    names = {}
    for address in touched_addresses(binary):
        index = bisect.bisect_right(starts, address) - 1
        # The runtime searches through all conformances (Mc), in whatever order they lie.
        if index >= 0 and address < table[index][0] + table[index][1] and not table[index][2].endswith("Mc"):
            names[table[index][2]] = True
    print("\n".join(names))


main()
