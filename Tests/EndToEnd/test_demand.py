"""Demand: decisions in their order, zones, and that no list is ever stranded (contract sections 4 and 8)."""

import unittest

from support import Book, EndToEndCase, numbered

PAGE = 10


class DecisionTests(EndToEndCase):
    def appear(self, server, **members):
        return server.call("itemAppeared", dict(members, session="s"))

    def decision(self, server, **members):
        return self.appear(server, **members)["decision"]

    def test_before_anything_is_loaded(self):
        server = self.server()
        self.open_client(server)
        self.assertEqual(
            self.appear(server, position=0), {"decision": "loading", "previous": "loading", "position": None}
        )
        self.assertEqual(self.appear(server, id="x"), {"decision": "loading", "previous": "loading", "position": None})
        server.next_fetch().answer([], next=None)
        server.wait_loaded("s")
        self.assertEqual(self.appear(server, position=0), {"decision": "empty", "previous": "empty", "position": None})
        self.assertEqual(self.decision(server, position=0, generation=0), "stale")

    def test_each_decision_in_its_order(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": "b"})
        self.assertEqual(self.decision(server, position=19, generation=0), "stale")
        self.assertEqual(self.decision(server, position=-1), "unknown")
        self.assertEqual(self.decision(server, position=20), "unknown")
        self.assertEqual(self.decision(server, position=2**53), "unknown")
        self.assertEqual(self.decision(server, position=-(2**53)), "unknown")
        self.assertEqual(self.decision(server, id=20), "unknown")
        self.assertEqual(self.decision(server, id="19"), "unknown")
        self.assertEqual(self.decision(server, position=15), "idle")
        self.assert_idle(server)
        self.assertEqual(self.appear(server, id=16), {"decision": "started", "previous": "idle", "position": 16})
        fetch = server.next_fetch()
        self.assertEqual(self.decision(server, position=16), "loading")
        self.assertEqual(self.decision(server, position=15), "idle")
        self.assertEqual(self.decision(server, id=99), "unknown")
        self.assertEqual(self.decision(server, position=0, generation=1), "idle")
        refresh = server.request("refresh", {"session": "s"})
        again = server.next_fetch()
        self.assertEqual(self.decision(server, position=19), "refreshing")
        self.assertEqual(self.decision(server, position=10), "idle")
        again.answer(numbered(0, 4), next=None)
        fetch.answer(numbered(700, 4), next=None)
        server.wait(refresh)
        self.assertEqual(self.decision(server, position=3), "ended")
        self.assertEqual(self.decision(server, position=3, generation=1), "stale")
        self.assertEqual(self.decision(server, position=3, generation=2), "ended")

    def test_latched_after_a_failure(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": "b"})
        self.assertEqual(self.decision(server, position=19), "started")
        server.next_fetch().fail()
        server.wait_notification("loadFailed", willRetry=False)
        server.barrier()
        for position in (17, 18, 19):
            self.assertEqual(self.decision(server, position=position), "latched")
        self.assert_idle(server)

    def test_paused_after_empty_pages(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 0}, maxEmptyPages=2)
        self.assertEqual(self.decision(server, position=19), "started")
        for number in range(2):
            server.next_fetch().answer([], next=number + 1)
        server.until(lambda: server.model("s").facts["paused"], "the pause")
        self.assertEqual(self.decision(server, position=19), "paused")
        self.assertEqual(self.decision(server, position=2), "idle")
        self.assert_idle(server)

    def test_disabled_before_idle_and_loading(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 0}, canLoadMore=False)
        for position in (0, 15, 19):
            self.assertEqual(self.decision(server, position=position), "disabled")
        self.assertEqual(self.decision(server, position=20), "unknown")
        self.assert_idle(server)
        self.assertEqual(server.call("loadMore", {"session": "s"})["outcome"], "disabled")
        self.assert_idle(server)

    def test_every_position_of_a_short_list_is_in_the_zone(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 2), "next": 0})
        self.assertEqual(self.decision(server, position=0), "started")

    def test_thresholds_at_their_boundary(self):
        for threshold in (-5, -1, 0, 1, 3, 18, 19, 20, 1000, 2**53):
            with self.subTest(threshold):
                server = self.server()
                self.open_client(server, first={"items": numbered(0, 20), "next": 0}, prefetchThreshold=threshold)
                edge = 19 - max(0, min(threshold, 19))
                if edge > 0:
                    self.assertEqual(self.decision(server, position=edge - 1), "idle")
                self.assertEqual(self.decision(server, position=edge), "started")

    def test_id_and_position_name_the_same_item(self):
        server = self.server()
        items = [{"id": "a"}, {"id": 1}, {"id": "1"}, {"id": -0}, {"id": "\u00e9"}]
        self.open_client(server, first={"items": items, "next": 0}, prefetchThreshold=0)
        for position, item in enumerate(items):
            self.assertEqual(self.appear(server, id=item["id"])["position"], position)
        answer = server.wait(server.request("itemAppeared", '{"session":"s","id":"\\u0061"}'))
        self.assertEqual(answer["position"], 0)
        answer = server.wait(server.request("itemAppeared", '{"session":"s","id":-0}'))
        self.assertEqual(answer["position"], 3)


class LevelTriggeredTests(EndToEndCase):
    def settle(self, server, session="s"):
        """Waits until no load runs any more, however many follow each other."""
        while True:
            server.until(lambda: not server.model(session).loading, "loads end")
            server.barrier()
            if not server.model(session).loading:
                return server.model(session)

    def assert_satisfied(self, model, position, threshold, hint):
        """The demand at `position` is met: enough is loaded after it, or there is no more."""
        enough = model.last - position > max(0, threshold)
        self.assertTrue(
            enough or not model.facts["hasMore"] or model.facts["paused"], (hint, position, model.last, model.facts)
        )

    def test_boundary_matrix_of_threshold_and_page_length(self):
        for threshold in (0, 1, PAGE - 1, PAGE, PAGE + 1, 10 * PAGE):
            for length in (0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE):
                for with_cursor in (True, False):
                    if length == 0 and not with_cursor:
                        continue
                    with self.subTest(threshold=threshold, length=length, with_cursor=with_cursor):
                        self.matrix_case(threshold, length, with_cursor)

    def matrix_case(self, threshold, length, with_cursor):
        # Where pages hold nothing, every third one does, so that the list gets on.
        sizes = [0, 0, PAGE] * 60 if length == 0 else [length]
        server = self.server()
        book = Book(12 * PAGE + 3, sizes, with_cursor)
        server.serve("s", book)
        self.open_client(server, pageSize=PAGE, prefetchThreshold=threshold)
        model = self.settle(server)
        self.assertGreater(len(model.items), 0)
        if length:
            self.assertEqual(len(book.calls), 1, "nothing is loaded without demand")
        for _ in range(400):
            position = max(0, model.last - max(0, threshold))
            result = server.call("itemAppeared", {"session": "s", "position": position})
            self.assertIn(result["decision"], ("started", "ended"))
            self.settle(server)
            self.assert_satisfied(model, position, threshold, (threshold, length))
            if result["decision"] == "ended":
                break
        self.assertEqual(model.ids, list(range(12 * PAGE + 3)))
        cursors = [repr(call["cursor"]) + str(call["offset"]) for call in book.calls]
        self.assertEqual(len(cursors), len(set(cursors)), "each page is asked for once")

    def test_a_threshold_far_above_the_page_size_loads_on_from_one_appearance(self):
        server = self.server()
        book = Book(1000, [1])
        server.serve("s", book)
        self.open_client(server, pageSize=PAGE, prefetchThreshold=10 * PAGE)
        model = self.settle(server)
        server.call("itemAppeared", {"session": "s", "position": 0})
        self.settle(server)
        self.assertEqual(model.last, 10 * PAGE + 1)

    def test_a_fast_scroll_during_a_load_is_remembered(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1}, prefetchThreshold=3)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 17})["decision"], "started")
        held = server.next_fetch()
        for position in (18, 19):
            self.assertEqual(server.call("itemAppeared", {"session": "s", "position": position})["decision"], "loading")
        # One item satisfies 17 (20 - 17 = 3 is still in the zone) no better than 19.
        held.answer(numbered(20, 1), next=2)
        server.next_fetch().answer(numbered(21, 1), next=3)
        server.next_fetch().answer(numbered(22, 1), next=4)
        server.next_fetch().answer(numbered(23, 1), next=5)
        self.settle(server)
        self.assertEqual(server.model("s").last, 23)
        self.assert_idle(server)

    def test_demand_is_the_furthest_one_whatever_the_order(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1}, prefetchThreshold=0)
        server.call("itemAppeared", {"session": "s", "position": 19})
        held = server.next_fetch()
        for position in (5, 0, 3):
            server.call("itemAppeared", {"session": "s", "position": position})
        held.answer([], next=2)
        server.next_fetch().answer(numbered(20, 1), next=3)
        self.settle(server)
        self.assert_idle(server)

    def test_demand_goes_on_through_empty_pages_and_pages_of_duplicates(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1}, maxEmptyPages=5)
        server.call("itemAppeared", {"session": "s", "position": 19})
        server.next_fetch().answer([], next=2)
        server.next_fetch().answer(numbered(0, 20), next=3)
        server.next_fetch().answer(numbered(10, 10), next=4)
        server.next_fetch().answer(numbered(18, 10), next=5)
        self.settle(server)
        self.assertEqual(server.model("s").ids, list(range(28)))
        self.assertEqual(server.model("s").duplicates, 32)
        self.assert_idle(server)

    def test_the_first_load_goes_on_by_itself_until_an_item(self):
        server = self.server()
        self.open_client(server)
        for number in range(4):
            server.next_fetch().answer([], next=number)
        server.next_fetch().answer(numbered(0, 1), next=99)
        self.settle(server)
        self.assertEqual(server.model("s").last, 0)
        self.assert_idle(server)

    def test_the_first_load_goes_on_by_itself_until_the_end(self):
        server = self.server()
        self.open_client(server)
        server.next_fetch().answer([], next=1)
        server.next_fetch().answer([], next=None)
        self.assertEqual(self.settle(server).facts["phase"], "empty")
        self.assert_idle(server)

    def test_the_first_load_goes_on_by_itself_until_paused(self):
        server = self.server()
        self.open_client(server, maxEmptyPages=3)
        for number in range(3):
            server.next_fetch().answer([], next=number)
        facts = self.settle(server).facts
        self.assertEqual((facts["paused"], facts["phase"], facts["hasMore"]), (True, "empty", True))
        self.assert_idle(server)

    def test_nothing_is_loaded_without_demand(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1})
        server.call("itemAppeared", {"session": "s", "position": 0})
        server.call("setScrolledID", {"session": "s", "id": 19})
        server.call("state", {"session": "s"})
        self.assert_idle(server)

    def test_a_stale_appearance_is_no_demand(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1})
        waiting = server.request("refresh", {"session": "s"})
        server.next_fetch().answer(numbered(0, 20), next=1)
        server.wait(waiting)
        self.assertEqual(
            server.call("itemAppeared", {"session": "s", "position": 19, "generation": 1})["decision"], "stale"
        )
        self.assert_idle(server)
        self.assertEqual(
            server.call("itemAppeared", {"session": "s", "position": 19, "generation": 2})["decision"], "started"
        )

    def test_an_unknown_item_is_no_demand(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1})
        for members in ({"position": 20}, {"position": 10**6}, {"id": "x"}, {"position": -1}):
            self.assertEqual(server.call("itemAppeared", dict(members, session="s"))["decision"], "unknown")
        self.assert_idle(server)

    def test_one_load_at_a_time_however_often_it_is_asked_for(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1})
        requests = [server.request("itemAppeared", {"session": "s", "position": 19}) for _ in range(50)]
        waiting = [server.request("loadMore", {"session": "s"}) for _ in range(50)]
        fetch = server.next_fetch()
        self.assertEqual([server.wait(each)["decision"] for each in requests], ["started"] + ["loading"] * 49)
        server.barrier()
        self.assertEqual(server.fetches, [])
        fetch.answer(numbered(20, 20), next=2)
        for each in waiting:
            result = server.wait(each)
            self.assertEqual((result["outcome"], result["added"], result["count"]), ("coalesced", 20, 40))
        self.assert_idle(server)

    def test_a_hundred_thousand_appearances_in_one_go(self):
        server = self.server()
        book = Book(5000, [50])
        server.serve("s", book)
        self.open_client(server, pageSize=50)
        self.settle(server)
        text = server.message_text
        for start in range(0, 5000, 50):
            for position in range(start, start + 50):
                server.send_text(text("itemAppeared", {"session": "s", "position": position}))
            self.settle(server)
        self.scroll_to_end(server)
        self.assertEqual(server.model("s").ids, list(range(5000)))


class LoadMoreTests(EndToEndCase):
    def test_outcomes(self):
        server = self.server()
        self.open_client(server, autoload=False)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(0, 20), next=1)
        self.assertEqual(
            server.wait(waiting),
            {
                "outcome": "loaded",
                "added": 20,
                "duplicates": 0,
                "count": 20,
                "hasMore": True,
                "hasPrevious": False,
                "generation": 1,
            },
        )
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(15, 10), next=2)
        result = server.wait(waiting)
        self.assertEqual(
            (result["outcome"], result["added"], result["duplicates"], result["count"]), ("loaded", 5, 5, 25)
        )
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer([], hasMore=False)
        result = server.wait(waiting)
        self.assertEqual((result["outcome"], result["added"], result["hasMore"]), ("loaded", 0, False))
        self.assertEqual(server.call("loadMore", {"session": "s"})["outcome"], "ended")
        self.assert_idle(server)

    def test_first_load_even_where_loading_more_is_switched_off(self):
        server = self.server()
        self.open_client(server, autoload=False, canLoadMore=False)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(0, 3), next=1)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")
        self.assertEqual(server.call("loadMore", {"session": "s"})["outcome"], "disabled")

    def test_failure_is_an_error_response_the_same_as_in_load_failed(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1})
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail(code=77, message="Out of paper.", detail=[1])
        answer = server.wait_response(waiting)
        told = server.wait_notification("loadFailed")
        self.assertEqual(answer["error"], told.params["error"])
        self.assertEqual(told.params["error"]["data"]["cause"]["code"], 77)
        self.assertEqual(told.params["error"]["data"]["cause"]["message"], "Out of paper.")
        self.assertEqual((told.params["kind"], told.params["attempt"], told.params["willRetry"]), ("more", 1, False))

    def test_a_pause_ends_with_load_more(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 0}, maxEmptyPages=2)
        server.call("itemAppeared", {"session": "s", "position": 19})
        for number in (1, 2):
            server.next_fetch().answer([], next=number)
        server.until(lambda: server.model("s").facts["paused"], "the pause")
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual(fetch.params["cursor"], 2)
        fetch.answer(numbered(20, 1), next=3)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")
        server.barrier()
        self.assertFalse(server.model("s").facts["paused"])
        # The demand of position 19 is still in the zone and goes on by itself.
        self.assertEqual(server.next_fetch().params["cursor"], 3)


if __name__ == "__main__":
    unittest.main()
