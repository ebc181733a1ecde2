"""Checks that an operation costs as many instructions when there is much of something as when there is little.

    python3 Tests/Instructions/growth.py [PAGEWIRE]

Times grow with memory that is far away, and are noisy; instructions, counted by callgrind, are not. What grows all at once now
and then (a table that is split) is spread over many operations, so each bound leaves room for that, and for no more: what costs
a little for each session, item or byte there is costs many times the bound at the far end.
"""

import os
import sys
import tempfile

from check import measure, request

SYNTHETIC = {"type": "synthetic", "count": None}


def appearances(sessions):
    """itemAppeared, to a session among so many.

    Where names lie in their table is decided by a random key, so the 10,000 opens before cost some hundred thousand
    instructions more or less from run to run: only many appearances make that small.
    """

    def work(server, count):
        for number in range(1, sessions + 1):
            server.send(request(number, "open", session="s%d" % number, source=SYNTHETIC, autoload=False))
            server.answer(number)
        server.send(request(sessions + 1, "loadMore", session="s1"))
        server.answer(sessions + 1)
        for number in range(sessions + 2, sessions + 2 + count):
            server.send(request(number, "itemAppeared", session="s1", position=5))
            server.answer(number)

    return work


def loads(items):
    """loadMore of 100 items, in a session of so many."""

    def work(server, count):
        server.send(request(1, "open", session="s", source=SYNTHETIC, pageSize=100, autoload=False))
        server.answer(1)
        for number in range(2, 2 + items // 100 + count):
            server.send(request(number, "loadMore", session="s"))
            server.answer(number)

    return work


def file_pages(size):
    """A session on the last 50 lines of a file of so many bytes, which is holes but for these."""

    def work(server, count):
        with tempfile.NamedTemporaryFile() as stream:
            lines = b"".join(b"line %03d of some words in a file\n" % number for number in range(200))
            stream.truncate(size)
            stream.seek(size - len(lines))
            stream.write(lines)
            stream.flush()
            source = {"type": "file", "path": stream.name, "format": "lines", "from": "end"}
            for number in range(1, 1 + 3 * count, 3):
                server.send(request(number, "open", session="s", source=source, pageSize=50, autoload=False))
                server.send(request(number + 1, "loadMore", session="s"))
                server.send(request(number + 2, "close", session="s"))
                server.answer(number + 2)

    return work


def item_bytes(size):
    """An item of so many bytes, sent and shown as a source of one item is opened and paged."""

    def work(server, count):
        for number in range(1, 1 + 3 * count, 3):
            source = {"type": "items", "items": [{"id": 1, "text": "x" * size}]}
            server.send(request(number, "open", session="s", source=source, autoload=False))
            server.answer(number)
            server.send(request(number + 1, "loadMore", session="s"))
            server.answer(number + 1)
            server.send(request(number + 2, "close", session="s"))
            server.answer(number + 2)

    return work


# Name: the operation with little and with much, how often it is done in the short and in the long run, what there is the
# more of for which the cost may grow (1 where it is to be the same), and the part by which it may be more than that.
PAIRS = {
    "itemAppeared, 10 and 10,000 sessions": (appearances(10), appearances(10_000), 50, 10_050, 1, 0.1),
    # Over as many items as there are, in which each part of the table of ids grows once.
    "loadMore, from 2,000 and from 100,000 items on": (loads(2_000), loads(100_000), 0, 1_000, 1, 0.25),
    "last page, file of 1 MB and of 10 GB": (file_pages(1_000_000), file_pages(10_000_000_000), 5, 25, 1, 0.1),
    "item of 100 KB and of 1 MB": (item_bytes(100_000), item_bytes(1_000_000), 1, 5, 10, 0.1),
}


def main(arguments):
    binary = os.path.abspath((arguments or [os.environ.get("PAGEWIRE", ".build/release/pagewire")])[0])
    failed = 0
    for name, (little, much, few, many, times, margin) in PAIRS.items():
        small = measure(binary, little, few, many)
        large = measure(binary, much, few, many)
        is_over = large > small * times * (1 + margin)
        failed += is_over
        print(
            "%-48s %12s and %12s instructions, %.3f times%s"
            % (name, f"{round(small):,}", f"{round(large):,}", large / small, "  GROWS" if is_over else "")
        )
    print("%d passed, %d failed" % (len(PAIRS) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
