"""`itemsAs: "text"`: every way in which items come is a way for their text, and what fits a frame as JSON is refused, not cut."""

import json
import unittest

from support import NO_RETRY, EndToEndCase

# Legal JSON over which the readers of some languages stumble.
AWKWARD = [
    '{"id":9007199254740993,"a":1,"a":2}',
    '{"id":"\\ud800","nul":"\\u0000","n":1e400}',
    '{"id":"\\u00e9\\"\\\\", "deep":' + "[" * 200 + "]" * 200 + "}",
    '{"id":123456789012345678901234567890}',
]
IDS = ["9007199254740993", '"\\ud800"', '"\\u00e9\\"\\\\"', "123456789012345678901234567890"]


class ItemsAsTextTests(EndToEndCase):
    def open_text(self, server, source, session="s", **members):
        return server.open(session, source, itemsAs="text", retry=NO_RETRY, **members)

    def pages(self, server, session="s"):
        return [each.params for each in server.notifications(session) if each.method.startswith("page")]

    def items(self, server, session="s"):
        return [item for page in self.pages(server, session) for item in page["items"]]

    def lines_source(self, count):
        text = "".join("%s\n" % AWKWARD[n % 4].replace('{"id":', '{"n":%d,"x":' % n) for n in range(count))
        return {"type": "file", "path": self.file(text.encode(), "many.jsonl")}, text.split("\n")[:-1]

    def test_items_and_ids_are_their_exact_text(self):
        server = self.server()
        source = {"type": "file", "path": self.file("\n".join(AWKWARD).encode(), "awkward.jsonl")}
        self.open_text(server, source)
        server.wait_loaded("s")
        (page,) = self.pages(server)
        self.assertEqual(page["items"], AWKWARD)
        self.assertEqual(page["ids"], IDS)
        for position, identity in enumerate(IDS):
            answer = server.call("itemAppeared", {"session": "s", "id": identity})
            self.assertEqual(answer["position"], position, identity)
            self.assertEqual(server.call("setScrolledID", {"session": "s", "id": identity})["position"], position)
            self.assertEqual(server.call("state", {"session": "s"})["scrolledID"], identity)

    def test_keys_of_the_source_are_text_too(self):
        server = self.server()
        self.open_text(server, {"type": "file", "path": self.file(b"a\x00b\nc\n", "log.txt")})
        server.wait_loaded("s")
        (page,) = self.pages(server)
        self.assertEqual(page["items"], ['{"offset":0,"text":"a\\u0000b"}', '{"offset":4,"text":"c"}'])
        self.assertEqual(page["ids"], ["0", "4"])
        self.assertEqual(server.call("setScrolledID", {"session": "s", "id": "4"})["position"], 1)

    def test_what_a_refresh_gathers_and_a_resumed_place(self):
        server = self.server()
        source, lines = self.lines_source(30)
        self.open_text(server, source, pageSize=5, idPath="/n")
        server.wait_loaded("s")
        for _ in range(4):
            server.call("loadMore", {"session": "s"})
        self.assertEqual(self.items(server), lines[:25])
        self.assertEqual(server.call("setScrolledID", {"session": "s", "id": "18"})["position"], 18)
        answer = server.call("refresh", {"session": "s", "extent": "loaded"})
        self.assertEqual(answer["count"], 25)
        page = self.pages(server)[-1]
        self.assertEqual((page["items"], page["scrollTo"]), (lines[:25], {"id": "18", "position": 18}))
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        # The token is the same for both forms: it holds the id, not how it was written.
        self.open_text(server, source, session="t", pageSize=5, idPath="/n", resume=token)
        server.wait_loaded("t")
        self.assertEqual(self.pages(server, "t")[0]["scrollTo"], {"id": "18", "position": 3})
        server.open("u", source, pageSize=5, idPath="/n", resume=token, retry=NO_RETRY)
        server.wait_loaded("u")
        self.assertEqual(self.pages(server, "u")[0]["scrollTo"], {"id": 18, "position": 3})

    def test_lines_of_a_followed_file_and_earlier_pages(self):
        server = self.server()
        path = self.file(b"".join(b"%d\n" % n for n in range(100)), "log.txt")
        self.open_text(server, {"type": "file", "path": path, "from": "end", "follow": True}, pageSize=10)
        server.wait_loaded("s")
        server.call("loadPrevious", {"session": "s"})
        with open(path, "ab") as stream:
            stream.write(b'"new"\n')
        server.until(lambda: len(self.items(server)) == 21, "the new line")
        texts = [json.loads(item)["text"] for page in sorted(self.pages(server), key=lambda page: page["start"]) for item in page["items"]]
        self.assertEqual(texts, [str(n) for n in range(80, 100)] + ['"new"'])

    def test_a_page_that_fits_a_frame_as_json_and_not_as_text_is_refused(self):
        server = self.server("--max-frame", "131072")
        source = {"type": "items", "items": [{"id": n, "quotes": '"' * 3000} for n in range(8)]}
        server.open("json", source, retry=NO_RETRY)
        server.wait_loaded("json")
        self.open_text(server, source, session="text")
        failed = server.wait_notification("loadFailed", session="text").params
        self.assertEqual(failed["error"]["data"]["name"], "limitExceeded")
        # Smaller pages fit, and the worst that text can become stays below the limit.
        self.open_text(server, source, session="small", pageSize=4)
        server.wait_loaded("small")
        self.assertEqual([json.loads(item)["id"] for item in self.items(server, "small")], [0, 1, 2, 3])


if __name__ == "__main__":
    unittest.main()
