"""Pages of a table by Python's sqlite3 in its own process, each made into JSON. argv: the path, "offset" or "key".

For each line of its input, "FIRST PAGES ROWS", it reads so many pages from row number FIRST on, and prints how many rows those
held and how many nanoseconds it took.
"""

import json
import sqlite3
import sys
import time

connection = sqlite3.connect(sys.argv[1])
connection.row_factory = sqlite3.Row
by_offset = sys.argv[2] == "offset"


def rows_at(place, size):
    if by_offset:
        return connection.execute("SELECT * FROM t ORDER BY made, id LIMIT ? OFFSET ?", (size, place)).fetchall()
    return connection.execute(
        "SELECT * FROM t WHERE (made, id) > (?, ?) ORDER BY made, id LIMIT ?", (*place, size)
    ).fetchall()


print("ready", flush=True)
for line in sys.stdin:
    first, pages, size = map(int, line.split())
    place = first if by_offset else (first // 10, first)
    begin, count = time.perf_counter_ns(), 0
    for _ in range(pages):
        rows = rows_at(place, size)
        json.dumps([dict(row) for row in rows])
        count += len(rows)
        place = place + size if by_offset else (rows[-1]["made"], rows[-1]["id"])
    print(count, time.perf_counter_ns() - begin, flush=True)
