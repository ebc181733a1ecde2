"""open, state, sessions, setScrolledID and close: what a session is and how it begins and ends (sections 4 to 6)."""

import unittest

from strict_json import dumps
from support import (
    BAD_PARAMS,
    CANCELLED,
    EXISTS,
    NO_RETRY,
    NOT_FOUND,
    UNAVAILABLE,
    Book,
    EndToEndCase,
    numbered,
)

EMPTY = {"type": "items", "items": []}


class OpenTests(EndToEndCase):
    def test_open_answers_with_the_state_before_any_notification(self):
        server = self.server()
        state = server.open("s", {"type": "items", "items": numbered(0, 3)})
        self.assertEqual(server.log[0].kind, "response")
        self.assertEqual((state["session"], state["generation"], state["count"], state["pages"]), ("s", 1, 0, 0))
        self.assertEqual((state["first"], state["last"], state["scrolledID"]), (None, None, None))
        self.assertEqual((state["hasMore"], state["hasPrevious"], state["paused"]), (True, False, False))
        self.assertEqual((state["phase"], state["loading"]["initial"]), ("loadingFirst", True))
        server.wait_loaded("s")
        self.assertEqual([m.method for m in server.notifications("s")], ["loading", "pageAppended", "loading"])

    def test_defaults_are_told_in_settings(self):
        state = self.server().open("s", EMPTY)
        expected = {
            "pageSize": 20,
            "idPath": "/id",
            "prefetchThreshold": 3,
            "trigger": "item",
            "autoload": True,
            "canLoadMore": True,
            "canRefresh": True,
            "endOn": "emptyPage",
            "rearmOnAppear": False,
            "timeoutMs": 30000,
            "dedupe": True,
            "maxEmptyPages": 5,
        }
        settings = state["settings"]
        self.assertEqual({name: settings.get(name) for name in expected}, expected)
        self.assertEqual(settings["refresh"]["mode"], "keep")
        self.assertEqual(
            settings["retry"],
            {"retries": 3, "initialDelayMs": 500, "maxDelayMs": 30000, "multiplier": 2, "jitter": 0.5},
        )

    def test_what_was_set_is_told_in_settings(self):
        members = {
            "pageSize": 7,
            "idPath": "/a~1b/~0/0",
            "prefetchThreshold": 0,
            "autoload": False,
            "canLoadMore": False,
            "canRefresh": False,
            "endOn": "never",
            "rearmOnAppear": True,
            "timeoutMs": 1234,
            "dedupe": False,
            "maxEmptyPages": 2,
            "refresh": {"mode": "clear"},
            "retry": {"retries": 1, "initialDelayMs": 2, "maxDelayMs": 3, "multiplier": 1.5, "jitter": 0},
        }
        settings = self.server().open("s", EMPTY, **members)["settings"]
        for name, value in members.items():
            if name == "refresh":
                self.assertEqual(settings["refresh"]["mode"], "clear")
            else:
                self.assertEqual(settings[name], value, name)

    def test_a_part_of_retry_leaves_the_rest_at_the_default(self):
        settings = self.server().open("s", EMPTY, retry={"retries": 9})["settings"]
        self.assertEqual(
            settings["retry"],
            {"retries": 9, "initialDelayMs": 500, "maxDelayMs": 30000, "multiplier": 2, "jitter": 0.5},
        )

    def test_settings_hold_no_items(self):
        server = self.server()
        server.open("s", {"type": "items", "items": [{"id": "secret-thing"}]})
        server.call("state", {"session": "s"})
        for message in server.log:
            if message.kind == "response":
                self.assertNotIn("secret-thing", message.text)

    def test_presentation_comes_back_untouched(self):
        text = '{"spacing": 12.0,"axis":"vertical","titles":["\\u00e9","\\/"],"n":1e400,"spacing":12,"deep":[[[]]] }'
        server = self.server()
        params = '{"session":"s","source":{"type":"items","items":[]},"presentation":%s}' % text
        answer = server.wait_response(server.request("open", params))
        self.assertIn('"presentation":' + text, answer.text)
        answer = server.wait_response(server.request("state", {"session": "s"}))
        self.assertIn('"presentation":' + text, answer.text)

    def test_any_presentation_is_kept(self):
        server = self.server()
        for number, value in enumerate((None, True, 0, "x", [], {}, [None])):
            state = server.open("s%d" % number, EMPTY, presentation=value)
            self.assertEqual(state["presentation"], value)
        self.assertIsNone(server.open("none", EMPTY)["presentation"])

    def test_no_autoload_loads_nothing_until_asked(self):
        server = self.server()
        self.open_client(server, autoload=False)
        self.assert_idle(server)
        self.assertEqual(server.call("state", {"session": "s"})["phase"], "idle")
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 0})["decision"], "empty")
        self.assert_idle(server)
        waiting = server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual(fetch.params["kind"], "initial")
        fetch.answer(numbered(0, 20), next=1)
        self.assertEqual(server.wait(waiting)["added"], 20)

    def test_a_name_that_is_open_is_refused_and_the_session_goes_on(self):
        server = self.server()
        self.open_client(server)
        error = self.refused(EXISTS, server.open, "s", EMPTY)
        self.assertEqual(error.data["session"], "s")
        server.next_fetch().answer(numbered(0, 2), next=None)
        server.wait_loaded("s")
        self.assertEqual(server.model("s").ids, [0, 1])

    def test_names_are_the_clients(self):
        server = self.server()
        names = [" ", "a/b", "日本", "\U0001f600", "\u2028", 'q"\\', "\0", "A", "a", "x" * 1024, "null", "1"]
        for name in names:
            server.open(name, EMPTY)
        told = [entry["session"] for entry in server.call("sessions")]
        self.assertCountEqual(told, names)
        for name in names:
            self.assertEqual(server.call("state", {"session": name})["session"], name)
            server.call("close", {"session": name})
        self.assertEqual(server.call("sessions"), [])

    def test_a_name_is_the_same_however_it_is_written(self):
        server = self.server()
        server.open("é/", EMPTY)
        answer = server.wait(server.request("state", '{"session":"\\u00e9\\/"}'))
        self.assertEqual(answer["session"], "é/")

    def test_a_source_of_unknown_type_is_unavailable_and_leaves_no_session(self):
        server = self.server()
        for name in ("nosuch", "Items", "ITEMS", "", "no such", "../x", "x" * 65, "é", "a" * 64):
            with self.subTest(name):
                error = self.refused(UNAVAILABLE, server.open, "s", {"type": name})
                self.assertEqual(server.call("sessions"), [])
                self.assertGreater(len(error.message), 10)

    def test_triggers_and_members_that_are_not_built_are_refused_never_ignored(self):
        server = self.server()
        triggers = server.call("initialize", {})["capabilities"]["triggers"]
        values = {"loader": "loader", "distance": {"distance": {"relative": 0.5}}}
        for number, (name, value) in enumerate(values.items()):
            if name in triggers:
                self.assertEqual(
                    server.open("t%d" % number, EMPTY, trigger=value)["settings"]["trigger"] == "item", False
                )
            else:
                self.assert_names(
                    self.refused(BAD_PARAMS, server.open, "t%d" % number, EMPTY, trigger=value), "/trigger"
                )
        # Known to the contract: either it is in the settings afterwards, or it was refused by its pointer.
        for number, (name, value) in enumerate({"maxItems": 1000, "maxUnseenPages": 2}.items()):
            raw_id = server.request("open", {"session": "m%d" % number, "source": EMPTY, name: value})
            answer = server.wait_response(raw_id)
            if "error" in answer.members:
                self.assertEqual(answer["error"]["code"], BAD_PARAMS)
                self.assertIn("/" + name, answer.text)
            else:
                self.assertEqual(answer["result"]["settings"][name], value)


class UnknownSessionTests(EndToEndCase):
    def test_every_session_request_says_that_the_session_is_not_there(self):
        server = self.server()
        server.open("other", EMPTY)
        table = {
            "itemAppeared": {"position": 0},
            "loadMore": {},
            "refresh": {},
            "setScrolledID": {"id": 1},
            "state": {},
            "close": {},
        }
        for method, members in table.items():
            for name in ("nosuch", "Other", "other "):
                with self.subTest(method):
                    error = self.refused(NOT_FOUND, server.call, method, dict(members, session=name))
                    self.assertEqual((error.data["name"], error.data["session"]), ("sessionNotFound", name))

    def test_after_close_the_name_is_free(self):
        server = self.server()
        for _ in range(3):
            server.open("s", EMPTY)
            self.assertIsNone(server.call("close", {"session": "s"}))
            self.refused(NOT_FOUND, server.call, "close", {"session": "s"})


class StateTests(EndToEndCase):
    def test_state_through_a_whole_life(self):
        server = self.server()
        state = lambda: server.call("state", {"session": "s"})  # noqa: E731
        self.open_client(server, autoload=False)
        self.assertEqual(state()["phase"], "idle")
        server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        now = state()
        self.assertEqual((now["phase"], now["loading"]["initial"]), ("loadingFirst", True))
        fetch.answer(numbered(0, 20), next="b", total=23)
        server.wait_loaded("s")
        now = state()
        self.assertEqual((now["phase"], now["count"], now["first"], now["last"], now["pages"]), ("items", 20, 0, 19, 1))
        self.assertEqual((now["total"], now["hasMore"]), (23, True))
        server.request("loadMore", {"session": "s"})
        fetch = server.next_fetch()
        self.assertEqual(state()["loading"], {"initial": False, "more": True, "previous": False, "refresh": False})
        fetch.fail(message="no luck", retryable=False)
        server.wait_loaded("s", server.mark() - 1)
        now = state()
        self.assertEqual((now["phase"], now["hasMore"]), ("items", True))
        self.assertEqual(now["error"]["more"]["data"]["name"], "loadFailed")
        self.assertIsNone(now["error"]["initial"])
        server.request("loadMore", {"session": "s"})
        server.next_fetch().answer(numbered(20, 3), next=None)
        server.wait_loaded("s", server.mark() - 1, result="loaded")
        now = state()
        self.assertEqual((now["count"], now["pages"], now["hasMore"], now["error"]["more"]), (23, 2, False, None))

    def test_a_failed_first_load_is_failed_first(self):
        server = self.server()
        self.open_client(server)
        server.next_fetch().fail()
        server.wait_loaded("s", result="failed")
        now = server.call("state", {"session": "s"})
        self.assertEqual((now["phase"], now["hasMore"]), ("failedFirst", True))
        self.assertIsNotNone(now["error"]["initial"])

    def test_an_empty_list_that_has_ended_is_empty(self):
        server = self.server()
        server.open("s", EMPTY)
        message = server.wait_loaded("s")
        self.assertEqual((message.params["phase"], message.params["hasMore"]), ("empty", False))
        self.assertEqual(server.call("state", {"session": "s"})["phase"], "empty")

    def test_the_source_tells_its_type(self):
        server = self.server()
        for number, source in enumerate((EMPTY, {"type": "synthetic"}, {"type": "client"})):
            state = server.open("s%d" % number, source, autoload=False)
            self.assertEqual(state["source"]["type"], source["type"])

    def test_sessions_lists_all_with_count_and_phase(self):
        server = self.server()
        server.open("a", {"type": "items", "items": numbered(0, 3)})
        server.wait_loaded("a")
        server.open("b", EMPTY)
        server.wait_loaded("b")
        self.open_client(server, "c", autoload=False)
        self.assertCountEqual(
            server.call("sessions"),
            [
                {"session": "a", "count": 3, "phase": "items"},
                {"session": "b", "count": 0, "phase": "empty"},
                {"session": "c", "count": 0, "phase": "idle"},
            ],
        )


class ScrolledIDTests(EndToEndCase):
    def test_the_position_of_a_loaded_id_and_null_else(self):
        server = self.server()
        self.open_client(server, first={"items": [{"id": "a"}, {"id": 7}, {"id": "7"}], "next": 1})
        for wanted, position in (("a", 0), (7, 1), ("7", 2), ("nosuch", None), (8, None), (None, None)):
            self.assertEqual(server.call("setScrolledID", {"session": "s", "id": wanted}), {"position": position})
            self.assertEqual(server.call("state", {"session": "s"})["scrolledID"], wanted)

    def test_the_id_comes_back_as_it_was_written(self):
        server = self.server()
        self.open_client(server, first={"items": [{"id": "a"}], "next": 1})
        for text in ('"\\u0061"', "9007199254740993", '"é"', "-5"):
            server.wait(server.request("setScrolledID", '{"session":"s","id":%s}' % text))
            message = server.wait_response(server.request("state", {"session": "s"}))
            told = message["result"]["scrolledID"]
            self.assertIn(dumps(told), (text, '"a"'))


class CloseTests(EndToEndCase):
    """close and replace at every wait of a session; that nothing follows is checked by the client on every message."""

    def open_waiting(self, server, what):
        """A session `s` that is at one of the places where it waits; gives the ids of requests that wait."""
        page = {"items": numbered(0, 20), "next": 1}
        if what == "idle":
            self.open_client(server, first=page)
            return [], []
        if what in ("initial", "joined initial", "initial retry"):
            self.open_client(server, retry={"retries": 5, "initialDelayMs": 600_000, "maxDelayMs": 600_000})
            fetch = server.next_fetch()
            if what == "initial retry":
                fetch.fail()
                server.wait_notification("loadFailed", willRetry=True)
                return [], []
            return [server.request("loadMore", {"session": "s"})] if "joined" in what else [], [fetch]
        self.open_client(server, first=page, retry={"retries": 5, "initialDelayMs": 600_000, "maxDelayMs": 600_000})
        if what == "demand":
            server.call("itemAppeared", {"session": "s", "position": 19})
            return [], [server.next_fetch()]
        if what.startswith("more"):
            waiting = [server.request("loadMore", {"session": "s"}) for _ in range(3)]
        else:
            params = {"session": "s", "mode": "clear" if "clear" in what else "keep"}
            waiting = [server.request("refresh", params) for _ in range(3)]
        fetch = server.next_fetch()
        server.barrier()
        # A newer refresh may have taken the place of an earlier one.
        for later in list(server.fetches):
            fetch = server.next_fetch()
        if what.endswith("retry"):
            fetch.fail()
            server.wait_notification("loadFailed", willRetry=True)
            return waiting, []
        return waiting, [fetch]

    PLACES = (
        "idle",
        "initial",
        "joined initial",
        "initial retry",
        "demand",
        "more",
        "more retry",
        "refresh",
        "refresh clear",
        "refresh retry",
        "refresh clear retry",
    )

    def test_close_at_every_wait(self):
        for place in self.PLACES:
            with self.subTest(place):
                server = self.server()
                waiting, fetches = self.open_waiting(server, place)
                self.assertIsNone(server.call("close", {"session": "s"}))
                self.assert_over(server, waiting, fetches)
                self.assertEqual(server.call("sessions"), [])
                # A late answer is of no one any more.
                for fetch in fetches:
                    fetch.answer(numbered(500, 5), next=None)
                self.assertEqual(server.barrier(), [])

    def test_replace_at_every_wait(self):
        for place in self.PLACES:
            with self.subTest(place):
                server = self.server()
                waiting, fetches = self.open_waiting(server, place)
                before = server.model("s").highest_number
                state = server.open("s", {"type": "client"}, ifExists="replace", retry=NO_RETRY)
                self.assertGreater(state["generation"], before)
                self.assert_over(server, waiting, fetches)
                for fetch in fetches:
                    fetch.answer(numbered(500, 5), next=None)
                server.next_fetch().answer(numbered(900, 2), next=None)
                server.wait_loaded("s", server.mark() - 1, result="loaded")
                self.assertEqual(server.model("s").ids, [900, 901])

    def assert_over(self, server, waiting, fetches):
        for raw_id in waiting:
            self.assertEqual(server.answers[raw_id][0]["error"]["code"], CANCELLED)
        for fetch in fetches:
            server.wait_cancelled(fetch)

    def test_replace_opens_what_was_not_open_too(self):
        server = self.server()
        self.assertEqual(server.open("s", EMPTY, ifExists="replace")["generation"], 1)

    def test_replace_that_fails_leaves_the_old_session(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 2), "next": 1})
        self.refused(UNAVAILABLE, server.open, "s", {"type": "nosuch"}, ifExists="replace")
        self.refused(BAD_PARAMS, server.open, "s", {"type": "client"}, ifExists="replace", pageSize=-1)
        state = server.call("state", {"session": "s"})
        self.assertEqual((state["count"], state["generation"]), (2, 1))

    def test_closing_in_the_same_breath_as_opening(self):
        server = self.server()
        for _ in range(20):
            opened = server.request("open", {"session": "s", "source": {"type": "client"}})
            more = server.request("loadMore", {"session": "s"})
            closed = server.request("close", {"session": "s"})
            server.wait(opened)
            self.assertIsNone(server.wait(closed))
            self.assertEqual(server.wait_response(more)["error"]["code"], CANCELLED)


class NotificationFormTests(EndToEndCase):
    """Every session request but `open` may be sent as a notification, with the same effect and no answer."""

    def test_each_has_its_effect(self):
        server = self.server()
        book = Book(100, [20])
        server.serve("s", book)
        self.open_client(server)
        server.wait_loaded("s")
        server.notify("itemAppeared", {"session": "s", "position": 19})
        server.until(lambda: server.model("s").last == 39, "the page on demand")
        server.notify("loadMore", {"session": "s"})
        server.until(lambda: server.model("s").last == 59, "the page asked for")
        server.notify("setScrolledID", {"session": "s", "id": 3})
        self.assertEqual(server.call("state", {"session": "s"})["scrolledID"], 3)
        server.notify("refresh", {"session": "s"})
        server.until(lambda: server.model("s").generation == 2, "the refresh")
        server.notify("state", {"session": "s"})
        server.notify("sessions")
        server.notify("close", {"session": "s"})
        since = server.mark()
        server.send_text(server.message_text("state", {"session": "s"}, "555"))
        server.conversation.sent("555", "state", {})
        self.assertEqual(server.wait_response("555")["error"]["code"], NOT_FOUND)
        server.conversation.sessions.pop("s")
        self.assertEqual([m.kind for m in server.log[since:] if m.kind == "response"], ["response"])

    def test_open_as_a_notification_opens_nothing(self):
        server = self.server()
        server.notify("open", {"session": "s", "source": EMPTY})
        self.assertEqual(server.call("sessions"), [])


if __name__ == "__main__":
    unittest.main()
