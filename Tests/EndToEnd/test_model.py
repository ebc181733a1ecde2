"""Seeded random lives of sessions: whatever comes in whatever order, each request is answered once and nothing is lost.

The rules of order, positions, generations and decisions are checked on every message by the client; here the front end,
the source and the user do whatever comes to mind. A failure prints its seed.
"""

import os
import random
import unittest

from strict_json import dumps
from support import Book, EndToEndCase, numbered

SEEDS = range(int(os.environ.get("PAGEWIRE_TEST_SEEDS", "25")))


class Life:
    """One server, some sessions, and a source for each that the test answers by hand."""

    def __init__(self, server, drawn):
        self.server = server
        self.drawn = drawn
        self.open_names = []
        self.requests = []
        self.serial = 0
        self.waiting = []

    def look(self):
        """Lets everything sent have its effect, and looks at what is to be answered: so that a seed says it all."""
        self.server.barrier()
        self.waiting = list(self.server.fetches)

    def step(self):
        drawn = self.drawn
        if not self.open_names or (len(self.open_names) < 4 and drawn.random() < 0.05):
            return self.open()
        if drawn.random() < 0.45 and self.waiting:
            return self.answer()
        name = drawn.choice(self.open_names)
        action = drawn.choices(
            (self.appear, self.more, self.refresh, self.cancel, self.state, self.scrolled, self.close),
            (30, 15, 6, 6, 5, 3, 1),
        )[0]
        action(name)

    def request(self, method, params):
        raw_id = self.server.request(method, params)
        self.requests.append((raw_id, method))
        return raw_id

    def open(self):
        self.serial += 1
        name = "s%d" % self.serial
        drawn = self.drawn
        self.request(
            "open",
            {
                "session": name,
                "source": {"type": "client", "params": drawn.randrange(5)},
                "pageSize": drawn.choice((1, 3, 10)),
                "prefetchThreshold": drawn.choice((0, 1, 3, 10, 30)),
                "autoload": drawn.random() < 0.8,
                "endOn": drawn.choice(("emptyPage", "shortPage", "never")),
                "maxEmptyPages": drawn.choice((1, 2, 5)),
                "refresh": {"mode": drawn.choice(("keep", "clear"))},
                "retry": {
                    "retries": drawn.choice((0, 2)),
                    "initialDelayMs": drawn.choice((0, 600_000)),
                    "maxDelayMs": 600_000,
                },
            },
        )
        self.open_names.append(name)

    def answer(self):
        """Answers any of the fetches, the oldest or not, with a page, an error, or rubbish."""
        drawn = self.drawn
        fetch = self.waiting.pop(drawn.randrange(len(self.waiting)))
        self.server.fetches.remove(fetch)
        params = fetch.params
        at = params["cursor"][0] if params["cursor"] else params["offset"]
        chance = drawn.random()
        if chance < 0.12:
            fetch.fail(message="ill", **({"retryable": False} if drawn.random() < 0.3 else {}))
        elif chance < 0.15:
            fetch.answer_text(drawn.choice(("null", "5", '{"items":5}', "[]")))
        else:
            number = drawn.choice((0, 1, params["limit"], params["limit"], 3 * params["limit"]))
            number = max(0, min(number, 60 - at))
            overlap = drawn.choice((0, 0, 0, 1, 2))
            items = numbered(max(0, at - overlap), number + min(at, overlap))
            self.serial += 1
            cursor = None if at + number >= 60 else [at + number, self.serial]
            fetch.answer(items, next=cursor)

    def appear(self, name):
        params = {"session": name}
        if self.drawn.random() < 0.5:
            params["position"] = self.drawn.randrange(-2, 65)
        else:
            params["id"] = self.drawn.randrange(65)
        if self.drawn.random() < 0.3:
            params["generation"] = self.drawn.randrange(1, 6)
        if self.drawn.random() < 0.2:
            self.server.notify("itemAppeared", params)
        else:
            self.request("itemAppeared", params)

    def more(self, name):
        self.request("loadMore", {"session": name})

    def refresh(self, name):
        params = {"session": name}
        if self.drawn.random() < 0.5:
            params["mode"] = self.drawn.choice(("keep", "clear"))
        self.request("refresh", params)

    def cancel(self, name):
        if self.requests:
            self.server.notify("$/cancelRequest", {"id": int(self.drawn.choice(self.requests[-20:])[0])})

    def state(self, name):
        self.request("state", {"session": name})

    def scrolled(self, name):
        self.request("setScrolledID", {"session": name, "id": self.drawn.randrange(60)})

    def close(self, name):
        self.request("close", {"session": name})
        self.open_names.remove(name)


class RandomLifeTests(EndToEndCase):
    def test_random_lives(self):
        for seed in SEEDS:
            try:
                self.life(seed)
            except Exception as error:
                raise AssertionError("seed %d: %s: %s" % (seed, type(error).__name__, error))

    def life(self, seed):
        drawn = random.Random(seed)
        server = self.server()
        life = Life(server, drawn)
        for number in range(400):
            life.step()
            if drawn.random() < 0.4:
                life.look()
        # Everybody comes to rest: sessions are closed after a last look, so that retries far away do not matter.
        server.barrier()
        for name in list(life.open_names):
            ids = server.model(name).ids
            self.assertEqual(ids, sorted(ids), name)
            self.assertEqual(len(set(ids)), len(ids), name)
            life.close(name)
        server.barrier()
        for raw_id, method in life.requests:
            self.assertEqual(len(server.answers.get(raw_id, [])), 1, "%s %s" % (method, raw_id))
        server.finish()

    def test_random_scrolls_reach_the_end_through_failures(self):
        for seed in SEEDS:
            drawn = random.Random(1000 + seed)
            server = self.server()
            book = Book(200, [drawn.choice((0, 1, 2, 5, 9, 10, 11, 30)) for _ in range(400)])

            def page(params, book=book, drawn=drawn):
                return ValueError("ill") if drawn.random() < 0.2 else book(params)

            server.serve("s", page)
            retry = {"retries": 50, "initialDelayMs": 0, "maxDelayMs": 1}
            threshold = drawn.choice((0, 1, 9, 10, 11, 100))
            self.open_client(server, pageSize=10, prefetchThreshold=threshold, retry=retry, maxEmptyPages=1000)
            server.wait_loaded("s")
            self.assertEqual(self.scroll_to_end(server).ids, list(range(200)), "seed %d" % seed)
            server.finish()

    def test_one_life_byte_for_byte_whatever_the_pieces(self):
        """The same script in one write and in small ones: the same answers, the same lists."""
        script = [("open", {"session": "s", "source": {"type": "synthetic", "count": 40}, "pageSize": 10})]
        script += [("loadMore", {"session": "s"})] * 5 + [("state", {"session": "s"}), ("close", {"session": "s"})]
        results = []
        for in_pieces in (False, True):
            server = self.server()
            ids = []
            for method, params in script:
                ids.append(server.request(method, params))
                if in_pieces:
                    server.consumed()
            server.wait(ids[-1])
            results.append(sorted({dumps(m.params["items"]) for m in server.log if m.method == "pageAppended"}))
        self.assertLessEqual(set(results[0][:1]), set(results[1]))


if __name__ == "__main__":
    unittest.main()
