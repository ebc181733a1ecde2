"""Ranges, loaders, geometry, the way back and the window (contract sections 4, 5 and 8).

A server may be built without some of these; it then refuses them, and the tests that need them are skipped.
"""

import unittest

from pagewire_client import RPCError
from support import CANCELLED, NO_METHOD, Book, EndToEndCase, numbered

PAGE = {"items": numbered(0, 20), "next": 1}


class TriggerCase(EndToEndCase):
    def needs(self, server, method, trigger=None):
        try:
            server.call(method, {})
        except RPCError as error:
            if error.code == NO_METHOD:
                self.skipTest("%s is not built" % method)
        if trigger and trigger not in server.call("initialize", {})["capabilities"]["triggers"]:
            self.skipTest("the trigger %s is not built" % trigger)
        return server

    def report(self, server, method, **members):
        return server.call(method, dict(members, session="s"))


class VisibleRangeTests(TriggerCase):
    def test_decisions(self):
        server = self.needs(self.server(), "visibleRange")
        self.open_client(server, first=PAGE)
        report = lambda first, last, **more: self.report(server, "visibleRange", first=first, last=last, **more)  # noqa: E731
        self.assertEqual(report(0, 5)["decision"], "idle")
        self.assertEqual(report(20, 30)["decision"], "unknown")
        self.assertEqual(report(-9, -1)["decision"], "unknown")
        self.assertEqual(report(0, 19, generation=0)["decision"], "stale")
        self.assertEqual(report(0, 19, generation=2)["decision"], "unknown")
        self.assert_idle(server)
        self.assertEqual(report(10, 500), {"decision": "started", "previous": "idle"})
        server.next_fetch().answer(numbered(20, 40), next=None)
        server.until(lambda: server.model("s").last == 59, "the page")
        self.assertEqual(report(0, 59), {"decision": "ended", "previous": "ended"})

    def test_a_range_replaces_the_demand(self):
        server = self.needs(self.server(), "visibleRange")
        self.open_client(server, first=PAGE)
        self.assertEqual(self.report(server, "itemAppeared", position=19)["decision"], "started")
        fetch = server.next_fetch()
        self.report(server, "visibleRange", first=0, last=5)
        # Nobody is near the end any more: whatever becomes of this load, no other follows it.
        if not server.was_cancelled(fetch):
            fetch.answer([], next=2)
        server.until(lambda: not server.model("s").loading, "the load to end")
        self.assert_idle(server)

    def test_bad_ranges_are_named(self):
        server = self.needs(self.server(), "visibleRange")
        self.open_client(server, first=PAGE)
        for members, pointer in (
            ({"first": 0}, "/last"),
            ({"last": 0}, "/first"),
            ({"first": "0", "last": 1}, "/first"),
            ({"first": 0, "last": 2**53 + 1}, "/last"),
        ):
            with self.assertRaises(RPCError) as caught:
                self.report(server, "visibleRange", **members)
            self.assert_names(caught.exception, pointer)


class LoaderTests(TriggerCase):
    def open_loader(self, **members):
        server = self.needs(self.server(), "loaderAppeared", "loader")
        self.open_client(server, trigger="loader", **members)
        return server

    def test_a_visible_loader_loads_and_goes_on_for_so_many_pages(self):
        server = self.open_loader(first=PAGE, maxUnseenPages=3)
        self.assertEqual(self.report(server, "itemAppeared", position=19)["decision"], "idle")
        self.assertEqual(self.report(server, "loaderAppeared", edge="end")["decision"], "started")
        for number in range(3):
            server.next_fetch().answer(numbered(20 + number, 1), next=number + 2)
        server.until(lambda: server.model("s").last == 22 and not server.model("s").loading, "three pages")
        self.assert_idle(server)
        # A word about what is visible lets it go on.
        self.report(server, "itemAppeared", position=22)
        server.next_fetch()

    def test_the_load_goes_with_the_loader(self):
        server = self.open_loader(first=PAGE)
        self.report(server, "loaderAppeared", edge="end")
        fetch = server.next_fetch()
        self.assertEqual(self.report(server, "loaderDisappeared", edge="end")["decision"], "idle")
        server.wait_cancelled(fetch)
        server.wait_loaded("s", result="cancelled")
        self.assert_idle(server)
        self.assertEqual(self.report(server, "loaderAppeared", edge="end")["decision"], "started")
        self.assertEqual(server.next_fetch().params["cursor"], 1)

    def test_a_request_that_waits_keeps_the_load(self):
        server = self.open_loader(first=PAGE)
        self.report(server, "loaderAppeared", edge="end")
        fetch = server.next_fetch()
        waiting = server.request("loadMore", {"session": "s"})
        self.report(server, "loaderDisappeared", edge="end")
        fetch.answer(numbered(20, 5), next=None)
        self.assertEqual(server.wait(waiting)["outcome"], "coalesced")

    def test_the_first_load(self):
        server = self.open_loader(autoload=False)
        self.assertEqual(self.report(server, "loaderAppeared", edge="end")["decision"], "started")
        server.next_fetch().answer(numbered(0, 5), next=None)
        server.wait_loaded("s")

    def test_a_loader_that_stays_visible_is_not_stranded_by_a_short_page(self):
        server = self.open_loader(first={"items": numbered(0, 1), "next": 1}, maxUnseenPages=50)
        self.report(server, "loaderAppeared", edge="end")
        for number in range(10):
            server.next_fetch().answer(numbered(1 + number, 1), next=number + 2)
        fetch = server.next_fetch()
        self.report(server, "loaderDisappeared", edge="end")
        server.wait_cancelled(fetch)


class GeometryTests(TriggerCase):
    def open_distance(self, trigger, **members):
        server = self.needs(self.server(), "scrolled")
        try:
            self.open_client(server, trigger=trigger, **members)
        except RPCError:
            self.skipTest("the trigger distance is not built")
        return server

    def scrolled(self, server, offset, viewport=100, content=1000):
        return self.report(server, "scrolled", offset=offset, viewport=viewport, content=content)["decision"]

    def test_strictly_less_than_the_distance(self):
        server = self.open_distance({"distance": {"absolute": 50}}, first=PAGE)
        self.assertEqual(self.scrolled(server, 0), "idle")
        self.assertEqual(self.scrolled(server, 850), "idle")
        self.assertEqual(self.scrolled(server, 850.5), "started")

    def test_relative_to_what_is_visible(self):
        server = self.open_distance({"distance": {"relative": 0.5}}, first=PAGE)
        self.assertEqual(self.scrolled(server, 850), "idle")
        self.assertEqual(self.scrolled(server, 851), "started")

    def test_the_gate_looks_at_the_height(self):
        trigger = {"distance": {"absolute": 50}, "waitForHeightChange": "always"}
        server = self.open_distance(trigger, first=PAGE)
        self.assertEqual(self.scrolled(server, 900), "started")
        server.next_fetch().answer(numbered(20, 5), next=2)
        server.until(lambda: server.model("s").last == 24 and not server.model("s").loading, "the page")
        self.assertEqual(self.scrolled(server, 900), "idle")
        self.assert_idle(server)
        self.assertEqual(self.scrolled(server, 1400, content=1500), "started")

    def test_without_a_gate(self):
        trigger = {"distance": {"absolute": 50}, "waitForHeightChange": "never"}
        server = self.open_distance(trigger, first=PAGE)
        for number in range(3):
            self.assertEqual(self.scrolled(server, 900), "started")
            server.next_fetch().answer(numbered(20 + number, 1), next=number + 2)
            server.until(lambda: server.model("s").last == 20 + number and not server.model("s").loading, "the page")

    def test_when_the_time_of_the_gate_is_over_the_last_geometry_is_weighed_again(self):
        trigger = {"distance": {"absolute": 50}, "waitForHeightChange": {"untilMs": 50}}
        server = self.open_distance(trigger, first=PAGE)
        self.assertEqual(self.scrolled(server, 900), "started")
        server.next_fetch().answer(numbered(20, 1), next=2)
        server.until(lambda: server.model("s").last == 20 and not server.model("s").loading, "the page")
        self.scrolled(server, 900)
        self.assertEqual(server.next_fetch().params["cursor"], 2)

    def test_bad_geometry_is_named(self):
        server = self.open_distance({"distance": {"absolute": 50}}, first=PAGE)
        for name in ("offset", "viewport", "content"):
            for value in ("1", None, True, [], {}):
                members = {"offset": 0, "viewport": 1, "content": 2, name: value}
                with self.assertRaises(RPCError) as caught:
                    self.report(server, "scrolled", **members)
                self.assert_names(caught.exception, "/" + name)


class WayBackTests(TriggerCase):
    MIDDLE = {"items": numbered(100, 20), "next": "n1", "previous": "p1"}

    def test_prepended_pages_count_down(self):
        server = self.needs(self.server(), "loadPrevious")
        self.open_client(server, first=self.MIDDLE)
        model = server.model("s")
        self.assertTrue(model.facts["hasPrevious"])
        waiting = server.request("loadPrevious", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual((fetch.params["kind"], fetch.params["cursor"]), ("previous", "p1"))
        fetch.answer(numbered(90, 10), previous="p2", next="ignored")
        result = server.wait(waiting)
        self.assertEqual((result["outcome"], result["added"], result["hasPrevious"]), ("loaded", 10, True))
        self.assertEqual((model.first, model.last, model.ids[0]), (-10, 19, 90))
        waiting = server.request("loadPrevious", {"session": "s"})
        server.next_fetch().answer(numbered(85, 5))
        self.assertEqual(server.wait(waiting)["hasPrevious"], False)
        self.assertEqual(server.call("loadPrevious", {"session": "s"})["outcome"], "ended")
        self.assertEqual(model.ids, list(range(85, 120)))
        self.assertEqual(server.call("itemAppeared", {"session": "s", "id": 85})["position"], -15)

    def test_both_directions_at_once_in_both_orders(self):
        for order in ((0, 1), (1, 0)):
            server = self.needs(self.server(), "loadPrevious")
            self.open_client(server, first=self.MIDDLE)
            waiting = [server.request(method, {"session": "s"}) for method in ("loadMore", "loadPrevious")]
            fetches = {}
            for _ in range(2):
                fetch = server.next_fetch()
                fetches[fetch.params["kind"]] = fetch
            answers = (
                lambda: fetches["more"].answer(numbered(120, 5), next=None),
                lambda: fetches["previous"].answer(numbered(95, 5)),
            )
            for index in order:
                answers[index]()
                server.wait(waiting[index])
            self.assertEqual(server.model("s").ids, list(range(95, 125)))

    def test_demand_at_the_start_is_used_up_by_its_prepend(self):
        server = self.needs(self.server(), "loadPrevious")
        self.open_client(server, first=self.MIDDLE)
        answer = server.call("itemAppeared", {"session": "s", "position": 0})
        if answer["previous"] != "started":
            self.skipTest("the start raises no demand")
        server.next_fetch().answer(numbered(99, 1), previous="p2")
        server.until(lambda: server.model("s").first == -1 and not server.model("s").loading, "the page")
        self.assert_idle(server)

    def test_cancelling(self):
        server = self.needs(self.server(), "loadPrevious")
        self.open_client(server, first=self.MIDDLE)
        waiting = server.request("loadPrevious", {"session": "s"})
        fetch = server.next_fetch()
        server.notify("$/cancelRequest", {"id": int(waiting)})
        self.assertEqual(server.wait_response(waiting)["error"]["code"], CANCELLED)
        server.wait_cancelled(fetch)


class WindowTests(TriggerCase):
    def test_pages_far_from_what_is_visible_are_dropped_and_come_again(self):
        server = self.server()
        book = Book(300, [10])
        server.serve("s", book)
        try:
            self.open_client(server, pageSize=10, maxItems=40)
        except RPCError:
            self.skipTest("maxItems is not built")
        server.wait_loaded("s")
        model = self.scroll_to_end(server)
        self.assertLessEqual(len(model.items), 60)
        self.assertEqual(model.ids, list(range(300 - len(model.items), 300)))
        self.assertTrue(model.facts["hasPrevious"])
        calls = len(book.calls)
        while model.facts["hasPrevious"]:
            server.call("itemAppeared", {"session": "s", "position": model.first})
            server.until(lambda: not model.loading, "the page")
            server.barrier()
            # What is dropped must not be asked for again by the same demand, or the two go on for ever.
            self.assertLess(len(book.calls) - calls, 60)
        self.assertEqual((model.first, model.ids[0]), (0, 0))
        self.assertEqual(model.ids, list(range(len(model.items))))
        self.assertEqual(self.scroll_to_end(server).ids[-1], 299)


class OffsetTests(TriggerCase):
    def test_an_adjusted_offset_neither_repeats_nor_skips(self):
        server = self.needs(self.server(), "adjustOffset")
        self.open_client(server, first={"items": numbered(0, 20)})
        for by, offset in ((3, 23), (-5, 18), (-100, 0), (20, 20)):
            self.assertEqual(server.call("adjustOffset", {"session": "s", "by": by}), {"offset": offset})
        server.call("adjustOffset", {"session": "s", "by": 2})
        server.request("loadMore", {"session": "s"})
        self.assertEqual(server.next_fetch().params["offset"], 22)


if __name__ == "__main__":
    unittest.main()
