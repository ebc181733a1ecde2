"""What went wrong in other readers of files and streams; see Tests/source-faults.md for where."""

import gzip
import os
import threading
import unittest

from pagewire_client import RPCError
from support import NO_RETRY, EndToEndCase


class FaultCase(EndToEndCase):
    def pages_up_and_down(self, server, model):
        """To the end and back to the start in a small window; the items by their position, as they came last."""
        for edge, method, more in (("end", "loadMore", "hasMore"), ("start", "loadPrevious", "hasPrevious")):
            while model.facts[more]:
                server.call(method, {"session": "s"})
                position = model.last if edge == "end" else model.first
                server.call("visibleRange", {"session": "s", "first": position, "last": position})
                server.until(lambda: not model.loading, "the load ends")
                server.barrier()
        seen = {}
        for message in server.notifications("s"):
            if message.method in ("pageAppended", "pagePrepended"):
                for index, each in enumerate(message.params["items"], message.params["start"]):
                    self.assertEqual(seen.setdefault(index, each), each)
        return [seen[index] for index in sorted(seen)]


class CutTests(FaultCase):
    def test_a_file_that_is_cut_while_it_is_read_does_not_end_the_server(self):
        line = b"x" * 999 + b"\n"
        path = self.file(line * 20_000)
        server = self.server()
        stop = threading.Event()

        def cut_and_grow():
            while not stop.is_set():
                os.truncate(path, 5000)
                with open(path, "ab") as stream:
                    stream.write(line * 2000)

        thread = threading.Thread(target=cut_and_grow)
        thread.start()
        try:
            for number in range(60):
                source = {"type": "file", "path": path, "countTotal": True}
                if number % 3:
                    source["from"] = ["end", {"fraction": 0.5}][number % 3 - 1]
                server.open("s", source, pageSize=300, retry=NO_RETRY, ifExists="replace")
                for method in ("loadMore", "loadPrevious", "loadMore", "refresh"):
                    try:
                        server.call(method, {"session": "s"})
                    except RPCError as error:
                        self.assertIn(error.data["name"], ("sourceChanged", "loadFailed"))
        finally:
            stop.set()
            thread.join()
        self.assertEqual(server.call("sessions", {})[0]["session"], "s")


class BlockTests(FaultCase):
    def test_a_character_on_the_border_of_two_blocks_is_whole(self):
        for start in (32 * 1024, 128 * 1024, 160 * 1024):
            for shift in range(-4, 1):
                text = "a" * (start + shift) + "\U0001f600é日\nnext\n"
                server = self.server()
                server.open("s", {"type": "file", "path": self.file(text)}, pageSize=5)
                server.wait_loaded("s")
                items = server.model("s").items
                self.assertEqual([each["text"] for each in items], text.split("\n")[:-1])
                self.assertFalse([each for each in items if "invalidUTF8" in each])


class MemberTests(FaultCase):
    def test_pages_on_both_sides_of_every_border_of_members(self):
        """Members that end in the middle of lines, hold one byte or nothing, and follow each other in one block."""
        lines = [b"%05d %s" % (n, b"y" * (n * 37 % 90)) for n in range(3000)]
        text = b"\n".join(lines) + b"\n"
        data = b""
        at = 0
        for number in range(400):
            size = (1, 0, 700, 13, 2)[number % 5]
            data += gzip.compress(text[at : at + size], 6)
            at += size
        data += gzip.compress(text[at:], 1) + gzip.compress(b"")
        server = self.server()
        path = self.file(data, "members.log.gz")
        server.open("s", {"type": "file", "path": path}, pageSize=29, maxItems=100)
        server.wait_loaded("s")
        items = self.pages_up_and_down(server, server.model("s"))
        self.assertEqual([each["text"].encode() for each in items], lines)

    def test_a_tiny_file(self):
        for text in (b"", b"\n", b"a", b"a\nb"):
            server = self.server()
            server.open("s", {"type": "file", "path": self.file(gzip.compress(text), "tiny.gz")}, pageSize=1)
            server.wait_loaded("s")
            items = self.scroll_to_end(server).items
            self.assertEqual([each["text"].encode() for each in items], text.split(b"\n") if text.strip() else [b""] * len(text))


if __name__ == "__main__":
    unittest.main()
