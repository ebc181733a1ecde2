"""A real editor on a pseudo terminal, driven by keys as a person would, and read from its screen."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(CLIENTS))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "Tests", "EndToEnd"))

from browse_terminal import TerminalProgram  # noqa: E402

PAGEWIRE = os.path.abspath(os.environ.get("PAGEWIRE") or os.path.join(ROOT, ".build", "release", "pagewire"))
# Machines that test are busy; what is right is mostly there at once.
LIMIT = float(os.environ.get("PAGEWIRE_TEST_SECONDS", "30"))


TIMES = []


def processes():
    """(pid, parent, name) of every process."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry) as stream:
                    name, _, rest = stream.read().partition("(")[2].rpartition(") ")
                found.append((int(entry), int(rest.split()[1]), name))
            except OSError:
                pass
    return found


class Editor(TerminalProgram):
    """One editor; what differs between editors is in the subclasses of `EditorCase`."""

    def __init__(self, case, argv, environment, columns=100, lines=14):
        environment = dict({"TERM": "screen", "HOME": case.folder, "XDG_RUNTIME_DIR": case.folder}, **environment)
        super().__init__(argv, columns=columns, lines=lines, env=environment, cwd=case.folder)
        self.case = case

    def close(self):
        if self.master >= 0:
            super().close()
            self.master = -1

    def wait(self, condition, what, seconds=LIMIT):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or not self.pump(0.02):
                if condition():
                    return
                raise AssertionError("%s: not seen; the screen is:\n%s" % (what, "\n".join(self.rows)))

    def see(self, text, seconds=LIMIT):
        self.wait(lambda: any(text in row for row in self.rows), repr(text), seconds)

    def go(self, keys, text, seconds=LIMIT):
        """Presses keys until the text is seen: a page that is on its way is not there to be scrolled to."""
        self.go_until(keys, lambda: any(text in row for row in self.rows), repr(text), seconds)

    def go_until(self, keys, condition, what, seconds=LIMIT):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.press(keys)
            try:
                return self.wait(condition, what, 1.0)
            except AssertionError:
                pass
        self.wait(condition, what, 0)

    def see_not(self, text, seconds=LIMIT):
        self.wait(lambda: not any(text in row for row in self.rows), "no " + repr(text), seconds)

    def shows(self, text):
        self.pump(0.02)
        return any(text in row for row in self.rows)

    def settle(self, seconds=0.2):
        """Waits until nothing has changed on the screen for so long."""
        rows, since = self.rows, time.monotonic()
        while time.monotonic() - since < seconds:
            self.pump(0.02)
            if self.rows != rows:
                rows, since = self.rows, time.monotonic()
        return rows

    def servers(self):
        """The pids of the server processes that this editor has started."""
        return [pid for pid, parent, name in processes() if parent == self.pid and name.startswith("pagewire")]

    def memory(self):
        """The memory that the editor has, in MiB."""
        with open("/proc/%d/status" % self.pid) as stream:
            return next(int(line.split()[1]) / 1024 for line in stream if line.startswith("VmRSS"))


class EditorCase(unittest.TestCase):
    """What a test needs; `command`, `ask_keys` and the keys are given for each editor."""

    # Keys, by what they do in a list.
    top, bottom, down, enter, refresh = "gg", "G", "\x04", "\r", "r"

    def setUp(self):
        start = time.monotonic()
        self.addCleanup(lambda: TIMES.append((time.monotonic() - start, self.id())))
        self.folder = tempfile.mkdtemp(prefix="pagewire-editor-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.answers = 0

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode())
        return path

    def script(self, name, text):
        path = self.file(name, text)
        os.chmod(path, 0o755)
        return path

    def numbered(self, name, count, start=0):
        return self.file(name, "".join("line %d\n" % n for n in range(start, start + count)))

    def start(self, server=PAGEWIRE, **options):
        environment = {"PAGEWIRE": server}
        environment.update(options.pop("environment", {}))
        editor = Editor(self, self.command(), environment, **options)
        self.addCleanup(editor.close)
        editor.wait(self.is_started(editor), "the editor")
        return editor

    def open(self, editor, source, at_end=False):
        self.open_command(editor, source if isinstance(source, str) else json.dumps(source), at_end)

    def ask(self, editor, expression):
        """The value of an expression of the editor's own language."""
        self.answers += 1
        path = os.path.join(self.folder, "answer-%d" % self.answers)
        self.ask_command(editor, expression, path)
        editor.wait(lambda: os.path.exists(path + ".done"), "the answer to " + expression)
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as stream:
            return stream.read()[:-1].split("\n")

    def lines(self, editor):
        """The whole text of the buffer, as lines."""
        return self.ask(editor, self.all_lines)

    def numbers_on(self, rows):
        return [int(row.split()[1]) for row in rows if row.startswith("line ")]

    def kill_server(self, editor):
        (pid,) = editor.servers()
        os.kill(pid, signal.SIGKILL)


def run_tests():
    """Runs the tests of the module that is the program; an empty run is a failure."""
    result = unittest.main(verbosity=1, exit=False).result
    passed = result.testsRun - len(result.failures) - len(result.errors) - len(result.skipped)
    for seconds, name in sorted(TIMES, reverse=True)[:3]:
        print("%6.2f s  %s" % (seconds, name))
    print("%d passed, %d failed" % (passed, result.testsRun - passed))
    sys.exit(0 if passed and passed == result.testsRun else 1)


def output_of(*argv):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT).stdout.decode()
