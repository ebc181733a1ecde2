"""Where a list ends, and what keeps it from going on for ever: endOn, empty pages, cycles, dedupe (section 8)."""

import itertools
import unittest

from strict_json import dumps
from support import CYCLE, Book, EndToEndCase, numbered


class EndOnTests(EndToEndCase):
    """`endOn` decides only where the page itself says nothing."""

    FULL, SHORT, NONE, LONG = numbered(0, 10), numbered(0, 3), [], numbered(0, 30)

    def has_more(self, end_on, page):
        server = self.server()
        self.open_client(server, pageSize=10, endOn=end_on, autoload=False, maxEmptyPages=1)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(**page)
        result = server.wait(waiting)
        server.barrier()
        return result["hasMore"]

    def test_where_the_page_says_nothing(self):
        table = [
            ("emptyPage", self.FULL, True),
            ("emptyPage", self.LONG, True),
            ("emptyPage", self.SHORT, True),
            ("emptyPage", self.NONE, False),
            ("shortPage", self.FULL, True),
            ("shortPage", self.LONG, True),
            ("shortPage", self.SHORT, False),
            ("shortPage", self.NONE, False),
            ("never", self.FULL, True),
            ("never", self.LONG, True),
            ("never", self.SHORT, True),
            ("never", self.NONE, True),
        ]
        for end_on, items, expected in table:
            with self.subTest(end_on=end_on, number=len(items)):
                self.assertEqual(self.has_more(end_on, {"items": items}), expected)

    def test_where_the_page_says_it(self):
        for end_on, items in itertools.product(("emptyPage", "shortPage", "never"), (self.FULL, self.SHORT, self.NONE)):
            for page, expected in (
                ({"next": None}, False),
                ({"hasMore": False}, False),
                ({"hasMore": True}, True),
                ({"next": 1}, True),
                ({"next": None, "hasMore": True}, False),
                ({"next": 1, "hasMore": False}, False),
                ({"next": 1, "hasMore": True}, True),
            ):
                with self.subTest(end_on=end_on, number=len(items), page=page):
                    self.assertEqual(self.has_more(end_on, dict(page, items=items)), expected)

    def test_a_short_page_of_raw_items_counts_not_of_items_left_after_dedupe(self):
        server = self.server()
        self.open_client(server, pageSize=10, endOn="shortPage", first={"items": self.FULL})
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(5, 10))
        self.assertEqual(server.wait(waiting)["hasMore"], True)

    def test_an_exact_multiple_of_the_page_size_ends_with_one_empty_page(self):
        server = self.server()
        book = Book(30, [10], with_cursor=False)
        server.serve("s", book)
        self.open_client(server, pageSize=10)
        self.assertEqual(self.scroll_to_end(server).ids, list(range(30)))
        self.assertEqual([call["offset"] for call in book.calls], [0, 10, 20, 30])

    def test_a_list_that_never_ends_is_paused_and_goes_on_when_told(self):
        server = self.server()
        book = Book(10, [10], with_cursor=False)
        server.serve("s", book)
        self.open_client(server, pageSize=10, endOn="never", maxEmptyPages=2)
        server.wait_loaded("s")
        server.call("itemAppeared", {"session": "s", "position": 9})
        server.until(lambda: server.model("s").facts["paused"], "the pause")
        server.barrier()
        self.assertEqual(len(book.calls), 3)
        book.total = 15
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 5)
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 0)

    def test_total_decides_nothing(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 3), "total": 3, "next": 1})
        self.assertTrue(server.model("s").facts["hasMore"])
        server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(3, 3), total=3, next=None)
        server.wait_loaded("s", server.mark() - 1)
        self.assertEqual(server.call("state", {"session": "s"})["total"], 3)


class EmptyPageTests(EndToEndCase):
    def test_after_so_many_empty_pages_in_a_row_it_pauses(self):
        for limit in (1, 2, 5):
            server = self.server()
            self.open_client(server, first={"items": numbered(0, 20), "next": 0}, maxEmptyPages=limit)
            server.call("itemAppeared", {"session": "s", "position": 19})
            for number in range(limit):
                self.assertFalse(server.model("s").facts["paused"])
                server.next_fetch().answer([] if number % 2 else numbered(0, 5), next=number + 1)
            server.until(lambda: server.model("s").facts["paused"], "the pause")
            self.assert_idle(server)

    def test_an_item_between_begins_the_count_anew(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 0}, maxEmptyPages=2, prefetchThreshold=10)
        server.call("itemAppeared", {"session": "s", "position": 19})
        server.next_fetch().answer([], next=1)
        server.next_fetch().answer(numbered(20, 1), next=2)
        server.next_fetch().answer([], next=3)
        server.next_fetch().answer(numbered(21, 1), next=4)
        self.assertFalse(server.model("s").facts["paused"])
        server.next_fetch()

    def test_a_first_load_of_nothing_but_empty_pages_ends_as_paused(self):
        server = self.server()
        self.open_client(server, autoload=False, maxEmptyPages=2)
        waiting = server.request("loadMore", {"session": "s"})
        for number in range(2):
            server.next_fetch().answer([], next=number)
        result = server.wait(waiting)
        self.assertEqual((result["outcome"], result["added"], result["hasMore"]), ("paused", 0, True))
        self.assertEqual(server.wait_loaded("s").params["result"], "paused")

    def test_a_refresh_clears_the_pause(self):
        server = self.server()
        self.open_client(server, maxEmptyPages=1)
        server.next_fetch().answer([], next=0)
        server.until(lambda: server.model("s").facts["paused"], "the pause")
        waiting = server.request("refresh", {"session": "s"})
        server.next_fetch().answer(numbered(0, 1), next=0)
        server.wait(waiting)
        self.assertFalse(server.model("s").facts["paused"])

    def test_empty_pages_are_announced(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 0})
        waiting = server.request("loadMore", {"session": "s"})
        since = server.mark()
        server.next_fetch().answer([], next=1)
        server.wait(waiting)
        page = server.wait_notification("pageAppended", since).params
        self.assertEqual((page["items"], page["ids"], page["start"], page["page"]), ([], [], 20, 1))


class CursorTests(EndToEndCase):
    def test_a_cursor_is_kept_as_exact_text(self):
        for text in (
            '"a"',
            "1.0",
            "1e0",
            "9007199254740993",
            '{"b":1,"a":[1.50,"\\u0061"], "b":2}',
            "true",
            "false",
            '""',
            "0",
            "[]",
            '"\\ud800"',
            '"\\/"',
            "[[[[]]]]",
        ):
            with self.subTest(text):
                server = self.server()
                self.open_client(server)
                server.next_fetch().answer_text('{"items":[{"id":0}],"next": %s }' % text)
                server.wait_loaded("s")
                waiting = server.request("loadMore", {"session": "s"})
                fetch = server.next_fetch()
                request = [m for m in server.log if m.kind == "request"][-1]
                self.assertIn('"cursor":%s,' % text, request.text + ",")
                fetch.answer([], next=None)
                server.wait(waiting)

    def test_a_cycle_of_any_length_commits_its_page_and_latches(self):
        for length in (1, 2, 3):
            for lead in (0, 1, 2):
                with self.subTest(length=length, lead=lead):
                    self.cycle_case(length, lead)

    def cycle_case(self, length, lead):
        server = self.server()
        names = ["lead%d" % n for n in range(lead)] + ["c%d" % n for n in range(length)]
        following = {names[n]: names[n + 1] if n + 1 < len(names) else names[lead] for n in range(len(names))}
        served = []

        def page(params):
            at = params["cursor"]
            served.append(at)
            return {"items": numbered(len(served) * 10, 2), "next": names[0] if at is None else following[at]}

        server.serve("s", page)
        self.open_client(server, prefetchThreshold=1000)
        server.wait_loaded("s")
        server.call("itemAppeared", {"session": "s", "position": 0})
        failed = server.wait_notification("loadFailed", session="s")
        self.assertEqual(failed.params["error"]["code"], CYCLE)
        self.assertFalse(failed.params["willRetry"])
        self.assertEqual(failed.params["error"]["data"]["cursor"], names[lead])
        server.barrier()
        # Every page was asked for once, and that of the cycle's last step is in the list.
        self.assertEqual(served, [None] + names)
        self.assertEqual(len(server.model("s").items), 2 * len(served))
        self.assertEqual(
            server.call("itemAppeared", {"session": "s", "position": server.model("s").last})["decision"], "latched"
        )
        self.assert_idle(server)

    def test_a_cycle_in_the_first_load_of_empty_pages_ends_it(self):
        server = self.server()
        server.serve("s", lambda params: {"items": [], "next": "again"})
        self.open_client(server, maxEmptyPages=50)
        failed = server.wait_notification("loadFailed", session="s")
        self.assertEqual(failed.params["error"]["code"], CYCLE)
        self.assert_idle(server)

    def test_a_refresh_starts_the_memory_of_cursors_afresh(self):
        server = self.server()
        book = {None: "a", "a": "b", "b": None}
        server.serve("s", lambda params: {"items": [{"id": str(params["cursor"])}], "next": book[params["cursor"]]})
        self.open_client(server)
        for _ in range(3):
            self.assertEqual(self.scroll_to_end(server).ids, ["None", "a", "b"])
            server.call("refresh", {"session": "s"})

    def test_cursors_that_differ_in_text_are_different(self):
        server = self.server()
        texts = ["1", "1.0", '"1"', "1e0", "[1]", '"\\u0031"']
        self.open_client(server, autoload=False)
        for number, text in enumerate(texts):
            waiting = server.request("loadMore", {"session": "s"})
            server.next_fetch().answer_text('{"items":[{"id":%d}],"next":%s}' % (number, text))
            self.assertEqual(server.wait(waiting)["outcome"], "loaded", text)

    def test_sources_that_page_by_offset_know_no_cycle(self):
        server = self.server()
        server.serve("s", lambda params: {"items": numbered(params["offset"], 2)})
        self.open_client(server, pageSize=2)
        for _ in range(30):
            server.call("loadMore", {"session": "s"})
        self.assertGreaterEqual(len(server.model("s").items), 60)


class DedupeTests(EndToEndCase):
    def load(self, server, *pages, **members):
        """Loads pages given as exact JSON texts of arrays of items; gives the model."""
        self.open_client(server, autoload=False, **members)
        for number, page in enumerate(pages):
            waiting = server.request("loadMore", {"session": "s"})
            server.next_fetch().answer_text('{"items":%s,"next":%d}' % (page, number))
            server.wait(waiting)
        return server.model("s")

    def test_within_a_page_and_across_pages_the_first_occurrence_wins(self):
        server = self.server()
        model = self.load(
            server, '[{"id":1,"v":"a"},{"id":2},{"id":1,"v":"b"}]', '[{"id":2,"v":"c"},{"id":3},{"id":3}]'
        )
        self.assertEqual(model.items, [{"id": 1, "v": "a"}, {"id": 2}, {"id": 3}])
        pages = [m.params for m in server.notifications("s") if m.method == "pageAppended"]
        self.assertEqual([(p["start"], p["duplicates"], len(p["items"])) for p in pages], [(0, 1, 2), (2, 2, 1)])

    def test_equal_ids_are_equal_json_values(self):
        table = [
            ('"a"', '"\\u0061"', True),
            ('"/"', '"\\/"', True),
            ('"é"', '"\\u00e9"', True),
            ('"\U0001f600"', '"\\ud83d\\ude00"', True),
            ("0", "-0", True),
            ("1", "1", True),
            ("1", '"1"', False),
            ("1", "-1", False),
            ('"a"', '"A"', False),
            ('""', '" "', False),
            ('"a"', '"a\\u0000"', False),
            ("9007199254740993", "9007199254740992", False),
            ("9007199254740993", "9007199254740993", True),
            ("18446744073709551616", "18446744073709551617", False),
            ("123456789012345678901234567890", "123456789012345678901234567890", True),
            ('"\\ud800"', '"\\ud800"', True),
            ('"\\ud800"', '"\\ud801"', False),
            ('"\\ud800"', '"\\ufffd"', False),
            ('"é"', '"e\\u0301"', False),
        ]
        for one, other, equal in table:
            with self.subTest(one=one, other=other):
                model = self.load(self.server(), '[{"id":%s}]' % one, '[{"id":%s}]' % other)
                self.assertEqual(len(model.items), 1 if equal else 2)

    def test_what_is_no_id_is_never_deduped(self):
        for value in ("null", "true", "1.0", "1e0", "1.5", "[]", "{}", "[1]", '{"id":1}', "-0.0"):
            with self.subTest(value):
                model = self.load(self.server(), '[{"id":%s},{"id":%s}]' % (value, value), '[{"id":%s}]' % value)
                self.assertEqual((len(model.items), model.ids), (3, [None] * 3))

    def test_items_that_are_no_objects_have_no_id(self):
        model = self.load(self.server(), '[1,1,"a","a",null,null,[],[],true,{}]')
        self.assertEqual(model.ids, [None] * 10)

    def test_of_duplicate_id_members_the_last_counts(self):
        model = self.load(self.server(), '[{"id":1,"id":2},{"id":2},{"\\u0069d":3}]')
        self.assertEqual(model.ids, [2, 3])

    def test_id_paths(self):
        table = [
            ("", '[1,2,1,"1"]', [1, 2, "1"]),
            ("/a/b", '[{"a":{"b":1}},{"a":{"b":1}},{"a":1}]', [1, None]),
            ("/0", "[[7,8],[7,9],[]]", [7, None]),
            ("/1", "[[7,8],[7,9],[7,8]]", [8, 9]),
            ("/a~1b", '[{"a/b":1},{"a/b":1}]', [1]),
            ("/m~0n", '[{"m~n":1},{"m~n":1}]', [1]),
            ("/", '[{"":1},{"":1}]', [1]),
            ("/é", '[{"\\u00e9":1},{"é":1}]', [1]),
            ("/-", "[[1]]", [None]),
            ("/01", '[{"01":1},[0,1]]', [1, None]),
            ("/nosuch", '[{"id":1},{"id":1}]', [None, None]),
        ]
        for path, items, ids in table:
            with self.subTest(path):
                self.assertEqual(self.load(self.server(), items, idPath=path).ids, ids)

    def test_switched_off_everything_stays(self):
        model = self.load(self.server(), '[{"id":1},{"id":1}]', '[{"id":1}]', dedupe=False)
        self.assertEqual((model.ids, model.duplicates), ([1, 1, 1], 0))

    def test_the_sources_own_keys_are_not_deduped_and_stand_in_for_ids(self):
        server = self.server()
        self.open_client(server)
        server.next_fetch().answer(["x", {"id": 5}, "y", "z"], ids=["k", "k", "k", None], next=None)
        server.wait_loaded("s")
        self.assertEqual(server.model("s").history[1][1]["ids"], ["k", 5, "k", None])
        self.assertEqual(len(server.model("s").items), 4)

    def test_a_sources_key_never_equals_an_id(self):
        server = self.server()
        self.open_client(server)
        server.next_fetch().answer([{"id": 1}, "x"], ids=[None, 1], next=None)
        server.wait_loaded("s")
        self.assertEqual(len(server.model("s").items), 2)

    def test_the_offset_counts_raw_items(self):
        server = self.server()
        self.open_client(server, pageSize=5, autoload=False)
        offsets = []
        for start in (0, 3, 6, 6):
            waiting = server.request("loadMore", {"session": "s"})
            fetch = server.next_fetch()
            offsets.append((fetch.params["offset"], fetch.params["page"], fetch.params["cursor"]))
            fetch.answer(numbered(start, 5))
            server.wait(waiting)
        self.assertEqual(offsets, [(0, 0, None), (5, 1, None), (10, 2, None), (15, 3, None)])
        self.assertEqual(server.model("s").ids, list(range(11)))

    def test_ids_after_a_refresh_are_new(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 5), "next": 1})
        waiting = server.request("refresh", {"session": "s"})
        server.next_fetch().answer(numbered(0, 5), next=1)
        result = server.wait(waiting)
        self.assertEqual((result["added"], result["duplicates"], result["count"]), (5, 0, 5))

    def test_a_hundred_thousand_ids(self):
        server = self.server()
        ids = [str(n) for n in range(100_000)]
        text = "[" + ",".join('{"id":%s}' % dumps(each) for each in ids) + "]"
        model = self.load(server, text, text, pageSize=100_000)
        self.assertEqual((len(model.items), model.duplicates), (100_000, 100_000))


if __name__ == "__main__":
    unittest.main()
