"""Pages that the window dropped and that come again from a file that was written over meanwhile: no gap, nothing twice."""

import unittest

from support import BAD_PAGE, CHANGED, NO_RETRY, EndToEndCase

FORMATS = {
    "lines": ("f.txt", lambda n: b"%08d\n" % n, lambda item: int(item["text"])),
    "jsonl": ("f.jsonl", lambda n: b'{"id":%8d}\n' % n, lambda item: item["id"]),
    "json": ("f.json", lambda n: b'{"id":%8d},\n' % n, lambda item: item["id"]),
    "csv": ("f.csv", lambda n: b"%08d,x\n" % n, lambda item: int(item["id"])),
}


class ReopenCase(EndToEndCase):
    def scroll_down(self, format, count=1200, pageSize=20, **source):
        """A list scrolled from the start to its end, so that its first pages are dropped; `self.offsets` are the items'.

        What is written over lies behind the first 4,096 bytes, by which a file is known.
        """
        name, line, self.number = FORMATS[format]
        head = {"json": b"[", "csv": b"id,other\n"}.get(format, b"")
        body = [line(n) for n in range(count)]
        if format == "json":
            body[-1] = body[-1].replace(b",", b"]")
        self.offsets = [len(head) + len(body[0]) * n for n in range(count)]
        self.path = self.file(head + b"".join(body), name)
        server = self.server()
        server.open("s", dict(source, type="file", path=self.path), pageSize=pageSize, maxItems=100, retry=NO_RETRY)
        server.wait_loaded("s")
        self.scroll_to_end(server)
        model = server.model("s")
        self.assertGreater(model.first, 0)
        return server, model

    def scroll_up(self, server, model):
        """Back to the start; the numbers of the items that came again, in their order; or the error that ended it."""
        seen = {}
        since = server.mark()
        while model.facts["hasPrevious"]:
            try:
                server.call("loadPrevious", {"session": "s"})
            except Exception as error:
                return error
            server.call("visibleRange", {"session": "s", "first": model.first, "last": model.first + 3})
            server.until(lambda: not model.loading, "the load ends")
            server.barrier()
        for message in server.notifications("s", since):
            if message.method == "pagePrepended":
                for index, each in enumerate(message.params["items"], message.params["start"]):
                    seen[index] = self.number(each)
        return [seen[index] for index in sorted(seen)]

    def overwrite(self, index, data):
        with open(self.path, "r+b") as stream:
            stream.seek(self.offsets[index])
            stream.write(data)


class ReopenTests(ReopenCase):
    def test_what_was_not_touched_comes_as_it_was(self):
        for format in FORMATS:
            with self.subTest(format):
                server, model = self.scroll_down(format)
                first = model.first
                self.assertEqual(self.scroll_up(server, model), list(range(first)))
                self.assertEqual(model.first, 0)

    def test_more_items_where_there_were_fewer_all_come(self):
        """Two items in the bytes of one: the page is larger by one, and what follows is not passed over."""
        server, model = self.scroll_down("lines")
        first = model.first
        self.overwrite(550, b"1030\n130\n"[:9])
        numbers = self.scroll_up(server, model)
        self.assertEqual(numbers, list(range(550)) + [1030, 130] + list(range(551, first)))

    def test_fewer_items_where_there_were_more_leave_no_double(self):
        server, model = self.scroll_down("jsonl")
        first = model.first
        self.overwrite(550, b" " * (len(b'{"id":%8d}\n' % 0) - 1) + b"\n")
        self.assertEqual(self.scroll_up(server, model), list(range(550)) + list(range(551, first)))

    def test_an_item_over_the_border_of_two_pages_is_a_change(self):
        # The last item of a page runs on into the next one.
        table = {
            "lines": (559, b"x" * 9),
            "jsonl": (559, b'{"id":     559,'),
            # Quotes from the last record of one page into the first of the next.
            "csv": (559, b'"0000559,x\n0000560",x\n'),
        }
        for format, (index, data) in table.items():
            with self.subTest(format):
                server, model = self.scroll_down(format)
                self.overwrite(index, data)
                error = self.scroll_up(server, model)
                self.assertIsInstance(error, Exception)
                self.assertIn(error.code, (CHANGED, BAD_PAGE) if format == "jsonl" else (CHANGED,), error)

    def test_pages_that_came_by_prepending_come_again_as_they_were(self):
        lines = b"".join(b"%08d\n" % n for n in range(1200))
        self.path = self.file(lines, "end.txt")
        server = self.server()
        server.open(
            "s", {"type": "file", "path": self.path, "from": "end"}, pageSize=17, maxItems=100, retry=NO_RETRY
        )
        server.wait_loaded("s")
        model = server.model("s")
        while model.facts["hasPrevious"]:
            server.call("loadPrevious", {"session": "s"})
            server.call("visibleRange", {"session": "s", "first": model.first, "last": model.first + 3})
            server.until(lambda: not model.loading, "the load ends")
            server.barrier()
        # Twice as many lines in a page that was dropped at the end.
        with open(self.path, "r+b") as stream:
            stream.seek(9 * 600)
            stream.write(b"abc\nefg\n\n")
        while model.facts["hasMore"]:
            server.call("loadMore", {"session": "s"})
            server.call("visibleRange", {"session": "s", "first": model.last - 3, "last": model.last})
            server.until(lambda: not model.loading, "the load ends")
            server.barrier()
        texts = {}
        for message in server.notifications("s"):
            if message.method == "pageAppended":
                for each in message.params["items"]:
                    texts[each["offset"]] = each["text"]
        with open(self.path, "rb") as stream:
            content = stream.read()
        expected = []
        at = 0
        for line in content.split(b"\n")[:-1]:
            expected.append((at, line.decode()))
            at += len(line) + 1
        # What was loaded last lies in one piece up to the end of the file.
        got = sorted(texts.items())
        self.assertEqual(got, expected[-len(got):])
        self.assertIn((9 * 600 + 4, "efg"), got)

    def test_a_cursor_of_another_making_reads_no_more_than_is_there(self):
        server, model = self.scroll_down("lines", count=150)
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        self.assertLessEqual(len(token), 4096)
        other = self.server()
        other.open("s", {"type": "file", "path": self.path}, pageSize=5, resume=token)
        other.wait_loaded("s")
        self.assertTrue(other.model("s").items)


if __name__ == "__main__":
    unittest.main()
