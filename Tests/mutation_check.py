#!/usr/bin/env python3
"""Shows that the simulator finds faults: plants one at a time in a copy of the core, and expects each to be caught.

  python3 Tests/mutation_check.py [--seeds N] [NAME ...]

Standard library only. The copy is built beside the real one, in .build/mutations. Exit status: 0 if the core as it is passes
and every planted fault is caught, 1 if not, 2 where a fault cannot be planted because the text it changes is gone.
"""

import argparse
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRATCH = os.path.join(ROOT, ".build", "mutations")
CORE = os.path.join(SCRATCH, "Sources", "PaginationCore")

MANIFEST = """// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "mutations",
  targets: [
    .target(name: "PaginationCore"),
    .target(name: "PaginationSimulator", dependencies: ["PaginationCore"]),
    .executableTarget(name: "pagewire-simulate", dependencies: ["PaginationSimulator"]),
  ],
  swiftLanguageModes: [.v6]
)
"""

# Name, file, text as it is, text with the fault. Only the first occurrence is changed.
FAULTS = (
    ("demand is not weighed after a page", "PaginationSession+Commit.swift",
     "    weigh(.end, now: now)\n    weigh(.start, now: now)\n  }", "  }"),
    ("duplicates are kept", "LoadedList.swift", "unlessLoaded: dedupe && id.isItemID", "unlessLoaded: false"),
    ("duplicates of a page before are kept", "LoadedList.swift",
     "for index in ids.indices where dedupe && ids[index].isItemID {",
     "for index in ids.indices where dedupe && ids[index].isNone {"),
    ("the offset counts the list, not what came", "PaginationSession+Commit.swift",
     "offset: place.offset + received", "offset: list.count"),
    ("late answers are taken", "PaginationSession+Loads.swift",
     "guard let load = direction(at: edge).load, load.ticket == ticket, load.step == .fetching",
     "guard let load = direction(at: edge).load, load.step == .fetching"),
    ("the first who waits gets no answer", "PaginationSession+Commit.swift",
     "for wait in load.waits {", "for wait in load.waits.dropFirst() {"),
    ("a refresh leaves old loads running", "PaginationSession+Refresh.swift",
     "if let load = direction(at: edge).load { rollBack(load, at: edge, result: .superseded) }", "_ = edge"),
    ("an error does not latch", "PaginationSession+Loads.swift",
     "setState(.latched(.init(failure: failure, kind: load.kind, since: now)), at: edge)", "setState(.ready, at: edge)"),
    ("a cycle of cursors goes on", "PaginationSession+Commit.swift",
     "if !seen.insert(fingerprint(of: cursor)).inserted {",
     "if !seen.insert(fingerprint(of: cursor)).inserted && received > 1_000_000 {"),
    ("the window drops what is seen", "PaginationSession+Window.swift",
     "let margin = settings.prefetchThreshold + 1", "let margin = 0"),
    ("ids stay when their page is dropped", "ItemIndex.swift",
     "      remove(at: first)\n      first &+= 1", "      first &+= 1"),
    ("a time-out goes on after the answer", "PaginationSession+Loads.swift",
     "emit(.cancelTimer(load.timer))", "_ = load.timer"),
    ("a source's call is not cancelled", "PaginationSession+Loads.swift",
     "if load.step == .fetching { emit(.cancelFetch(ticket: load.ticket)) }", "_ = load.step"),
    ("what was dropped does not open again", "LoadDirection.swift",
     "var hasMore: Bool { next != nil || !dropped.isEmpty }", "var hasMore: Bool { next != nil }"),
    ("one prepend leads to the next", "PaginationSession+Commit.swift", "        demand.start = nil\n", ""),
    ("empty pages are loaded without end", "PaginationSession+Commit.swift",
     "direction.emptyRun >= settings.maxEmptyPages", "direction.emptyRun >= settings.maxEmptyPages * 50"),
)


def prepare():
    shutil.rmtree(os.path.join(SCRATCH, "Sources"), ignore_errors=True)
    os.makedirs(os.path.join(SCRATCH, "Sources"))
    for target in ("PaginationCore", "PaginationSimulator", "pagewire-simulate"):
        shutil.copytree(os.path.join(ROOT, "Sources", target), os.path.join(SCRATCH, "Sources", target))
    with open(os.path.join(SCRATCH, "Package.swift"), "w") as stream:
        stream.write(MANIFEST)


def build():
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", SCRATCH], capture_output=True, text=True)
    if done.returncode:
        sys.exit("the copy does not build:\n" + (done.stdout + done.stderr)[-3000:])


def simulate(seeds):
    """What the simulator says: nothing where every promise was kept."""
    program = os.path.join(SCRATCH, ".build", "release", "pagewire-simulate")
    try:
        done = subprocess.run(
            [program, "--seeds", "0..%d" % seeds, "--until-failure"], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return "it never comes to rest"
    if done.returncode == 0:
        return None
    return (done.stdout or done.stderr).strip().split("\n")[0] or "it ended with status %d" % done.returncode


def main():
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--seeds", type=int, default=20_000)
    usage.add_argument("names", nargs="*", help="only faults with one of these texts in their name")
    options = usage.parse_args()
    chosen = [fault for fault in FAULTS if not options.names or any(name in fault[0] for name in options.names)]
    prepare()
    for name, file, text, _ in chosen:
        with open(os.path.join(CORE, file)) as stream:
            if text not in stream.read():
                print("cannot plant \"%s\": %s has changed; change this check with it" % (name, file))
                return 2
    build()
    found = simulate(options.seeds)
    if found:
        print("the core as it is fails: " + found)
        return 1
    missed = 0
    for name, file, text, fault in chosen:
        path = os.path.join(CORE, file)
        with open(path) as stream:
            whole = stream.read()
        with open(path, "w") as stream:
            stream.write(whole.replace(text, fault, 1))
        build()
        found = simulate(options.seeds)
        with open(path, "w") as stream:
            stream.write(whole)
        missed += not found
        print("%-45s %s" % (name, found or "NOT FOUND in %d seeds" % options.seeds), flush=True)
    print("%d of %d planted faults found" % (len(chosen) - missed, len(chosen)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
