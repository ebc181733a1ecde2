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
    """One server, some sessions, and a source for each that the test answers by hand.

    Each source holds the items 0 to 59; a cursor is [where, direction, serial]. Where a session has a window, pages are
    always cut alike, since a page that was dropped is asked for again as it was.
    """

    TOTAL = 60

    def __init__(self, server, drawn):
        self.server = server
        self.drawn = drawn
        self.open_names = []
        self.windowed = set()
        self.from_the_middle = set()
        self.requests = []
        self.serial = 0
        self.waiting = []
        self.actions = {
            self.appear: 30,
            self.more: 12,
            self.previous: 6,
            self.refresh: 6,
            self.cancel: 6,
            self.state: 5,
            self.range: 8,
            self.loader: 10,
            self.geometry: 8,
            self.scrolled: 3,
            self.close: 1,
        }

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
        action = drawn.choices(list(self.actions), list(self.actions.values()))[0]
        return action(drawn.choice(self.open_names))

    def request(self, method, params):
        raw_id = self.server.request(method, params)
        self.requests.append((raw_id, method))
        return raw_id

    def open(self):
        self.serial += 1
        name = "s%d" % self.serial
        drawn = self.drawn
        params = {
            "session": name,
            "source": {"type": "client", "params": drawn.randrange(5)},
            "pageSize": drawn.choice((1, 3, 10)),
            "prefetchThreshold": drawn.choice((0, 1, 3, 10, 30)),
            "trigger": drawn.choice(("item", "item", "loader", {"distance": {"absolute": 50}})),
            "autoload": drawn.random() < 0.8,
            "endOn": drawn.choice(("emptyPage", "shortPage", "never")),
            "maxEmptyPages": drawn.choice((1, 2, 5)),
            "maxUnseenPages": drawn.choice((1, 3)),
            "refresh": {"mode": drawn.choice(("keep", "clear")), "extent": drawn.choice(("first", "first", "loaded"))},
            "retry": {
                "retries": drawn.choice((0, 2)),
                "initialDelayMs": drawn.choice((0, 600_000)),
                "maxDelayMs": 600_000,
            },
        }
        if drawn.random() < 0.4:
            params["startAt"] = [drawn.choice((20, 40, 59)), 1, 0]
            self.from_the_middle.add(name)
        if drawn.random() < 0.3:
            params["maxItems"] = drawn.choice((1, 10, 25))
            self.windowed.add(name)
        self.request("open", params)
        self.open_names.append(name)

    def answer(self, kindly=False):
        """Answers any of the fetches, the oldest or not, with a page, an error, or rubbish."""
        drawn = self.drawn
        fetch = self.waiting.pop(drawn.randrange(len(self.waiting)))
        self.server.fetches.remove(fetch)
        params = fetch.params
        chance = 1 if kindly else drawn.random()
        if chance < 0.12:
            return fetch.fail(message="ill", **({"retryable": False} if drawn.random() < 0.3 else {}))
        if chance < 0.15:
            return fetch.answer_text(drawn.choice(("null", "5", '{"items":5}', "[]")))
        at, direction, _ = params["cursor"] or [params["offset"], 1, 0]
        number = params["limit"]
        overlap = 0
        if params["session"] not in self.windowed and not kindly:
            number = drawn.choice((0, 1, number, number, 3 * number))
            # What lies before a list that began in the middle must not come in at its end.
            overlap = 0 if params["session"] in self.from_the_middle else drawn.choice((0, 0, 0, 1, 2))
        self.serial += 1
        if direction < 0:
            low = max(0, at - number)
            return fetch.answer(numbered(low, at - low), previous=[low, -1, self.serial] if low > 0 else None)
        high = min(self.TOTAL, at + number)
        low = max(0, at - overlap)
        following = None if high >= self.TOTAL else [high, 1, self.serial]
        return fetch.answer(
            numbered(low, high - low), next=following, previous=[low, -1, self.serial] if low > 0 else None
        )

    def appear(self, name):
        params = {"session": name}
        if self.drawn.random() < 0.5:
            params["position"] = self.drawn.randrange(-40, 65)
        else:
            params["id"] = self.drawn.randrange(65)
        if self.drawn.random() < 0.3:
            params["generation"] = self.drawn.randrange(1, 6)
        if self.drawn.random() < 0.2:
            self.server.notify("itemAppeared", params)
        else:
            self.request("itemAppeared", params)

    def range(self, name):
        first = self.drawn.randrange(-40, 65)
        self.request("visibleRange", {"session": name, "first": first, "last": first + self.drawn.randrange(20)})

    def loader(self, name):
        method = self.drawn.choice(("loaderAppeared", "loaderAppeared", "loaderDisappeared"))
        self.request(method, {"session": name, "edge": self.drawn.choice(("end", "end", "start"))})

    def geometry(self, name):
        offset = self.drawn.choice((0, 10, 500, 850, 900))
        self.request("scrolled", {"session": name, "offset": offset, "viewport": 100, "content": 1000})

    def more(self, name):
        self.request("loadMore", {"session": name})

    def previous(self, name):
        self.request("loadPrevious", {"session": name})

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

    def settle(self, limit):
        """Answers everything kindly until nothing more is asked for; False if that does not come to an end."""
        for _ in range(limit):
            self.look()
            if not self.waiting:
                return True
            self.answer(kindly=True)
        return False


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
        # Once the source is well and nobody moves, all comes to rest: 60 items need no more than so many pages.
        self.assertTrue(life.settle(1000), "the loads go on for ever")
        for name in list(life.open_names):
            ids = server.model(name).ids
            self.assertTrue(ids == sorted(set(ids)), "%s: %r" % (name, ids))
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
