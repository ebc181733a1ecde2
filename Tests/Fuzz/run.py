#!/usr/bin/env python3
"""Builds the fuzz targets, replays their corpora and fuzzes: `python3 Tests/Fuzz/run.py [--runs N] [targets]`.

Without `--runs` a target is run for its share of a short campaign, as `.ci/run` does; `--runs N` sets the executions of each
target, `--seed S` the seed, `--keep FOLDER` keeps what was found interesting there, `--minimize` writes it, cut down, over
the corpora. The status is 0 only if no target broke a promise, trapped, hung or took too much memory. Prints a table.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
BUILD = [
    *("-c", "release", "-Xswiftc", "-sanitize=fuzzer", "-Xcc", "-fsanitize=fuzzer-no-link"),
    # The targets look into what is not public.
    *("-Xswiftc", "-enable-testing"),
]
# The executions of a short campaign, some seconds for each target, and the longest input.
TARGETS = {
    "json": (300_000, 512),
    "pointer": (300_000, 256),
    "frames": (60_000, 512),
    "csv": (80_000, 256),
    "jsonl": (60_000, 512),
    "gzip": (5_000, 512),
    "link": (60_000, 256),
    "http": (40_000, 512),
    "sqlite": (300_000, 256),
    "resume": (80_000, 512),
    "messages": (25_000, 2048),
}
# A unit that takes longer than so many seconds is a hang, and memory beyond so many megabytes a leak.
LIMITS = ["-timeout=10", "-rss_limit_mb=600"]


def build():
    # SwiftPM plans again only where the manifest is new, and would miss files that were added to the main package.
    os.utime(os.path.join(FOLDER, "Package.swift"))
    command = ["swift", "build", "--package-path", FOLDER, *BUILD]
    subprocess.run(command, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True)
    return shown.stdout.decode().strip()


def run(binary, arguments, folder):
    """The exit status, the last line of statistics as numbers, and all that was said."""
    # Swift's own backtracer would take the signal that libFuzzer waits for.
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    done = subprocess.run([binary, *arguments], cwd=folder, env=environment, capture_output=True)
    said = done.stderr.decode("utf-8", "replace")
    facts = {}
    for match in re.finditer(r"^#(\d+)\s.*?cov: (\d+) ft: (\d+) corp: (\d+)/\S+ .*?rss: (\d+)Mb", said, re.M):
        facts = dict(zip(("runs", "cov", "ft", "corpus", "rss"), map(int, match.groups())))
    return done.returncode, facts, said


def fuzz(name, bin_path, options):
    runs, length = TARGETS[name]
    runs = options.runs or runs
    corpus = os.path.join(FOLDER, "corpora", name)
    binary = os.path.join(bin_path, "fuzz-" + name)
    with tempfile.TemporaryDirectory(prefix="pagewire-fuzz-") as folder:
        found = os.path.join(options.keep, name) if options.keep else os.path.join(folder, "found")
        os.makedirs(found, exist_ok=True)
        started = time.monotonic()
        status, _, said = run(binary, LIMITS + ["-runs=0", corpus], folder)
        facts = {}
        if status == 0:
            arguments = ["-runs=%d" % runs, "-seed=%d" % options.seed, "-max_len=%d" % length, found, corpus]
            words = os.path.join(FOLDER, "words", name + ".dict")
            status, facts, said = run(
                binary, LIMITS + (["-dict=" + words] if os.path.exists(words) else []) + arguments, folder
            )
        seconds = time.monotonic() - started
        if status != 0:
            print(said[-4000:])
            for each in os.listdir(folder):
                if re.match(r"(crash|oom|timeout|leak|slow-unit)-", each):
                    kept = shutil.copy(os.path.join(folder, each), os.path.join(FOLDER, ".build"))
                    print("the input is in %s" % kept)
        elif options.minimize:
            minimize(binary, found, corpus)
    figures = tuple(facts.get(key, 0) for key in ("cov", "ft", "rss"))
    print(
        "| %-8s | %11s | %6d | %6d | %5d MB | %6.1f s | %s |"
        % (name, "{:,}".format(facts.get("runs", 0)), *figures, seconds, "ok" if status == 0 else "BROKEN"),
        flush=True,
    )
    return status == 0, facts.get("runs", 0)


def minimize(binary, found, corpus):
    """Puts the smallest inputs that reach all that is reached into the corpus."""
    with tempfile.TemporaryDirectory(prefix="pagewire-fuzz-") as folder:
        merged = os.path.join(folder, "merged")
        os.makedirs(merged)
        status, _, said = run(binary, ["-merge=1", "-max_len=256", merged, corpus, found], folder)
        if status != 0:
            print(said[-2000:])
            return
        names = sorted(os.listdir(merged), key=lambda each: os.path.getsize(os.path.join(merged, each)))
        shutil.rmtree(corpus)
        os.makedirs(corpus)
        total = 0
        for each in names:
            size = os.path.getsize(os.path.join(merged, each))
            if total + size > 6_000:
                break
            total += size
            shutil.copy(os.path.join(merged, each), os.path.join(corpus, each[:12]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("targets", nargs="*", help="all of them if none is named: %s" % ", ".join(TARGETS))
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--minimize", action="store_true")
    parser.add_argument("--binaries", help="a folder with programs that are built already")
    options = parser.parse_args()
    unknown = [name for name in options.targets if name not in TARGETS]
    if unknown:
        parser.error("there is no target %s" % ", ".join(unknown))
    bin_path = options.binaries or build()
    print("| target   |  executions |  edges | feat.  | memory   | time     |    |")
    results = [fuzz(name, bin_path, options) for name in options.targets or TARGETS]
    print("%s executions, %d targets broken" % ("{:,}".format(sum(runs for _, runs in results)), sum(not ok for ok, _ in results)))
    return 0 if all(ok for ok, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
