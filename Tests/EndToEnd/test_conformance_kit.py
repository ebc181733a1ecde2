"""The front-end conformance kit: `pagewire browse` passes it, and small clients that are wrong on purpose do not."""

import json
import os
import sys
import unittest

from pagewire_client import BINARY, Server
from support import EndToEndCase
from kit_client import FAULTS, ListClient

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "protocol", "conformance"), os.path.join(ROOT, "protocol")]
import check
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
        "gone": r"the server .* exited with status 70",
        "wrongVersion": r"pagewire browse: .*version 2\.0",
    }

    def play(self, name):
        started = []

        def start(run):
            program = TerminalProgram([BINARY, "browse", "--server", run.server, "{\"type\":\"items\",\"items\":[]}"], 140, 24)
            self.addCleanup(program.close)
            started.append(program)

        press = lambda keys: lambda: started[0].press(keys)
        actions = {"refresh": press("r"), "retry": press("\r"), "restart": press("\r")}
        actions.update(toStart=press("g"), toEnd=press("G"), quit=press("q"))
        kit.play(
            name, start, lambda: "\n".join(started[0].rows), self.WORDS, actions, BINARY,
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
        return started[0]


class SmallClientTests(SmallClientCase):
    """A client that is right passes every scenario, and whatever is played to it is what a server may say."""

    LOOSE = ("unknown-words", "unknown-request", "wrong-version")

    def play(self, name):
        client = super().play(name)
        check.faults.clear()
        messages = check.Messages(check.Schemas(), name, name in self.LOOSE)
        for is_ours, message in client.log:
            if message.get("method") == "initialize":
                messages.asked.clear()  # another server, after a restart, and ids from 1 again
            if isinstance(message.get("result"), dict) and "capabilities" in message["result"]:
                # A server's own; new ones come with its versions.
                message["result"]["capabilities"]["limits"] = {"$any": True}
            messages.check(message, is_ours)
        self.assertEqual(check.faults, [])
        self.assertGreater(sum(not is_ours for is_ours, _ in client.log), 0)


class PlainAnswerTests(EndToEndCase):
    """What the player answers by itself is what the server answers that has loaded the same."""

    ITEMS = [{"id": number} for number in range(5)]

    def player(self, **facts):
        session = {"$ref": "session"}
        list_facts = {"count": 5, "hasMore": True, "hasPrevious": False, "paused": False, "phase": "items", **facts}
        page = {"page": 0, "start": 0, "items": self.ITEMS, "ids": list(range(5)), "duplicates": 0, "replaces": False}

        def told(method, **params):
            return {"expect": {"jsonrpc": "2.0", "method": method, "params": {"session": session, "generation": 1, **params}}}

        lines = (
            {"transcript": "1.0", "description": "five items", "section": "1", "frontEnd": True},
            {"await": {"$partial": {"method": "open", "params": {"$partial": {"session": {"$capture": "session"}}}}}},
            told("loading", kind="initial", isLoading=True),
            told("pageAppended", **page, **list_facts),
            told("loading", kind="initial", isLoading=False, result="loaded", **list_facts),
            {"await": {"$partial": {"method": "shutdown"}}},
        )
        path = self.file("".join(json.dumps(line) + "\n" for line in lines), "five.jsonl")
        # Not held to the order of notifications: a load begins when the transcript has come to it.
        server = Server("replay", "--serve", path, check=False)
        self.addCleanup(server.kill)
        return server

    def compare(self, requests, more=True, **settings):
        answers = []
        for server in (self.server(), self.player(hasMore=more)):
            since = server.mark()
            state = server.open("s", {"type": "client"}, retry={"retries": 0}, **settings)
            if not answers:
                server.next_fetch("s").answer(self.ITEMS, next="n" if more else None)
            server.wait_loaded("s", since)
            got = [{name: state[name] for name in ("generation", "phase", "count", "hasMore", "hasPrevious", "first", "last")}]
            got += [server.call(method, {"session": "s", **params}) for method, params in requests]
            state = server.call("state", {"session": "s"})
            got.append({name: state[name] for name in ("phase", "count", "hasMore", "first", "last", "loading", "error", "scrolledID")})
            answers.append(got)
        names = ["open", *requests, "state"]
        self.assertEqual(list(zip(names, answers[0])), list(zip(names, answers[1])))

    APPEARED = [("itemAppeared", {"position": number}) for number in (0, 1, 3, 99, 4, 4)]

    def test_items_and_ranges(self):
        self.compare([
            ("itemAppeared", {"position": 0, "generation": 0}), ("visibleRange", {"first": 90, "last": 99}),
            ("setScrolledID", {"id": 2}), ("setScrolledID", {"id": "x"}), ("visibleRange", {"first": 0, "last": 2}),
            ("loaderAppeared", {"edge": "end"}), ("loaderDisappeared", {"edge": "end"}), ("itemAppeared", {"id": 2}),
            ("scrolled", {"offset": 0, "viewport": 10, "content": 20}), *self.APPEARED,
            ("visibleRange", {"first": -9, "last": 99}), ("itemAppeared", {"id": 0}), ("itemAppeared", {"id": 77}),
        ], prefetchThreshold=1)  # fmt: skip

    def test_the_default_threshold(self):
        self.compare(self.APPEARED)

    def test_a_list_that_has_ended(self):
        self.compare([*self.APPEARED, ("loadMore", {}), ("loadPrevious", {})], more=False)

    def test_a_list_that_does_not_page(self):
        self.compare([*self.APPEARED, ("loadMore", {})], canLoadMore=False)

    def test_loaders(self):
        loader = ("loaderAppeared", {"edge": "end"})
        self.compare([("itemAppeared", {"position": 4}), ("loaderAppeared", {"edge": "start"}), loader, loader], trigger="loader")

    def test_geometry(self):
        near = [("scrolled", {"offset": offset, "viewport": 100, "content": 1000.5}) for offset in (0, 849, 850, 851, 900)]
        self.compare([("itemAppeared", {"position": 4}), *near], trigger={"distance": {}})
        self.compare(near, trigger={"distance": {"absolute": 900}})


class FaultTests(SmallClientCase):
    """A client that is wrong is found out, by the scenario and for the reason that one would expect."""

    def found_out(self, fault, scenario, *parts):
        with self.assertRaises(kit.Failed) as caught:
            # Of a crash the server lets 1.5 s pass first.
            self.play(scenario, fault, seconds=6 if scenario == "crash" else 2.5)
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
