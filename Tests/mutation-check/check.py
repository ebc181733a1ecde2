#!/usr/bin/env python3
"""Shows that the simulator finds faults: plants them in a copy of the core, one at a time, and runs it until one is seen.

    python3 Tests/mutation-check/check.py            all faults
    python3 Tests/mutation-check/check.py --short    twelve of them
    python3 Tests/mutation-check/check.py WORD...    those whose names hold a word

Prints a table, and ends with status 1 if a fault was not found within SEEDS schedules. The copy and what is built of it are
under .build/mutation-check; the sources themselves are not touched. Where a fault's text is not found in the core any
more, that is an error too: then the fault has to be written anew.
"""

import os
import shutil
import subprocess
import sys
import time

from mutations import MUTATIONS, SHORT

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
WORK = os.path.join(ROOT, ".build", "mutation-check")
SEEDS = 30000
# A fault may also make a run endless; that counts as found.
LIMIT_SECONDS = 120
PACKAGE = """// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "mutation-check",
  targets: [
    .target(name: "PaginationCore"),
    .target(name: "PaginationSimulator", dependencies: ["PaginationCore"]),
    .executableTarget(name: "pagewire-simulate", dependencies: ["PaginationSimulator"]),
  ],
  swiftLanguageModes: [.v6]
)
"""


def prepare():
    sources = os.path.join(WORK, "Sources")
    shutil.rmtree(sources, ignore_errors=True)
    for target in ("PaginationCore", "PaginationSimulator", "pagewire-simulate"):
        shutil.copytree(os.path.join(ROOT, "Sources", target), os.path.join(sources, target))
    with open(os.path.join(WORK, "Package.swift"), "w", encoding="utf-8") as stream:
        stream.write(PACKAGE)
    return os.path.join(sources, "PaginationCore")


def build():
    command = ["swift", "build", "-c", "release", "--package-path", WORK]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("the simulator does not build:\n" + done.stdout[-3000:] + done.stderr[-3000:])
    shown = subprocess.run(command + ["--show-bin-path"], capture_output=True, text=True, check=True)
    return os.path.join(shown.stdout.strip(), "pagewire-simulate")


def simulate(program):
    """What a run of all seeds came to: None where every promise was kept."""
    command = [program, "--seeds", "0..%d" % SEEDS, "--until-failure"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return "a run that does not end"
    if done.returncode == 0:
        return None
    if done.returncode == 1:
        return done.stdout.strip()
    # A trap is a way of being found, too.
    return "a trap (status %d)" % done.returncode


def plant(core, mutation):
    """Changes one file of the copy; what stood there, to be put back."""
    path = os.path.join(core, mutation.file)
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    count = text.count(mutation.old)
    if count != 1:
        raise SystemExit("%s: its text stands %d times in %s" % (mutation.name, count, mutation.file))
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text.replace(mutation.old, mutation.new))
    return path, text


def chosen(words):
    if words == ["--short"]:
        return [mutation for mutation in MUTATIONS if mutation.name in SHORT]
    return [mutation for mutation in MUTATIONS if not words or any(word in mutation.name for word in words)]


def main(words):
    core = prepare()
    mutations = chosen(words)
    # All texts are looked for before anything is built.
    for mutation in mutations:
        path, text = plant(core, mutation)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    found = simulate(build())
    if found:
        raise SystemExit("the core itself, without a fault: " + found)
    missed = 0
    width = max(len(mutation.name) for mutation in mutations)
    print("%-*s  found by" % (width, "planted fault"))
    for mutation in mutations:
        path, text = plant(core, mutation)
        began = time.monotonic()
        found = simulate(build())
        missed += found is None
        print("%-*s  %s" % (width, mutation.name, found or "NOT FOUND in %d schedules" % SEEDS), flush=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        # The build goes by times of change; two changes within one of the clock's steps must not look alike.
        time.sleep(max(0, 0.05 - (time.monotonic() - began)))
    print("%d of %d planted faults found" % (len(mutations) - missed, len(mutations)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
