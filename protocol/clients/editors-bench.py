#!/usr/bin/env python3
"""How soon an editor shows the first screen of a large file: with the Pagewire plugin, and by opening the file itself.

  python3 protocol/clients/editors-bench.py [--megabytes 1024] [--runs 5] [--pagewire PATH] [EDITOR...]

Each run starts a fresh editor on a terminal, types the command, and counts from Enter to the first line of the file on
the screen; the server is started within that time. The medians are printed as a Markdown table. The large file is made
in a temporary folder, and lies in the memory of the system when it is read. Needs pyte, and the editors that are named.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "Tests", "EndToEnd"))

from browse_terminal import TerminalProgram  # noqa: E402

FIRST, LAST = b"the-first-line-of-all", b"the-last-line-of-all"
LIMIT = 120


class Vim:
    name = "Vim"

    def command(self, folder):
        return ["vim", "-Nu", "NONE", "-i", "NONE", "-n", "--cmd", "set runtimepath^=%s/vim nomore" % HERE,
                "-c", "runtime plugin/pagewire.vim", "-c", "set laststatus=2"]

    ready = b"[No Name]"
    with_pagewire, at_end, by_itself = ":Pagewire %s", ":Pagewire! %s", ":edit %s"


class Neovim(Vim):
    name = "Neovim"

    def command(self, folder):
        return ["nvim", "-u", "NONE", "-i", "NONE", "-n", "--cmd", "set runtimepath^=%s/neovim nomore laststatus=2" % HERE,
                "-c", "runtime plugin/pagewire.lua", "-c", "lua require('pagewire')"]


class Emacs:
    name = "Emacs"
    ready = b"*scratch*"
    with_pagewire, at_end, by_itself = "\x1bxpagewire\r%s", "\x15\x1bxpagewire\r%s", "\x18\x06\x01\x0b%s"

    def command(self, folder):
        compiled = os.path.join(folder, "pagewire.elc")
        if not os.path.exists(compiled):
            copy = shutil.copy(os.path.join(HERE, "emacs", "pagewire.el"), folder)
            subprocess.run(["emacs", "-Q", "--batch", "-f", "batch-byte-compile", copy], check=True, stdin=subprocess.DEVNULL)
        settings = "(setq large-file-warning-threshold nil inhibit-startup-screen t)"
        return ["emacs", "-nw", "-Q", "-l", compiled, "--eval", settings]


EDITORS = {"vim": Vim, "neovim": Neovim, "emacs": Emacs}


def make_files(folder, megabytes):
    """A file of 10 KB and one of so many megabytes, of the same lines."""
    line = b"2026-01-01 00:00:00 service[%6d]: a line as logs have them, of about a hundred bytes, %s\n"
    block = b"".join(line % (number, b"x" * (number % 40)) for number in range(10_000))
    small, large = os.path.join(folder, "small.log"), os.path.join(folder, "large.log")
    for path, size in ((small, 10_000), (large, megabytes << 20)):
        with open(path, "wb") as stream:
            stream.write(FIRST + b"\n")
            while stream.tell() < size:
                stream.write(block[: size - stream.tell()])
            stream.write(b"\n" + LAST + b"\n")
    return small, large


def seconds_until(program, keys, needle):
    """Types the keys and then Enter; the time from Enter until the text is written to the terminal."""
    program.press(keys)
    program.pump(0.3)
    written, start = len(program.raw), time.monotonic()
    program.press("\r")
    while needle not in program.raw[written:]:
        if time.monotonic() - start > LIMIT or not program.pump(0.0005):
            return None
    return time.monotonic() - start


def memory_of(pid):
    with open("/proc/%d/status" % pid) as stream:
        return next(int(line.split()[1]) / 1024 for line in stream if line.startswith("VmRSS"))


def measure(editor, folder, environment, keys, path, needle):
    """The seconds of one run, and the MiB that the editor has then."""
    program = TerminalProgram(editor.command(folder), columns=100, lines=40, env=environment, cwd=folder)
    try:
        end = time.monotonic() + 30
        while editor.ready not in program.raw and time.monotonic() < end:
            program.pump(0.01)
        program.pump(0.2)
        # What the terminal would make of it takes longer than the editor.
        program.stream.feed = lambda data: None
        seconds = seconds_until(program, keys % path, needle)
        program.pump(0.5)
        return seconds, memory_of(program.pid)
    finally:
        program.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("editors", nargs="*", default=list(EDITORS), metavar="EDITOR")
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pagewire", default=os.environ.get("PAGEWIRE") or os.path.join(ROOT, ".build", "release", "pagewire"))
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="pagewire-editors-bench-")
    try:
        run(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(options, folder):
    small, large = make_files(folder, options.megabytes)
    environment = {"PAGEWIRE": os.path.abspath(options.pagewire), "HOME": folder, "TERM": "screen"}

    def cell(editor, keys, path, needle, runs=options.runs):
        results = [measure(editor, folder, environment, keys, path, needle) for _ in range(runs)]
        if any(seconds is None for seconds, _ in results):
            return None, max(memory for _, memory in results)
        return statistics.median(seconds for seconds, _ in results), max(memory for _, memory in results)

    def shown(result):
        return "more than %d s" % LIMIT if result[0] is None else "%.0f ms, %.0f MiB" % (result[0] * 1000, result[1])

    print("| editor | 10 KB, Pagewire | %d MB, Pagewire | its last line, Pagewire | 10 KB itself | %d MB itself |"
          % (options.megabytes, options.megabytes))
    print("|---|---|---|---|---|---|")
    for name in options.editors:
        editor = EDITORS[name]()
        # What it does for the first time in a new place is not counted.
        measure(editor, folder, environment, editor.with_pagewire, small, FIRST)
        results = [
            cell(editor, editor.with_pagewire, small, FIRST),
            cell(editor, editor.with_pagewire, large, FIRST),
            cell(editor, editor.at_end, large, LAST),
            cell(editor, editor.by_itself, small, FIRST),
            cell(editor, editor.by_itself, large, FIRST, max(1, min(options.runs, 2))),
        ]
        print("| %s | %s |" % (editor.name, " | ".join(shown(result) for result in results)), flush=True)


if __name__ == "__main__":
    main()
