#!/usr/bin/env python3
"""Hours of use in minutes: `python3 Tests/EndToEnd/soak.py [--loads N] [--sessions N]`.

Opens and closes sessions and loads pages of them, with refreshes and scrolling between, and looks at the server's memory and
descriptors meanwhile. Ends with status 1 where one of them grows once all kinds of work have been done for a while.
"""

import argparse
import sys
import time

from pipes import Pipes, request

# Rounds of a session's life: in each it is asked for one load, and then it is closed and opened again under its name.
ROUNDS_PER_LIFE = 20
# Where lives overlap, so that sessions of all ages are there at once.
GROUPS = 10
OUTCOME = b'"outcome":"'


def opened(number, name):
    source = {"type": "synthetic", "count": None, "itemBytes": 60, "insertAtHeadPerPage": number % 2}
    params = {"session": name, "source": source, "pageSize": 1 + number % 5, "autoload": False, "maxItems": 50}
    return request(number, "open", params)


def messages_of_a_round(names, age):
    """What is asked of sessions of this age: a load each, and what does not load."""
    text = []
    for name in names:
        # What waits has an id of its own in all sessions; the others are answered at once.
        number = int(name[1:])
        if age == 0:
            text.append(opened(number, name))
        if age % 7 == 3:
            text.append(request(number, "visibleRange", {"session": name, "first": -1, "last": 3}))
            text.append(request(number, "setScrolledID", {"session": name, "id": age}))
            text.append(request(number, "state", {"session": name, "resume": True}))
        text.append(request(number, "refresh" if age % 10 == 5 else "loadMore", {"session": name}))
    return b"".join(text)


def soak(loads, sessions, say=lambda text: None):
    """Runs it; the memory in KiB and the descriptors, measured ten times, the loads, and the exit status."""
    groups = [["s%d" % number for number in range(group, sessions, GROUPS)] for group in range(GROUPS)]
    texts = [[messages_of_a_round(names, age) for age in range(ROUNDS_PER_LIFE)] for names in groups]
    closes = [b"".join(request(0, "close", {"session": name}) for name in names) for names in groups]
    server = Pipes()
    try:
        server.count(OUTCOME)
        figures, done, turn, next_look = [], 0, 0, loads // 10
        while done < loads:
            for group, names in enumerate(groups):
                age = turn - 2 * group
                if age < 0:
                    continue
                if age and age % ROUNDS_PER_LIFE == 0:
                    server.send(closes[group])
                server.send(texts[group][age % ROUNDS_PER_LIFE])
                done += len(names)
            turn += 1
            # One load of a session at a time: those that come meanwhile would join it.
            server.until(OUTCOME, done)
            if done >= next_look:
                figures.append((server.memory_kib(), server.descriptors()))
                say("%d loads, %d KiB, %d descriptors, %d MB received" % ((done,) + figures[-1] + (server.received >> 20,)))
                next_look += loads // 10
        return figures, done, server.end()
    finally:
        server.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--loads", type=int, default=10_000_000)
    parser.add_argument("--sessions", type=int, default=1000)
    options = parser.parse_args()
    started = time.monotonic()
    figures, done, status = soak(options.loads, options.sessions, lambda text: print(text, flush=True))
    settled = figures[2:]
    growth = max(memory for memory, _ in settled) - settled[0][0]
    descriptors = max(each for _, each in settled) - settled[0][1]
    print(
        "%d loads in %.0f s; after the first three tenths memory grew by %d KiB to %d KiB, descriptors by %d; status %d"
        % (done, time.monotonic() - started, growth, settled[-1][0], descriptors, status)
    )
    return 0 if growth < 4096 and descriptors <= 0 and status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
