"""The front-end conformance kit: `pagewire browse` passes it, and small clients that are wrong on purpose do not."""

import os
import sys
import unittest

from pagewire_client import BINARY
from support import EndToEndCase
from kit_client import FAULTS, ListClient

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "protocol", "conformance"))
import kit

try:
    from browse_terminal import TerminalProgram
except ImportError:
    TerminalProgram = None


@unittest.skipIf(TerminalProgram is None, "needs the package pyte")
class BrowseTests(EndToEndCase):
    """Each scenario, on the screen of a terminal."""

    WORDS = {
        "loader": r"Loading (more|earlier|the first)|next try in",
        "error": r"failed \(|pagewire browse: This shelf",
        "empty": r"No items\.",
        "paused": r"Paused:",
        "gone": r"pagewire browse: the server .* exited with status 70",
        "wrongVersion": r"pagewire browse: .*version 2\.0",
    }

    def play(self, name):
        started = []

        def start(run):
            program = TerminalProgram([BINARY, "browse", "--server", run.server, "{\"type\":\"items\",\"items\":[]}"], 100, 24)
            self.addCleanup(program.close)
            started.append(program)

        press = lambda keys: lambda: started[0].press(keys)
        actions = {"refresh": press("r"), "retry": press("\r"), "toStart": press("g"), "toEnd": press("G"), "quit": press("q")}
        kit.play(
            name, start, lambda: "\n".join(started[0].rows), self.WORDS, actions, BINARY, restarts=False,
            idle=lambda: started[0].pump(0.02),
        )  # fmt: skip


class SmallClientCase(EndToEndCase):
    WORDS = {
        "loader": r"Loading \.\.\.", "error": r"\(enter: again\)", "empty": r"No items\.", "paused": r"Nothing new",
        "gone": r"The server is gone", "wrongVersion": r"speaks version",
    }  # fmt: skip

    def play(self, name, *faults, seconds=10):
        started = []

        def start(run):
            started.append(ListClient(run.server, faults))
            self.addCleanup(started[0].stop)

        client = lambda action: lambda: getattr(started[0], action)()
        actions = {name: client(name) for name in ("refresh", "retry", "restart", "quit")}
        actions.update(toStart=lambda: None, toEnd=lambda: None)
        kit.play(name, start, lambda: started[0].screen(), self.WORDS, actions, BINARY, seconds)


class SmallClientTests(SmallClientCase):
    """A client that is right passes every scenario."""


class FaultTests(SmallClientCase):
    """A client that is wrong is found out, by the scenario and for the reason that one would expect."""

    def found_out(self, fault, scenario, *parts):
        with self.assertRaises(kit.Failed) as caught:
            self.play(scenario, fault, seconds=2)
        for part in parts:
            self.assertIn(part, str(caught.exception))
        self.tried.add(fault)

    tried = set()

    def test_every_fault(self):
        for fault, scenario, *parts in (
            ("ignores replaces", "refresh-keep", "there still is 'item 0'"),
            ("never retries", "error-then-retry", "nothing new to look at, after 'retry'"),
            ("repeats ids", "late-answers", "still in flight"),
            ("keeps the loader", "overtaken", "the state 'loader' is shown"),
            ("shows empty too early", "slow-first-page", "the state 'empty' is shown"),
            ("counts positions itself", "refresh-fails", "generation"),
            ("forgets to report", "refresh-keep", "nothing new to look at"),
            ("ignores requests", "unknown-request", "nothing new to look at"),
            ("ignores the version", "wrong-version", "the state 'wrongVersion' is not shown"),
            ("ignores drops", "dropped-pages", "there still is 'item 5'"),
            ("appends what is prepended", "earlier-pages", "nothing new to look at"),
            ("hides errors", "first-page-fails", "there is no 'The shelf is stuck.'"),
            ("trusts decisions", "unknown-words", "there is no 'item 5'"),
            ("asks for no token", "crash", "nothing new to look at, after 'restart'"),
            ("cannot lose its server", "crash", "the state 'gone' is not shown"),
        ):
            with self.subTest(fault):
                self.found_out(fault, scenario, *parts)
        self.assertEqual(self.tried, set(FAULTS))


for _name in kit.names():
    setattr(SmallClientTests, "test_" + _name.replace("-", "_"), lambda self, name=_name: self.play(name))
    setattr(BrowseTests, "test_" + _name.replace("-", "_"), lambda self, name=_name: self.play(name))


if __name__ == "__main__":
    unittest.main()
