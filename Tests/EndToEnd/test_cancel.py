"""$/cancelRequest: what it ends, what it leaves, and exactly one answer whatever the race (contract section 2)."""

import unittest

from support import CANCELLED, SLOW_RETRY, EndToEndCase, numbered

PAGE = {"items": numbered(0, 20), "next": 1}


class CancelTests(EndToEndCase):
    def cancel(self, server, raw_id):
        server.notify("$/cancelRequest", '{"id":%s}' % raw_id)

    def assert_cancelled(self, server, raw_id):
        self.assertEqual(server.wait_response(raw_id)["error"]["code"], CANCELLED)

    def test_the_last_want_gone_rolls_the_load_back(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.cancel(server, waiting)
        self.assert_cancelled(server, waiting)
        server.wait_cancelled(fetch)
        server.wait_loaded("s", result="cancelled")
        fetch.answer(numbered(20, 5), next=2)
        server.barrier()
        self.assertEqual(len(server.model("s").items), 20)
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual((fetch.params["cursor"], fetch.params["offset"], fetch.params["page"]), (1, 20, 1))
        fetch.answer(numbered(20, 5), next=None)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")

    def test_others_that_wait_keep_the_load(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = [server.request("loadMore", {"session": "s"}) for _ in range(3)]
        fetch = server.next_fetch()
        for raw_id in waiting[:2]:
            self.cancel(server, raw_id)
            self.assert_cancelled(server, raw_id)
        self.assertFalse(server.was_cancelled(fetch))
        fetch.answer(numbered(20, 5), next=None)
        self.assertEqual(server.wait(waiting[2])["added"], 5)

    def test_demand_keeps_the_load(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        server.call("itemAppeared", {"session": "s", "position": 19})
        fetch = server.next_fetch()
        waiting = server.request("loadMore", {"session": "s"})
        self.cancel(server, waiting)
        self.assert_cancelled(server, waiting)
        server.barrier()
        self.assertFalse(server.was_cancelled(fetch))
        fetch.answer(numbered(20, 20), next=None)
        server.until(lambda: server.model("s").last == 39, "the page")

    def test_demand_that_came_after_keeps_the_load_too(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "loading")
        self.cancel(server, waiting)
        self.assert_cancelled(server, waiting)
        fetch.answer(numbered(20, 20), next=None)
        server.until(lambda: server.model("s").last == 39, "the page")

    def test_being_the_first_load_keeps_it(self):
        server = self.server()
        self.open_client(server)
        fetch = server.next_fetch()
        waiting = server.request("loadMore", {"session": "s"})
        self.cancel(server, waiting)
        self.assert_cancelled(server, waiting)
        fetch.answer(numbered(0, 3), next=None)
        server.wait_loaded("s", result="loaded")

    def test_a_first_load_that_only_a_request_wanted_goes(self):
        server = self.server()
        self.open_client(server, autoload=False)
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.cancel(server, waiting)
        self.assert_cancelled(server, waiting)
        server.wait_cancelled(fetch)
        self.assertEqual(server.call("state", {"session": "s"})["phase"], "idle")
        self.assert_idle(server)

    def test_during_a_retry(self):
        server = self.server()
        self.open_client(server, first=PAGE, retry=SLOW_RETRY)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail()
        server.wait_notification("loadFailed", willRetry=True)
        self.cancel(server, waiting)
        self.assert_cancelled(server, waiting)
        server.wait_loaded("s", result="cancelled")
        self.assertIsNone(server.call("state", {"session": "s"})["pendingRetryInMs"])
        self.assert_idle(server)

    def test_after_cancelling_demand_is_not_weighed_again(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch()
        self.cancel(server, waiting)
        self.assert_cancelled(server, waiting)
        self.assert_idle(server)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "started")

    def test_what_is_unknown_answered_or_of_another_kind_is_ignored(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = server.request("loadMore", {"session": "s"}, raw_id='"m"')
        fetch = server.next_fetch()
        for params in (
            '{"id":"nosuch"}',
            '{"id":999}',
            '{"id":1}',
            '{"id":null}',
            "{}",
            "null",
            '{"id":[]}',
            '{"id":{"a":1}}',
            '{"id":true}',
            "[]",
            '{"id":"\\u006d"}',
            '{"id":"M"}',
            '{"id":1.0}',
            '{"session":"s"}',
        ):
            server.notify("$/cancelRequest", params)
        server.notify("$/cancelRequest")
        server.barrier()
        self.assertFalse(server.was_cancelled(fetch))
        fetch.answer(numbered(20, 5), next=None)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")
        self.cancel(server, waiting)
        server.barrier()
        self.assertEqual(len(server.answers[waiting]), 1)

    def test_the_same_one_twice_is_answered_once(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        waiting = server.request("loadMore", {"session": "s"})
        for _ in range(3):
            self.cancel(server, waiting)
        server.barrier()
        self.assertEqual([m["error"]["code"] for m in server.answers[waiting]], [CANCELLED])

    def test_in_the_same_breath_as_the_request(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        for number in range(100):
            raw_id = '"c%d"' % number
            server.request("refresh" if number % 2 else "loadMore", {"session": "s"}, raw_id=raw_id)
            self.cancel(server, raw_id)
        server.barrier()
        for number in range(100):
            self.assertEqual([m["error"]["code"] for m in server.answers['"c%d"' % number]], [CANCELLED])
        self.assertEqual(len(server.model("s").items), 20)

    def test_racing_with_the_answer_gives_exactly_one_of_both(self):
        server = self.server()
        self.open_client(server, first=PAGE)
        at = 1
        for number in range(100):
            waiting = server.request("loadMore", {"session": "s"})
            fetch = server.next_fetch()
            if number % 2:
                self.cancel(server, waiting)
            fetch.answer(numbered(1000 + number, 1), next=at + 1)
            if not number % 2:
                self.cancel(server, waiting)
            answer = server.wait_response(waiting)
            at += "result" in answer.members
            self.assertEqual("result" in answer.members, not number % 2)
        server.barrier()
        self.assertEqual(len(server.model("s").items), 70)


if __name__ == "__main__":
    unittest.main()
