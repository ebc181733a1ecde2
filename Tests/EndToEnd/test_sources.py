"""The built-in sources: items, synthetic and client; the file source has a file of its own (contract section 9)."""

import unittest

from strict_json import array_elements, dumps, object_members
from support import BAD_PARAMS, EndToEndCase, numbered

# JSON values that lose something in most parsers; they must come through byte for byte.
ODD_VALUES = (
    "1.0",
    "1e0",
    "-0",
    "0.10",
    "1E+400",
    "9007199254740993",
    "123456789012345678901234567890",
    '"\\u0061"',
    '"\\/"',
    '"/"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\U0001f600"',
    '"\u2028"',
    '"\\b\\f\\n\\r\\t"',
    '{"b":1,"a":2,"b":3}',
    '{"id": 1 , "x" :[ ]}',
    "[1,\t2,\n3]",
    "{}",
    "[ ]",
    "null",
    "true",
    '""',
    '{"":{"":{}}}',
    "[" * 400 + "]" * 400,
    '{"id":"a\\u00e9","v":1.50}',
)


def page_texts(server, session="s"):
    """The exact text of every item that was announced."""
    texts = []
    for message in server.notifications(session):
        if message.method == "pageAppended":
            texts += array_elements(object_members(message.raw["params"])["items"][1])
    return texts


class PassThroughTests(EndToEndCase):
    def test_items_source_byte_for_byte(self):
        server = self.server()
        text = '{"session":"s","pageSize":7,"source":{"type":"items","items":[ %s ]}}' % " ,\n ".join(ODD_VALUES)
        server.wait(server.request("open", text))
        server.wait_loaded("s")
        self.scroll_to_end(server)
        self.assertEqual(page_texts(server), list(ODD_VALUES))

    def test_client_source_byte_for_byte(self):
        server = self.server()
        self.open_client(server)
        server.next_fetch().answer_text('{"next":null,"items":[%s]}' % ",".join(ODD_VALUES))
        server.wait_loaded("s")
        self.assertEqual(page_texts(server), list(ODD_VALUES))

    def test_ids_come_as_they_were_written(self):
        server = self.server()
        self.open_client(server)
        ids = ['"\\u0061"', "9007199254740993", "-0", '"é"', '"\\/"', "18446744073709551616", '"\\ud800"']
        server.next_fetch().answer_text('{"next":null,"items":[%s]}' % ",".join('{"id":%s}' % each for each in ids))
        message = server.wait_notification("pageAppended")
        self.assertEqual(array_elements(object_members(message.raw["params"])["ids"][1]), ids)


class ItemsTests(EndToEndCase):
    def test_pages_total_and_end(self):
        for count in (0, 1, 2, 3, 4, 10):
            with self.subTest(count):
                server = self.server()
                server.open("s", {"type": "items", "items": numbered(0, count)}, pageSize=3)
                server.wait_loaded("s")
                model = self.scroll_to_end(server)
                self.assertEqual(model.ids, list(range(count)))
                self.assertEqual(server.call("state", {"session": "s"})["total"], count)

    def test_the_last_page_says_that_it_is_the_last(self):
        server = self.server()
        server.open("s", {"type": "items", "items": numbered(0, 6)}, pageSize=3, endOn="never")
        server.wait_loaded("s")
        self.assertTrue(server.model("s").facts["hasMore"])
        self.assertFalse(server.call("loadMore", {"session": "s"})["hasMore"])

    def test_many_items(self):
        server = self.server()
        server.open("s", {"type": "items", "items": numbered(0, 50_000)}, pageSize=1000)
        server.wait_loaded("s")
        self.assertEqual(self.scroll_to_end(server).ids, list(range(50_000)))

    def test_a_refresh_shows_them_again(self):
        server = self.server()
        server.open("s", {"type": "items", "items": numbered(0, 30)})
        server.wait_loaded("s")
        self.scroll_to_end(server)
        self.assertEqual(server.call("refresh", {"session": "s"})["count"], 20)
        self.assertEqual(self.scroll_to_end(server).ids, list(range(30)))


class SyntheticTests(EndToEndCase):
    def open(self, server, pageSize=10, **source):
        members = source.pop("members", {})
        state = server.open("s", dict(source, type="synthetic"), pageSize=pageSize, **members)
        server.wait_loaded("s")
        return state

    def test_items_from_0_with_a_title(self):
        server = self.server()
        self.open(server, count=25)
        model = self.scroll_to_end(server)
        self.assertEqual(model.items, [{"id": k, "title": "Item %d" % k} for k in range(25)])

    def test_the_default_count_is_100(self):
        server = self.server()
        self.open(server)
        self.assertEqual(len(self.scroll_to_end(server).items), 100)

    def test_endless(self):
        server = self.server()
        self.open(server, count=None)
        for number in range(2, 30):
            self.assertEqual(server.call("loadMore", {"session": "s"})["count"], 10 * number)

    def test_none_at_all(self):
        server = self.server()
        self.open(server, count=0)
        self.assertEqual(server.model("s").facts["phase"], "empty")

    def test_total_is_reported_on_demand(self):
        server = self.server()
        self.open(server, count=25, reportTotal=True)
        self.assertEqual(server.call("state", {"session": "s"})["total"], 25)
        other = self.server()
        self.open(other, count=25)
        self.assertIsNone(other.call("state", {"session": "s"})["total"])

    def test_items_of_a_size(self):
        server = self.server()
        self.open(server, count=20, itemBytes=500)
        for text in page_texts(server):
            self.assertEqual(len(text.encode("utf-8")), 500)
            self.assertEqual(list(object_members(text)), ["id", "title", "filling"])

    def test_failing_pages(self):
        server = self.server()
        fail = [{"page": 1, "times": 2, "message": "Page 1 is ill."}, {"page": 2, "times": 1, "retryable": False}]
        retry = {"retries": 3, "initialDelayMs": 1, "jitter": 0}
        self.open(server, count=40, fail=fail, members={"retry": retry})
        self.assertEqual(server.call("loadMore", {"session": "s"})["count"], 20)
        told = [m.params for m in server.notifications("s") if m.method == "loadFailed"]
        self.assertEqual([each["attempt"] for each in told], [1, 2])
        self.assertIn("Page 1 is ill.", dumps(told[0]["error"]))
        answer = server.wait_response(server.request("loadMore", {"session": "s"}))
        self.assertIn("error", answer.members)
        self.assertEqual(server.call("loadMore", {"session": "s"})["count"], 30)

    def test_empty_and_short_pages_lose_nothing(self):
        server = self.server()
        self.open(server, count=60, emptyPages=[0, 2, 3], shortPages=[1, 5], members={"endOn": "shortPage"})
        self.assertEqual(self.scroll_to_end(server).ids, list(range(60)))
        sizes = [len(m.params["items"]) for m in server.notifications("s") if m.method == "pageAppended"]
        self.assertEqual(sizes[:7], [0, 5, 0, 0, 10, 5, 10])

    def test_items_inserted_at_the_head_overlap_and_are_shown_by_a_refresh(self):
        server = self.server()
        self.open(server, count=40, insertAtHeadPerPage=2, members={"endOn": "shortPage"})
        model = self.scroll_to_end(server)
        self.assertEqual(model.ids, list(range(40)))
        self.assertGreater(model.duplicates, 0)
        server.call("refresh", {"session": "s"})
        self.assertTrue(all(each < 0 for each in model.ids[:2]), model.ids)
        self.assertEqual(model.ids, sorted(model.ids))

    def test_latency_with_jitter_and_seed(self):
        server = self.server()
        self.open(server, count=30, latencyMs=5, jitterMs=5, seed=7)
        self.assertEqual(len(self.scroll_to_end(server).items), 30)

    def test_members_of_the_wrong_kind_are_named(self):
        server = self.server()
        table = {
            "count": (-1, 1.5, "5", True, [], {}, 2**53 + 1),
            "start": (1.5, "0", [], 2**53 + 1),
            "latencyMs": (-1, "1", 1.5, {}),
            "jitterMs": (-1, "1"),
            "seed": ("x", 1.5),
            "itemBytes": (-1, "1"),
            "reportTotal": (1, "true", []),
            "fail": (5, {}, "x"),
            "emptyPages": (5, {}, "x"),
            "shortPages": (5, {}, "x"),
            "insertAtHeadPerPage": (-1, "1", 1.5),
        }
        for name, values in table.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    error = self.refused(BAD_PARAMS, server.open, "s", {"type": "synthetic", name: value})
                    self.assert_names(error, "/source/" + name)
        for name, value, pointer in (
            ("fail", [5], "/source/fail/0"),
            ("fail", [{"page": 0, "times": 1}, {"page": "x", "times": 1}], "/source/fail/1/page"),
            ("fail", [{"page": 0, "times": -1}], "/source/fail/0/times"),
            ("emptyPages", [0, "x"], "/source/emptyPages/1"),
            ("shortPages", [1.5], "/source/shortPages/0"),
            ("nosuch", 1, "/source/nosuch"),
        ):
            with self.subTest(name=name, value=value):
                error = self.refused(BAD_PARAMS, server.open, "s", {"type": "synthetic", name: value})
                self.assert_names(error, pointer)
        self.assertEqual(server.call("sessions"), [])

    def test_extreme_values_do_not_trap(self):
        server = self.server()
        big = 2**53
        for number, source in enumerate(
            (
                {"count": big},
                {"count": None, "insertAtHeadPerPage": 1000},
                {"count": 5, "seed": big},
                {"count": 5, "seed": -big},
                {"count": 5, "emptyPages": [big], "shortPages": [0, big], "fail": [{"page": big, "times": big}]},
            )
        ):
            session = "s%d" % number
            server.open(session, dict(source, type="synthetic"), pageSize=5)
            server.wait_loaded(session, result="loaded")
            server.call("loadMore", {"session": session})
        server.open("slow", {"type": "synthetic", "latencyMs": big, "jitterMs": big}, timeoutMs=big)
        server.barrier()


class ClientTests(EndToEndCase):
    def test_fetch_page_says_what_is_wanted(self):
        server = self.server()
        state = server.open("s", {"type": "client", "params": {"q": [1.0, "x"]}}, pageSize=7)
        self.assertEqual(state["source"]["type"], "client")
        fetch = server.next_fetch()
        self.assertEqual(
            fetch.params,
            {
                "session": "s",
                "generation": 1,
                "kind": "initial",
                "cursor": None,
                "page": 0,
                "offset": 0,
                "limit": 7,
                "params": {"q": [1.0, "x"]},
            },
        )
        fetch.answer(numbered(0, 5), next={"at": 5})
        server.wait_loaded("s")
        server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual(
            fetch.params,
            {
                "session": "s",
                "generation": 1,
                "kind": "more",
                "cursor": {"at": 5},
                "page": 1,
                "offset": 5,
                "limit": 7,
                "params": {"q": [1.0, "x"]},
            },
        )
        fetch.answer([], next=None)

    def test_params_come_as_they_were_written_or_null(self):
        server = self.server()
        server.wait(
            server.request("open", '{"session":"a","source":{"type":"client","params":{"b":1.0, "a":"\\u0061"}}}')
        )
        fetch = server.next_fetch("a")
        self.assertIn('"params":{"b":1.0, "a":"\\u0061"}', [m for m in server.log if m.kind == "request"][0].text)
        fetch.answer([], next=None)
        server.open("b", {"type": "client"})
        fetch = server.next_fetch("b")
        self.assertIsNone(fetch.params["params"])
        fetch.answer([], next=None)

    def test_pages_of_any_size(self):
        server = self.server()
        self.open_client(server, pageSize=10)
        at = 0
        for number, size in enumerate((1, 100, 0, 10, 5000, 3)):
            if number:
                server.request("loadMore", {"session": "s"})
            server.next_fetch().answer(numbered(at, size), next=number)
            at += size
            server.until(lambda: server.model("s").last == at - 1 and not server.model("s").loading, "the page")
        self.assertEqual(server.model("s").ids, list(range(at)))

    def test_a_page_of_many_megabytes(self):
        server = self.server()
        self.open_client(server)
        items = [{"id": number, "text": "x" * 1_000_000} for number in range(30)]
        server.next_fetch().answer(items, next=None)
        server.wait_loaded("s", result="loaded")
        self.assertEqual(server.model("s").items, items)

    def test_answers_of_many_sessions_in_any_order(self):
        server = self.server()
        names = ["s%d" % n for n in range(50)]
        for name in names:
            server.open(name, {"type": "client"})
        fetches = {name: server.next_fetch(name) for name in names}
        for number, name in enumerate(reversed(names)):
            fetches[name].answer([{"id": name}], next=None)
        for name in names:
            server.wait_loaded(name)
            self.assertEqual(server.model(name).ids, [name])

    def test_sources_refuse_members_that_they_do_not_know(self):
        server = self.server()
        for source in (
            {"type": "client", "x": 1},
            {"type": "items", "items": [], "x": 1},
            {"type": "file", "path": "x", "x": 1},
        ):
            self.assert_names(self.refused(BAD_PARAMS, server.open, "s", source), "/source/x")


if __name__ == "__main__":
    unittest.main()
