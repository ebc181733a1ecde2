"""Bad values in every member of every method: the specified error that names the member, and the next request works."""

import unittest

from support import BAD_PARAMS, EXISTS, UNAVAILABLE, EndToEndCase, numbered

BIG = 2**53
ITEMS = {"type": "items", "items": numbered(0, 5)}
# One of each kind of value, as exact text: what a member takes is left out of this where it is tested.
KINDS = {
    "null": "null",
    "boolean": "true",
    "integer": "7",
    "fraction": "1.5",
    "string": '"x"',
    "array": "[1]",
    "object": '{"a":1}',
}
BEYOND = ("9007199254740993", "-9007199254740993", "1e300", "123456789012345678901234567890", "-1e400")
DEEP = "[" * 900 + "]" * 900


def others(*taken):
    """Values of every kind but these; null means absent for an optional member and is left out by default."""
    return [text for kind, text in KINDS.items() if kind not in taken]


class BadMemberTests(EndToEndCase):
    def setUp(self):
        self.one = self.server()
        self.one.open("s", ITEMS)
        self.one.wait_loaded("s")

    def assert_refused(self, method, members, pointer, code=BAD_PARAMS):
        """`members` are exact texts by name."""
        text = "{%s}" % ",".join('"%s":%s' % pair for pair in members.items())
        with self.subTest(method=method, params=text[:120]):
            error = self.refused(code, self.one.call, method, text)
            if pointer is not None:
                self.assert_names(error, pointer)
        self.assertEqual(len(self.one.call("sessions")), 1, "nothing was opened or closed by " + text[:120])

    def test_session_of_every_method(self):
        more = {
            "itemAppeared": {"position": "0"},
            "setScrolledID": {"id": "1"},
            "open": {"source": '{"type":"items","items":[]}'},
        }
        for method in ("open", "itemAppeared", "loadMore", "refresh", "setScrolledID", "state", "close"):
            members = more.get(method, {})
            self.assert_refused(method, members, "/session")
            for text in others("string") + [DEEP]:
                self.assert_refused(method, dict(members, session=text), "/session")

    def open_members(self, name, *texts, pointer=None):
        for text in texts:
            members = {"session": '"new"', "source": '{"type":"items","items":[]}', name: text}
            self.assert_refused("open", members, pointer or "/" + name)

    def test_source(self):
        for text in others("object"):
            self.assert_refused("open", {"session": '"new"', "source": text}, "/source")
        self.assert_refused("open", {"session": '"new"'}, "/source")
        self.open_members("source", "{}", '{"type":5}', '{"type":null}', '{"type":["items"]}', pointer="/source/type")
        self.assert_refused("open", {"session": '"new"', "source": '{"type":"nosuch"}'}, None, UNAVAILABLE)
        self.open_members(
            "source",
            '{"type":"items"}',
            *['{"type":"items","items":%s}' % each for each in others("array")],
            pointer="/source/items",
        )

    def test_integers_of_open(self):
        for name, lowest in (("pageSize", 1), ("timeoutMs", 1), ("maxEmptyPages", 1)):
            self.open_members(name, *others("integer", "null"), str(lowest - 1), "-5", *BEYOND)
        self.open_members("pageSize", "10000001", str(BIG))
        self.open_members("prefetchThreshold", *others("integer", "null"), *BEYOND)

    def test_booleans_of_open(self):
        for name in ("autoload", "canLoadMore", "canRefresh", "rearmOnAppear", "dedupe"):
            self.open_members(name, *others("boolean", "null"), "0", '"true"')

    def test_choices_of_open(self):
        self.open_members("endOn", *others("null"), '"EmptyPage"', '"empty"', '""')
        self.open_members("ifExists", *others("null"), '"Replace"', '""')
        self.open_members("trigger", *others("null", "object"), '"items"', '""', '"Item"')

    def test_pointers_of_open(self):
        self.open_members("idPath", *others("string", "null"), '"id"', '"/a~"', '"/a~2"', '"#/id"', '"~0"')

    def test_setting_objects_of_open(self):
        self.open_members("retry", *others("object", "null"))
        self.open_members("refresh", *others("object", "null"))
        for name, texts in {
            "retries": others("integer", "null") + ["-1", "1.5", *BEYOND[:2]],
            "initialDelayMs": others("integer", "null") + ["-1", *BEYOND[:2]],
            "maxDelayMs": others("integer", "null") + ["-1", *BEYOND[:2]],
            "multiplier": others("integer", "fraction", "null") + ["0.5", "0", "-1", "1e400"],
            "jitter": others("integer", "fraction", "null") + ["-0.1", "1.1", "2", "-1", "1e400"],
        }.items():
            self.open_members("retry", *['{"%s":%s}' % (name, text) for text in texts], pointer="/retry/" + name)
        self.open_members("retry", '{"nosuch":1}', pointer="/retry/nosuch")
        self.open_members("retry", '{"retries":1,"a/b~c":1}', pointer="/retry/a~1b~0c")
        for name in ("mode", "extent"):
            texts = ['{"%s":%s}' % (name, text) for text in others("null") + ['"Keep"', '""']]
            self.open_members("refresh", *texts, pointer="/refresh/" + name)
        self.open_members("refresh", '{"nosuch":1}', pointer="/refresh/nosuch")

    def test_resume_and_window_members(self):
        self.open_members("maxItems", *others("integer", "null"), "0", "-1", *BEYOND)
        self.open_members("maxUnseenPages", *others("integer", "null"), "0", "-1", *BEYOND)
        self.open_members("resume", *others("string", "null"))

    def test_item_appeared(self):
        for name in ("position", "generation"):
            for text in others("integer", "null") + list(BEYOND):
                members = {"session": '"s"', "position": "0", name: text}
                self.assert_refused("itemAppeared", members, "/" + name)
        for text in ("true", "1.5", "1.0", "1e0", "[1]", '{"a":1}', DEEP):
            self.assert_refused("itemAppeared", {"session": '"s"', "id": text}, "/id")
        self.assert_refused("itemAppeared", {"session": '"s"'}, None)

    def test_set_scrolled_id(self):
        for text in ("true", "1.5", "1e0", "[1]", '{"a":1}'):
            self.assert_refused("setScrolledID", {"session": '"s"', "id": text}, "/id")
        self.assert_refused("setScrolledID", {"session": '"s"'}, "/id")

    def test_refresh(self):
        for name in ("mode", "extent"):
            for text in others("null") + ['"Clear"', '""']:
                self.assert_refused("refresh", {"session": '"s"', name: text}, "/" + name)
        for text in others("object", "null"):
            self.assert_refused("refresh", {"session": '"s"', "source": text}, "/source")

    def test_state(self):
        for text in others("boolean", "null"):
            self.assert_refused("state", {"session": '"s"', "resume": text}, "/resume")

    def test_null_is_the_same_as_leaving_an_optional_member_out(self):
        names = (
            "pageSize",
            "idPath",
            "prefetchThreshold",
            "trigger",
            "autoload",
            "canLoadMore",
            "canRefresh",
            "endOn",
            "refresh",
            "retry",
            "rearmOnAppear",
            "timeoutMs",
            "dedupe",
            "maxEmptyPages",
            "ifExists",
            "maxItems",
            "startAt",
            "resume",
        )
        plain = self.one.open("plain", ITEMS)["settings"]
        self.assertEqual(self.one.open("nulls", ITEMS, **{name: None for name in names})["settings"], plain)
        for method, members in (
            ("itemAppeared", {"id": 1, "position": None, "generation": None}),
            ("itemAppeared", {"id": None, "position": 0}),
            ("refresh", {"mode": None, "extent": None, "source": None, "from": None}),
            ("state", {"resume": None}),
        ):
            self.one.call(method, dict(members, session="s"))

    def test_the_largest_integers_are_taken(self):
        for number, (name, value) in enumerate(
            (
                ("prefetchThreshold", BIG),
                ("prefetchThreshold", -BIG),
                ("timeoutMs", BIG),
                ("maxEmptyPages", BIG),
                ("pageSize", 1_000_000),
            )
        ):
            session = "big%d" % number
            self.one.open(session, ITEMS, **{name: value})
            self.one.wait_loaded(session)
            self.assertEqual(len(self.one.model(session).items), 5)
        retry = {"retries": BIG, "initialDelayMs": BIG, "maxDelayMs": BIG, "multiplier": 1000, "jitter": 1}
        self.open_client(self.one, "retry", retry=retry)
        self.one.next_fetch("retry").fail()
        self.one.wait_notification("loadFailed", session="retry", willRetry=True)
        self.one.call("close", {"session": "retry"})

    def test_unknown_members_of_params_are_ignored(self):
        self.one.open("u", ITEMS, nosuch=1, Session=5, pagesize=-1)
        self.assertEqual(self.one.call("state", {"session": "s", "nosuch": [{}]})["count"], 5)

    def test_odd_texts_anywhere(self):
        for text in (
            '"\\ud800"',
            '"\\u0000"',
            '""',
            '"%s"' % ("x" * 1_000_000),
            DEEP,
            "1e999999999",
            "-0",
            "0.000000000000000000000000001",
        ):
            for method in (
                "open",
                "itemAppeared",
                "loadMore",
                "refresh",
                "setScrolledID",
                "state",
                "close",
                "initialize",
                "nosuch",
            ):
                for name in ("session", "source", "id", "position", "mode", "processId", "x"):
                    params = '{"session":"nosuch","%s":%s}' % (name, text)
                    answer = self.one.wait_response(self.one.request(method, params))
                    if method not in ("initialize",):
                        self.assertIn("error", answer.members, (method, params[:80]))
        self.assertEqual(self.one.call("state", {"session": "s"})["count"], 5)

    def test_checks_come_in_their_order(self):
        # Parameters, then the name, then the source.
        self.assert_refused("open", {"session": '"s"', "source": '{"type":"nosuch"}', "pageSize": "0"}, "/pageSize")
        self.assert_refused("open", {"session": '"s"', "source": '{"type":"nosuch"}'}, None, EXISTS)

    def test_a_session_that_was_refused_something_goes_on(self):
        server = self.server()
        self.open_client(server, first={"items": numbered(0, 20), "next": 1})
        for text in others("integer", "null") + list(BEYOND):
            self.refused(BAD_PARAMS, server.call, "itemAppeared", '{"session":"s","position":%s}' % text)
        self.assertEqual(server.call("itemAppeared", {"session": "s", "position": 19})["decision"], "started")
        server.next_fetch().answer([], next=None)


if __name__ == "__main__":
    unittest.main()
