"""Failing loads: retries, latches, time-outs, and pages that are none (sections 5, 8, 9)."""

import unittest

from support import (
    BAD_PAGE,
    LOAD_FAILED,
    NO_RETRY,
    QUICK_RETRY,
    SLOW_RETRY,
    TIMEOUT,
    EndToEndCase,
    numbered,
)

PAGE = {"items": numbered(0, 20), "next": 1}


def failures(server, session="s"):
    return [m.params for m in server.notifications(session) if m.method == "loadFailed"]


class RetryTests(EndToEndCase):
    def test_tries_delays_and_the_end_of_them(self):
        server = self.server()
        retry = {"retries": 4, "initialDelayMs": 2, "maxDelayMs": 9, "multiplier": 2, "jitter": 0}
        self.open_client(server, first=PAGE, retry=retry)
        waiting = server.request("loadMore", {"session": "s"})
        fetches = []
        for _ in range(5):
            fetches.append(server.next_fetch())
            fetches[-1].fail(message="no")
        self.assertEqual(server.wait_response(waiting)["error"]["code"], LOAD_FAILED)
        told = failures(server)
        self.assertEqual([each["attempt"] for each in told], [1, 2, 3, 4, 5])
        self.assertEqual([each.get("retryInMs") for each in told], [2, 4, 8, 9, None])
        self.assertEqual([each["willRetry"] for each in told], [True] * 4 + [False])
        self.assertEqual({fetch.params["cursor"] for fetch in fetches}, {1})
        self.assert_idle(server)

    def test_jitter_keeps_within_its_bounds(self):
        server = self.server()
        retry = {"retries": 40, "initialDelayMs": 10, "maxDelayMs": 10, "multiplier": 1, "jitter": 0.5}
        self.open_client(server, first=PAGE, retry=retry)
        waiting = server.request("loadMore", {"session": "s"})
        for _ in range(41):
            server.next_fetch().fail()
        server.wait_response(waiting)
        delays = [each["retryInMs"] for each in failures(server)[:-1]]
        self.assertTrue(all(5 <= delay <= 15 for delay in delays), delays)
        self.assertGreater(len(set(delays)), 2)

    def test_success_after_failures(self):
        server = self.server()
        self.open_client(server, first=PAGE, retry=QUICK_RETRY)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail()
        server.next_fetch().answer(numbered(20, 5), next=None)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")
        self.assertEqual(len(failures(server)), 1)
        self.assertIsNone(server.call("state", {"session": "s"})["error"]["more"])

    def test_not_retryable_is_not_retried(self):
        server = self.server()
        self.open_client(server, first=PAGE, retry=SLOW_RETRY)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail(retryable=False)
        error = server.wait_response(waiting)["error"]
        self.assertEqual((error["code"], error["data"]["retryable"]), (LOAD_FAILED, False))
        self.assertEqual([each["willRetry"] for each in failures(server)], [False])

    def test_retry_after_takes_the_place_of_the_delay(self):
        server = self.server()
        self.open_client(server, first=PAGE, retry=SLOW_RETRY)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail(retryAfterMs=3)
        server.next_fetch().answer([], next=None)
        server.wait(waiting)
        self.assertEqual(failures(server)[0]["retryInMs"], 3)

    def test_retry_after_beyond_the_longest_delay_ends_the_retrying_and_is_passed_on(self):
        server = self.server()
        self.open_client(server, first=PAGE, retry={"retries": 5, "maxDelayMs": 1000})
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail(retryAfterMs=1001)
        error = server.wait_response(waiting)["error"]
        self.assertEqual(error["data"]["retryAfterMs"], 1001)
        self.assertEqual([each["willRetry"] for each in failures(server)], [False])

    def test_while_a_retry_waits(self):
        server = self.server()
        self.open_client(server, first=PAGE, retry=SLOW_RETRY)
        server.call("itemAppeared", {"session": "s", "position": 19})
        server.next_fetch().fail()
        server.wait_notification("loadFailed", willRetry=True, retryInMs=600_000)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "loading")
        state = server.call("state", {"session": "s"})
        self.assertTrue(0 < state["pendingRetryInMs"] <= 600_000)
        self.assertTrue(state["loading"]["more"])
        # loadMore does not wait.
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual(fetch.params["cursor"], 1)
        fetch.answer(numbered(20, 5), next=None)
        self.assertIn(server.wait(waiting)["outcome"], ("loaded", "coalesced"))
        self.assertIsNone(server.call("state", {"session": "s"})["pendingRetryInMs"])

    def test_the_first_load_is_retried_as_what_it_is(self):
        server = self.server()
        self.open_client(server, retry=QUICK_RETRY)
        server.next_fetch().fail()
        fetch = server.next_fetch()
        self.assertEqual((fetch.params["kind"], fetch.params["cursor"], fetch.params["page"]), ("initial", None, 0))
        fetch.answer(numbered(0, 1), next=None)
        server.wait_loaded("s", result="loaded")

    def test_retries_of_nothing_are_none(self):
        server = self.server()
        self.open_client(server, retry={"retries": 0})
        server.next_fetch().fail()
        server.wait_loaded("s", result="failed")
        self.assert_idle(server)


class LatchTests(EndToEndCase):
    def latched(self, server, **members):
        self.open_client(server, first=PAGE, **members)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "started")
        server.next_fetch().fail()
        server.wait_loaded("s", result="failed")

    def test_nothing_but_load_more_or_refresh_tries_again(self):
        server = self.server()
        self.latched(server)
        for position in (19, 18, 0, 19):
            server.call("itemAppeared", {"session": "s", "position": position})
        server.call("setScrolledID", {"session": "s", "id": 19})
        self.assert_idle(server)
        self.assertEqual(len(server.model("s").items), 20)
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual((fetch.params["cursor"], fetch.params["kind"]), (1, "more"))
        fetch.answer(numbered(20, 20), next=2)
        self.assertEqual(server.wait(waiting)["outcome"], "loaded")
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 39})["decision"], "started")

    def test_a_second_failure_latches_again(self):
        server = self.server()
        self.latched(server)
        waiting = server.request("loadMore", {"session": "s"})
        server.next_fetch().fail()
        server.wait_response(waiting)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "latched")

    def test_rearm_on_appear_tries_again_on_a_new_appearance(self):
        server = self.server()
        self.latched(server, rearmOnAppear=True, retry={"retries": 0, "initialDelayMs": 0, "jitter": 0})
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "started")
        fetch = server.next_fetch()
        self.assertEqual(fetch.params["cursor"], 1)

    def test_rearm_on_appear_waits_for_the_retry_delay(self):
        server = self.server()
        self.latched(server, rearmOnAppear=True, retry={"retries": 0, "initialDelayMs": 600_000, "maxDelayMs": 600_000})
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "latched")
        self.assert_idle(server)


class TimeoutTests(EndToEndCase):
    def test_each_try_has_its_time(self):
        server = self.server()
        self.open_client(server, first=PAGE, timeoutMs=30, retry={"retries": 1, "initialDelayMs": 1, "jitter": 0})
        waiting = server.request("loadMore", {"session": "s"})
        first, second = server.next_fetch(), server.next_fetch()
        self.assertEqual(server.wait_response(waiting)["error"]["code"], TIMEOUT)
        server.wait_cancelled(first)
        server.wait_cancelled(second)
        told = failures(server)
        self.assertEqual(
            [(each["error"]["code"], each["willRetry"]) for each in told], [(TIMEOUT, True), (TIMEOUT, False)]
        )
        self.assertEqual(told[0]["error"]["data"]["timeoutMs"], 30)
        # Late answers change nothing.
        first.answer(numbered(20, 5), next=None)
        second.answer(numbered(20, 5), next=None)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "latched")
        self.assertEqual(len(server.model("s").items), 20)

    def test_a_late_answer_of_the_first_try_is_not_taken_for_the_second(self):
        server = self.server()
        self.open_client(server, first=PAGE, timeoutMs=30, retry={"retries": 1, "initialDelayMs": 1, "jitter": 0})
        waiting = server.request("loadMore", {"session": "s"})
        first = server.next_fetch()
        second = server.next_fetch()
        self.assertNotEqual(first.raw_id, second.raw_id)
        first.answer(numbered(500, 5), next=None)
        second.answer(numbered(20, 5), next=None)
        try:
            server.wait(waiting)
            self.assertEqual(server.model("s").ids[20:], [20, 21, 22, 23, 24])
        except Exception:
            # The second try's own time ran out before its answer was written: then nothing was added.
            self.assertEqual(len(server.model("s").items), 20)

    def test_a_long_time_out_is_no_time_out_meanwhile(self):
        server = self.server()
        self.open_client(server, timeoutMs=2**53)
        fetch = server.next_fetch()
        server.barrier()
        fetch.answer(numbered(0, 1), next=None)
        server.wait_loaded("s", result="loaded")

    def test_a_slow_built_in_source_times_out_too(self):
        server = self.server()
        server.open("s", {"type": "synthetic", "latencyMs": 600_000}, timeoutMs=20, retry=NO_RETRY)
        self.assertEqual(server.wait_notification("loadFailed").params["error"]["code"], TIMEOUT)


class BadPageTests(EndToEndCase):
    def test_what_is_no_page_is_refused_and_never_retried(self):
        for result in (
            "null",
            "1",
            '"x"',
            "[]",
            "true",
            "{}",
            '{"items":null}',
            '{"items":5}',
            '{"items":{}}',
            '{"items":"x"}',
            '{"items":[],"hasMore":1}',
            '{"items":[],"hasMore":"yes"}',
            '{"items":[],"total":"x"}',
            '{"items":[],"total":1.5}',
            '{"items":[],"total":-1}',
            '{"items":[1],"ids":[]}',
            '{"items":[1],"ids":[1,2]}',
            '{"items":[1],"ids":5}',
        ):
            with self.subTest(result):
                server = self.server()
                self.open_client(server, retry=SLOW_RETRY)
                server.next_fetch().answer_text(result)
                error = server.wait_notification("loadFailed", willRetry=False).params["error"]
                self.assertEqual(error["code"], BAD_PAGE, error)
                self.assertGreater(len(error["message"]), 15)
                waiting = server.request("loadMore", {"session": "s"})
                server.next_fetch().answer(numbered(0, 1), next=None)
                self.assertEqual(server.wait(waiting)["count"], 1)

    def test_what_is_a_page(self):
        for result in (
            '{"items":[]}',
            '{"items":[1,null,true,"x",{},[]],"next":null,"previous":null,"hasMore":null,"total":null,"ids":null}',
            '{"unknown":1,"items":[5],"next":false}',
            '{"items":5,"items":[1]}',
            '{"items":[{"id":1}],"ids":[null],"total":0}',
            ' { "items" : [ 1 , 2 ] , "hasMore" : false } ',
        ):
            with self.subTest(result):
                server = self.server()
                self.open_client(server)
                server.next_fetch().answer_text(result)
                server.wait_loaded("s", result="loaded")

    def test_errors_of_any_shape_are_failed_loads(self):
        for error in (
            '{"code":1,"message":"x"}',
            '{"code":-32601,"message":"no such method","data":null}',
            '{"code":1,"message":"x","data":5}',
            '{"code":1,"message":"x","data":{"retryable":"yes"}}',
            '{"code":1,"message":"x","data":{"retryAfterMs":"soon"}}',
            '{"code":1,"message":"x","data":{"retryAfterMs":-5}}',
            '{"code":1,"message":"x","data":{"retryAfterMs":1e300}}',
            '{"code":1,"message":"\\ud800"}',
        ):
            with self.subTest(error):
                server = self.server()
                self.open_client(server, retry=NO_RETRY)
                server.next_fetch()._send('"error":' + error)
                told = server.wait_notification("loadFailed", willRetry=False).params["error"]
                self.assertEqual(told["code"], LOAD_FAILED)
                self.assertIn("cause", told["data"])

    def test_the_sources_own_error_is_passed_on_as_it_is(self):
        server = self.server()
        self.open_client(server)
        text = '{"code":1,"message":"x\\u00e9","data":{"n":1.50,"big":9007199254740993}}'
        server.next_fetch()._send('"error":' + text)
        self.assertIn('"cause":' + text, server.wait_notification("loadFailed").text)

    def test_an_answer_given_twice_counts_once(self):
        server = self.server()
        self.open_client(server)
        fetch = server.next_fetch()
        fetch.answer(numbered(0, 2), next=None)
        fetch.answer(numbered(5, 2), next=None)
        server.wait_loaded("s")
        server.barrier()
        self.assertEqual(server.model("s").ids, [0, 1])

    def test_an_answer_that_is_no_json_is_a_parse_error_and_the_load_goes_on(self):
        server = self.server(check=False)
        server.open("s", {"type": "client"})
        fetch = server.next_fetch()
        server.send_text('{"jsonrpc":"2.0","id":%s,"result":{"items":[}}' % fetch.raw_id)
        server.until(lambda: any(m.raw.get("id") == "null" for m in server.log), "the parse error")
        fetch.answer(numbered(0, 2), next=None)
        server.wait_loaded("s", result="loaded")


if __name__ == "__main__":
    unittest.main()
