#!/usr/bin/env python3
"""Proves that the simulation of the session layer finds faults: plants one after the other and expects each to be caught.

    python3 Tests/Faults/planted_faults.py [words of the faults to plant]

Each fault replaces a piece of a source file, which is put back afterwards; the files must have no changes of one's own. A
build and a run for each take some twenty seconds. The status is 0 only if every fault was planted and caught.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SERVER = "Sources/PagewireServer/"

# What goes wrong, in which file, what is replaced, and by what.
FAULTS = [
    ("a cancelled call is still known", "Sessions/Server+Fetches.swift", "      frontEndCalls[id] = nil\n", ""),
    ("a closed session stays in the timer queue", "Methods/Server+Lifecycle.swift", "    timers.set(slot, due: nil)\n", ""),
    (
        "a fetch that is held back is forgotten", "Sessions/Server+Fetches.swift",
        "      held.append((sessions[slot].number, fetch.ticket))\n", "",
    ),
    ("an answered id stays in flight", "Output/Server+Notifications.swift", "    pendingByID[request.id] = nil\n", ""),
    (
        "what a refresh gathered is kept", "Sessions/Server+Commands.swift",
        "        if kind == .refresh { forgetGathered(slot) }\n", "",
    ),
    (
        "a source that is not needed is kept", "Sessions/Server+Commands.swift",
        "discardSource(let generation): discardSource(generation, slot)", "discardSource: break",
    ),
    (
        "a newer refresh does not take the source over", "Sessions/Server+Commands.swift",
        "adoptSource(let from, let to): adoptSource(from: from, to: to, slot)", "adoptSource: break",
    ),
    (
        "a committed source is not the list's", "Sessions/Server+Commands.swift",
        "commitSource(let generation): commitSource(generation, slot)", "commitSource: break",
    ),
    (
        "duplicates are sent", "Output/Server+Notifications.swift",
        "page.appendItems(bytes, dropping: event.dropping, asText: asText, to: &items)",
        "page.appendItems(bytes, dropping: [], asText: asText, to: &items)",
    ),
    (
        "a page is copied whole although items of it are dropped", "Output/Server+Notifications.swift",
        "event.dropping.isEmpty && !asText ? page.wholeText(bytes) : .none", "!asText ? page.wholeText(bytes) : .none",
    ),
    (
        "after a timer the next one is not queued", "Sessions/Server+Commands.swift",
        "slot)\n      }\n      timers.set(slot, due: sessions[slot].nextDue)", "slot)\n      }",
    ),
    (
        "a cancelled timer stays in the queue", "Sessions/Server+Commands.swift",
        "timers.take(at: index)\n    timers.set(slot, due: sessions[slot].nextDue)", "timers.take(at: index)",
    ),
    (
        "an answered call is kept", "Sessions/Server+FrontEnd.swift",
        "    _ = sessions[slot].calls.take(at: index)\n", "    _ = index\n",
    ),
    (
        "the front end is waited for after its input", "Server+EndOfInput.swift",
        "      ready.append(.init(session", "      _ = (WorkerPool.Completion(session",
    ),
    (
        "a cancelled request is not answered", "Methods/Server+Lifecycle.swift",
        "perform(sessions[slot].core.waitCancelled(Waiter(waiter)), slot)",
        "_ = sessions[slot].core.waitCancelled(Waiter(waiter))",
    ),
    (
        "a closed session's name is taken", "Sessions/SessionTable.swift",
        "    names.remove(slots[slot][0].decodedName.span)\n", "",
    ),
    ("a batch never has its last answer", "Output/Outbox.swift", "      missing -= 1\n", ""),
    (
        "the end of a load is not told", "Sessions/Server+Commands.swift",
        "        notifyLoadingEnded(", "        if kind != .previous { notifyLoadingEnded(",
    ),
    (
        "a page has the wrong place", "Output/Server+Notifications.swift",
        '"start", event.start)', '"start", event.start + (event.edge == .start ? 1 : 0))',
    ),
    (
        "close leaves those who wait without an answer", "Methods/Server+Lifecycle.swift",
        "    perform(sessions[slot].core.closed(), slot)\n",
        "    perform(sessions[slot].core.closed().filter { if case .cancelled = $0 { false } else { true } }, slot)\n",
    ),
    (
        "a session that replaces another counts from the start", "Methods/Server+Open.swift",
        "      generation = sessions[existing].core.lastAllottedGeneration + 1", "      generation = 1",
    ),
    (
        "an answer that comes late is taken", "Sessions/Server+FrontEnd.swift",
        "let call = frontEndCalls.removeValue(forKey: id)", "let call = frontEndCalls[id]",
    ),
    (
        "a result waits for its time although its call is cancelled", "Sessions/Server+Fetches.swift",
        "case .delayed: cancelTimer(.delivery(ticket: ticket), slot)", "case .delayed: break",
    ),
]


def run(*command, limit=600):
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit, errors="replace"
    )
    return done.returncode, done.stdout


def plant(name, path, old, new):
    """What became of a fault: whether it was caught, and how."""
    path = os.path.join(ROOT, SERVER, path)
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    if old not in text:
        return False, "has no place any more"
    changed = text.replace(old, new)
    if "if kind != .previous {" in new:
        changed = re.sub(r"(if kind != \.previous \{ notifyLoadingEnded\([^\n]*)", r"\1 }", changed)
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(changed)
        status, output = run("swift", "build", "--build-tests")
        if status:
            return False, "does not build: " + next((line for line in output.split("\n") if "error:" in line), "")
        status, output = run("swift", "test", "--skip-build", "--disable-xctest", "--filter", "PagewireServerTests.SimulationTests")
    finally:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    found = re.search(r"PAGEWIRE_FIRST_SEED=(\d+) PAGEWIRE_SEEDS=1: (.*)", output)
    if found:
        return True, "seed %s: %s" % found.groups()
    return bool(status), "it trapped" if status else "nobody noticed"


def main(words):
    faults = [fault for fault in FAULTS if not words or any(word in fault[0] for word in words)]
    missed = 0
    for fault in faults:
        is_caught, how = plant(*fault)
        missed += not is_caught
        print("%s  %s (%s)" % ("caught" if is_caught else "MISSED", fault[0], how[:100]), flush=True)
    print("%d of %d planted faults caught" % (len(faults) - missed, len(faults)))
    return 1 if missed or not faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
