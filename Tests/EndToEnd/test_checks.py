"""What looks at every message can find something: the schemas, and the comparison of the library's lists."""

import copy
import unittest

import schemas
from library_lists import LibraryLists
from session_model import SessionModel
from strict_json import Message, ProtocolViolation, StrictFrames, dumps, frame
from support import EndToEndCase

FACTS = {"count": 1, "hasMore": True, "hasPrevious": False, "paused": False, "phase": "items"}
PAGE = {"session": "s", "generation": 1, "page": 0, "start": 0, "items": [{"id": 1}], "ids": [1], "duplicates": 0}
PAGE.update(FACTS, replaces=False)
LOADING = {"session": "s", "generation": 1, "kind": "initial", "isLoading": True}


def notification(method, params):
    return Message(dumps({"jsonrpc": "2.0", "method": method, "params": params}))


@unittest.skipUnless(schemas.SCHEMAS, "jsonschema is not installed")
class SchemaTests(unittest.TestCase):
    def setUp(self):
        self.conversation = schemas.Conversation()

    def refused(self, message):
        with self.assertRaises(ProtocolViolation):
            self.conversation.received(message)

    def test_a_notification_that_differs_in_anything_a_schema_looks_at(self):
        # The good one first, so that what was seen of it hides nothing.
        self.conversation.received(notification("pageAppended", PAGE))
        for name, bad in (
            ("phase", "itemz"),
            ("count", -1),
            ("count", 2**53 + 1),
            ("generation", 0),
            ("hasMore", None),
            ("items", {}),
            ("ids", [1.5]),
            ("ids", [1, [2]]),
            ("colour", "green"),
            ("scrollTo", {"id": 1}),
        ):
            with self.subTest(name, bad=bad):
                self.refused(notification("pageAppended", {**PAGE, name: bad}))
        for name in PAGE:
            with self.subTest(name):
                self.refused(notification("pageAppended", {key: PAGE[key] for key in PAGE if key != name}))

    def test_a_notification_that_nothing_describes(self):
        self.refused(notification("itemPainted", {"session": "s"}))
        self.refused(notification("loading", {**LOADING, "kind": "later"}))

    def test_results_and_errors(self):
        for identity, method, answer in (
            (1, "itemAppeared", {"result": {"decision": "perhaps", "previous": "idle", "position": 1}}),
            (2, "close", {"result": {}}),
            (3, "setTrace", {"result": 1}),
            (4, "loadMore", {"error": {"code": 1004, "message": "No.", "data": {"name": "timeout"}}}),
        ):
            with self.subTest(method):
                self.conversation.sent(str(identity), method, {"session": "s"})
                self.refused(Message(dumps({"jsonrpc": "2.0", "id": identity, **answer})))

    def test_a_request_that_the_server_takes_and_the_schemas_do_not(self):
        self.conversation.sent("1", "loadMore", {"session": 7})
        result = {"outcome": "loaded", "added": 1, "duplicates": 0, "generation": 1, **FACTS}
        self.refused(Message(dumps({"jsonrpc": "2.0", "id": 1, "result": result})))


class LibraryTests(EndToEndCase):
    def conversation(self):
        """A list of one item, as a server told it: the lists that know it, and the model."""
        server = self.server()
        state = server.open("s", {"type": "items", "items": [1]}, autoload=False)
        model, lists = SessionModel(copy.deepcopy(state)), LibraryLists()
        lists.received(Message(dumps({"jsonrpc": "2.0", "id": 1, "result": state})), {"s": model})
        return lists, model

    def tell(self, lists, model, method, params):
        message = notification(method, params)
        model.receive(message)
        lists.received(message, {"s": model})

    def test_lists_that_differ(self):
        for method, params in (("loading", LOADING), ("pageAppended", PAGE)):
            lists, model = self.conversation()
            self.tell(lists, model, "loading", LOADING)
            paged = lists.lists["s"]
            if method == "loading":
                paged.loading = {"more"}
            else:
                paged.receive(method, params)
            with self.subTest(method), self.assertRaises(ProtocolViolation):
                self.tell(lists, model, "pageAppended", PAGE)

    def test_items_that_differ(self):
        lists, model = self.conversation()
        self.tell(lists, model, "loading", LOADING)
        self.tell(lists, model, "pageAppended", PAGE)
        lists.finish()
        lists.lists["s"].items[0] = {"id": 2}
        with self.assertRaises(ProtocolViolation):
            lists.finish()


class FrameTests(unittest.TestCase):
    def test_anything_but_frames(self):
        for bad in (b"oops\n", b"Content-Length: 02\r\n\r\n{}", b"content-length: 2\r\n\r\n{}", b"\n"):
            with self.subTest(bad), self.assertRaises(ProtocolViolation):
                frames = StrictFrames()
                frames.feed(frame("{}") + bad)
        frames = StrictFrames()
        self.assertEqual(frames.feed(frame("{}") + b"Content-Length: 2\r\n\r\n{"), [b"{}"])
        with self.assertRaises(ProtocolViolation):
            frames.finish()


if __name__ == "__main__":
    unittest.main()
