"""Refresh in its two modes, and every race it can lose or win (contract section 8, point 5)."""

import unittest

from support import CANCELLED, Book, EndToEndCase, numbered

PAGE = {"items": numbered(0, 20), "next": 1}


class RefreshCase(EndToEndCase):
    def refresh(self, server, **members):
        return server.request("refresh", dict(members, session="s"))

    def loading_events(self, server, since=0):
        return [
            (m.params["kind"], m.params["generation"], m.params.get("result", m.params["isLoading"]))
            for m in server.notifications("s", since)
            if m.method == "loading"
        ]


class KeepTests(RefreshCase):
    def test_the_old_list_stays_until_the_new_page_is_there(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        self.assertEqual(
            (fetch.params["kind"], fetch.params["generation"], fetch.params["cursor"]), ("refresh", 2, None)
        )
        self.assertEqual((fetch.params["page"], fetch.params["offset"]), (0, 0))
        state = server.call("state", {"session": "s"})
        self.assertEqual(
            (state["count"], state["generation"], state["phase"], state["loading"]["refresh"]), (20, 1, "items", True)
        )
        fetch.answer(numbered(100, 3), next="n")
        self.assertEqual(
            server.wait(waiting),
            {
                "outcome": "loaded",
                "added": 3,
                "duplicates": 0,
                "count": 3,
                "hasMore": True,
                "hasPrevious": False,
                "generation": 2,
            },
        )
        self.assertEqual(server.model("s").ids, [100, 101, 102])
        self.assertEqual([m.method for m in server.notifications("s")][-3:], ["loading", "pageAppended", "loading"])

    def test_a_failed_one_leaves_everything_as_it_was(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        server.next_fetch().fail()
        self.assertEqual(server.wait_response(waiting)["error"]["data"]["kind"], "refresh")
        state = server.call("state", {"session": "s"})
        self.assertEqual(
            (state["count"], state["generation"], state["phase"], state["hasMore"]), (20, 1, "items", True)
        )
        self.assertIsNotNone(state["error"]["refresh"])
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "started")
        fetch = server.next_fetch()
        self.assertEqual((fetch.params["cursor"], fetch.params["generation"], fetch.params["kind"]), (1, 1, "more"))
        fetch.answer(numbered(20, 1), next=None)
        server.until(lambda: server.model("s").last == 20, "the page")
        # The number of the failed one is not used again.
        waiting = self.refresh(server)
        server.next_fetch().answer([], next=None)
        self.assertEqual(server.wait(waiting)["generation"], 3)

    def test_a_failed_one_leaves_the_latch_as_it_was(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        server.call("itemAppeared", {"session": "s", "position": 19})
        server.next_fetch().fail()
        server.wait_notification("loadFailed", kind="more")
        waiting = self.refresh(server)
        server.next_fetch().fail()
        server.wait_response(waiting)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "latched")
        self.assert_idle(server)

    def test_a_good_one_clears_the_latch(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        server.call("itemAppeared", {"session": "s", "position": 19})
        server.next_fetch().fail()
        server.wait_notification("loadFailed", kind="more")
        waiting = self.refresh(server)
        server.next_fetch().answer(numbered(0, 20), next=1)
        server.wait(waiting)
        self.assertIsNone(server.call("state", {"session": "s"})["error"]["more"])
        # The demand at item 19 is still there, and nothing keeps it back any more.
        self.assertEqual(server.next_fetch().params["kind"], "more")

    def test_an_empty_result_empties_the_list(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        server.next_fetch().answer([], next=None)
        result = server.wait(waiting)
        self.assertEqual((result["count"], result["hasMore"]), (0, False))
        self.assertEqual(server.model("s").facts["phase"], "empty")

    def test_of_an_empty_list_the_phase_stays_empty(self):
        server = self.server()
        self.open_client(server, first={"items": [], "next": None})
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        self.assertEqual(server.call("state", {"session": "s"})["phase"], "empty")
        fetch.answer(numbered(0, 1), next=None)
        self.assertEqual(server.wait(waiting)["count"], 1)

    def test_after_a_failed_first_load(self):
        server = self.server()
        self.open_client(server)
        server.next_fetch().fail()
        server.wait_loaded("s", result="failed")
        waiting = self.refresh(server)
        server.next_fetch().answer(numbered(0, 1), next=None)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")
        self.assertEqual(server.call("state", {"session": "s"})["error"]["initial"], None)

    def test_on_a_session_that_has_loaded_nothing(self):
        server = self.server()
        self.open_client(server, autoload=False)
        waiting = self.refresh(server)
        server.next_fetch().answer(numbered(0, 1), next=None)
        self.assertEqual(server.wait(waiting)["count"], 1)

    def test_switched_off(self):
        server = self.server()
        self.open_client(server, first=PAGE, canRefresh=False)
        self.assertEqual(server.call("refresh", {"session": "s"})["outcome"], "disabled")
        self.assertEqual(server.call("refresh", {"session": "s", "mode": "clear"})["outcome"], "disabled")
        self.assert_idle(server)
        self.assertEqual(len(server.model("s").items), 20)


class ClearTests(RefreshCase):
    def test_the_list_is_cleared_at_once(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        since = server.mark()
        waiting = self.refresh(server, mode="clear")
        fetch = server.next_fetch()
        self.assertEqual([m.method for m in server.notifications("s", since)], ["loading", "cleared"])
        state = server.call("state", {"session": "s"})
        self.assertEqual(
            (state["count"], state["generation"], state["phase"], state["hasMore"]), (0, 2, "loadingFirst", True)
        )
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 0})["decision"], "loading")
        self.assertEqual(
            server.call("itemAppeared", {"session": "s", "position": 0, "generation": 1})["decision"], "stale"
        )
        fetch.answer(numbered(0, 2), next=None)
        self.assertEqual(server.wait(waiting)["generation"], 2)

    def test_a_failed_one_is_failed_first(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server, mode="clear")
        server.next_fetch().fail()
        self.assertIn("error", server.wait_response(waiting).members)
        state = server.call("state", {"session": "s"})
        self.assertEqual((state["phase"], state["count"], state["generation"]), ("failedFirst", 0, 2))
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(0, 2), next=None)
        self.assertEqual(server.wait(waiting)["count"], 2)

    def test_a_cancelled_one_is_idle(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server, mode="clear")
        fetch = server.next_fetch()
        server.notify("$/cancelRequest", {"id": int(waiting)})
        self.assertEqual(server.wait_response(waiting)["error"]["code"], CANCELLED)
        server.wait_cancelled(fetch)
        state = server.call("state", {"session": "s"})
        self.assertEqual((state["phase"], state["count"]), ("idle", 0))
        self.assert_idle(server)

    def test_as_the_default_of_a_session(self):
        server = self.server()
        self.open_client(server, first=PAGE, refresh={"mode": "clear"})
        self.refresh(server)
        fetch = server.next_fetch()
        self.assertEqual(len(server.model("s").items), 0)
        fetch.answer([], next=None)
        server.wait_loaded("s", server.mark() - 1)
        waiting = self.refresh(server, mode="keep")
        server.next_fetch().answer(numbered(0, 1), next=None)
        server.wait(waiting)
        self.assertEqual(len([m for m in server.log if m.method == "cleared"]), 1)


class RaceTests(RefreshCase):
    def test_during_a_load_of_more_ends_it_first(self):
        for mode in ("keep", "clear"):
            server = self.server()
            self.open_client(server, first=PAGE)
            more = server.request("loadMore", {"session": "s"})
            old = server.next_fetch()
            since = server.mark()
            waiting = self.refresh(server, mode=mode)
            new = server.next_fetch()
            server.wait_cancelled(old)
            self.assertEqual(self.loading_events(server, since)[:2], [("more", 1, "superseded"), ("refresh", 2, True)])
            self.assertEqual(server.wait(more)["outcome"], "superseded")
            # Answers in both orders: the old one is of no one any more.
            if mode == "keep":
                old.answer(numbered(500, 5), next=9)
                new.answer(numbered(0, 2), next=None)
            else:
                new.answer(numbered(0, 2), next=None)
                old.answer(numbered(500, 5), next=9)
            self.assertEqual(server.wait(waiting)["count"], 2)
            server.barrier()
            self.assertEqual(server.model("s").ids, [0, 1])

    def test_during_the_first_load(self):
        server = self.server()
        self.open_client(server)
        old = server.next_fetch()
        more = server.request("loadMore", {"session": "s"})
        waiting = self.refresh(server)
        new = server.next_fetch()
        self.assertEqual(server.wait(more)["outcome"], "superseded")
        old.answer(numbered(500, 5), next=9)
        new.answer(numbered(0, 2), next=None)
        self.assertEqual((server.wait(waiting)["generation"], server.model("s").ids), (2, [0, 1]))

    def test_during_a_retry(self):
        server = self.server()
        retry = {"retries": 3, "initialDelayMs": 600_000, "maxDelayMs": 600_000}
        self.open_client(server, first=PAGE, retry=retry)
        more = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail()
        server.wait_notification("loadFailed", willRetry=True)
        waiting = self.refresh(server)
        server.next_fetch().answer(numbered(0, 2), next=None)
        self.assertEqual(server.wait(more)["outcome"], "superseded")
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")
        self.assertIsNone(server.call("state", {"session": "s"})["pendingRetryInMs"])

    def test_load_more_during_a_refresh_is_superseded_at_once(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        self.assertEqual(server.call("loadMore", {"session": "s"})["outcome"], "superseded")
        fetch.answer(numbered(0, 2), next=None)
        server.wait(waiting)

    def test_the_newest_wins_and_earlier_ones_coalesce_into_it(self):
        for modes in (("keep", "keep"), ("keep", "clear"), ("clear", "keep"), ("clear", "clear")):
            with self.subTest(modes):
                server = self.server()
                self.open_client(server, first=PAGE)
                first = self.refresh(server, mode=modes[0])
                old = server.next_fetch()
                second = self.refresh(server, mode=modes[1])
                new = server.next_fetch()
                server.wait_cancelled(old)
                self.assertEqual((old.params["generation"], new.params["generation"]), (2, 3))
                self.assertEqual(len(server.model("s").items), 0 if "clear" in modes else 20)
                old.answer(numbered(500, 5), next=None)
                server.barrier()
                new.answer(numbered(0, 2), next=None)
                one, two = server.wait(first), server.wait(second)
                self.assertEqual((one["outcome"], two["outcome"]), ("coalesced", "loaded"))
                self.assertEqual((one["count"], one["generation"]), (2, 3))
                self.assertEqual(server.model("s").ids, [0, 1])

    def test_many_at_once(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = [self.refresh(server, mode="clear" if n % 3 == 0 else "keep") for n in range(30)]
        server.until(lambda: len(server.fetches) == 30, "all the fetches")
        for fetch in list(server.fetches):
            server.next_fetch().answer([{"id": fetch.params["generation"]}], next=None)
        outcomes = [server.wait(each)["outcome"] for each in waiting]
        self.assertEqual(outcomes, ["coalesced"] * 29 + ["loaded"])
        self.assertEqual(server.model("s").ids, [31])

    def test_demand_raised_during_a_refresh_that_fails_is_weighed_again(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "refreshing")
        fetch.fail()
        server.wait_response(waiting)
        again = server.next_fetch()
        self.assertEqual((again.params["kind"], again.params["cursor"]), ("more", 1))

    def test_a_load_ended_by_a_refresh_that_fails_is_started_again_by_its_demand(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        server.call("itemAppeared", {"session": "s", "position": 19})
        server.next_fetch()
        waiting = self.refresh(server)
        server.next_fetch("s").fail()
        server.wait_response(waiting)
        self.assertEqual(server.next_fetch().params["cursor"], 1)

    def test_demand_moves_to_the_same_id_on_commit(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        server.call("itemAppeared", {"session": "s", "id": 18})
        # 18 is now at the head: far from the end, so nothing is loaded.
        fetch.answer([{"id": 18}] + numbered(100, 30), next="n")
        server.wait(waiting)
        self.assert_idle(server)

    def test_demand_moves_to_the_new_last_item_where_it_lay_beyond(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        server.call("itemAppeared", {"session": "s", "position": 19})
        fetch.answer(numbered(100, 5), next="n")
        server.wait(waiting)
        self.assertEqual(server.next_fetch().params["cursor"], "n")

    def test_cancelling_leaves_the_old_list_and_its_number_unused(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        server.notify("$/cancelRequest", {"id": int(waiting)})
        self.assertEqual(server.wait_response(waiting)["error"]["code"], CANCELLED)
        server.wait_cancelled(fetch)
        fetch.answer(numbered(500, 5), next=None)
        state = server.call("state", {"session": "s"})
        self.assertEqual((state["count"], state["generation"], state["loading"]["refresh"]), (20, 1, False))
        waiting = self.refresh(server)
        fetch = server.next_fetch()
        self.assertEqual(fetch.params["generation"], 3)
        fetch.answer([], next=None)
        self.assertEqual(server.wait(waiting)["generation"], 3)

    def test_cancelling_one_of_two_leaves_the_other(self):
        for which in (0, 1):
            server = self.server()
            self.open_client(server, first=PAGE)
            both = [self.refresh(server), self.refresh(server)]
            server.next_fetch()
            new = server.next_fetch()
            server.notify("$/cancelRequest", {"id": int(both[which])})
            self.assertEqual(server.wait_response(both[which])["error"]["code"], CANCELLED)
            new.answer(numbered(0, 2), next=None)
            self.assertIn(server.wait(both[1 - which])["outcome"], ("loaded", "coalesced"))
            self.assertEqual(server.model("s").ids, [0, 1])

    def test_retries_of_a_refresh(self):
        server = self.server()
        self.open_client(server, first=PAGE, retry={"retries": 2, "initialDelayMs": 1, "jitter": 0})
        waiting = self.refresh(server)
        server.next_fetch().fail()
        server.next_fetch().fail()
        server.next_fetch().answer(numbered(0, 2), next=None)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")

    def test_it_goes_on_by_itself_through_empty_pages(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = self.refresh(server)
        server.next_fetch().answer([], next="a")
        server.next_fetch().answer([], next="b")
        server.next_fetch().answer(numbered(0, 2), next="c")
        result = server.wait(waiting)
        self.assertEqual((result["count"], result["generation"]), (2, 2))
        self.assert_idle(server)


class ExtentTests(RefreshCase):
    def test_loaded_refetches_as_many_items_as_were_there_in_one_event(self):
        server = self.server()
        book = Book(100, [10])
        server.serve("s", book)
        self.open_client(server, pageSize=10)
        server.wait_loaded("s")
        for _ in range(3):
            server.call("loadMore", {"session": "s"})
        self.assertEqual(len(server.model("s").items), 40)
        since, calls = server.mark(), len(book.calls)
        result = server.call("refresh", {"session": "s", "extent": "loaded"})
        self.assertEqual((result["count"], result["added"], result["generation"]), (40, 40, 2))
        self.assertEqual(len([m for m in server.notifications("s", since) if m.method == "pageAppended"]), 1)
        self.assertEqual(len(book.calls) - calls, 4)
        self.assertEqual(self.scroll_to_end(server).ids, list(range(100)))

    def test_a_retry_resumes_at_the_page_that_failed(self):
        server = self.server()
        self.open_client(
            server,
            pageSize=10,
            first={"items": numbered(0, 10), "next": "a"},
            retry={"retries": 1, "initialDelayMs": 1, "jitter": 0},
        )
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(10, 10), next="b")
        server.wait(waiting)
        waiting = self.refresh(server, extent="loaded")
        server.next_fetch().answer(numbered(0, 10), next="a")
        failing = server.next_fetch()
        failing.fail()
        again = server.next_fetch()
        self.assertEqual((failing.params["cursor"], again.params["cursor"]), ("a", "a"))
        again.answer(numbered(10, 10), next="b")
        self.assertEqual(server.wait(waiting)["count"], 20)

    def test_anchor_goes_on_until_the_scrolled_item_is_found(self):
        server = self.server()
        book = Book(100, [10])
        server.serve("s", book)
        self.open_client(server, pageSize=10)
        server.wait_loaded("s")
        for _ in range(3):
            server.call("loadMore", {"session": "s"})
        server.call("setScrolledID", {"session": "s", "id": 25})
        server.call("refresh", {"session": "s", "extent": "anchor"})
        self.assertEqual(server.model("s").scroll_to, {"id": 25, "position": 25})
        self.assertEqual(len(server.model("s").items), 30)


if __name__ == "__main__":
    unittest.main()
