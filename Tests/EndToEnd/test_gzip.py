"""Compressed files, read through: every line once, whatever members there are, and broken data named (contract section 9)."""

import gzip
import os
import random
import unittest
import zlib

from support import BAD_PAGE, BAD_PARAMS, LIMIT_EXCEEDED, NO_RETRY, UNAVAILABLE, EndToEndCase, memory_kib


class GzipCase(EndToEndCase):
    def open_file(self, data, name="file.txt.gz", pageSize=3, server=None, **source):
        server = server or self.server()
        self.path = self.file(data, name)
        server.open("s", dict(source, type="file", path=self.path), pageSize=pageSize, retry=NO_RETRY)
        return server

    def lines(self, data, pageSize=3):
        server = self.open_file(data, pageSize=pageSize)
        server.wait_loaded("s")
        return [each["text"] for each in self.scroll_to_end(server).items]

    def wait_failed(self, server, code, since=0):
        failed = server.wait_notification("loadFailed", since, session="s").params
        self.assertEqual(failed["error"]["code"], code, failed)
        return failed["error"]


class ReadingTests(GzipCase):
    def test_every_line_with_its_offset_in_the_text(self):
        server = self.open_file(gzip.compress(b"one\ntwo\n\nfour"))
        server.wait_loaded("s")
        model = self.scroll_to_end(server)
        found = [(each["offset"], each["text"]) for each in model.items]
        self.assertEqual(found, [(0, "one"), (4, "two"), (8, ""), (9, "four")])
        self.assertFalse(model.facts["hasPrevious"])

    def test_all_members_empty_ones_and_padding(self):
        members = [b"one\ntw", b"", b"o\nthree\n", b"", b"four\n"]
        data = b"".join(gzip.compress(member) for member in members)
        expected = ["one", "two", "three", "four"]
        for padding in (b"", b"\0", b"\0" * 511, b"\0" * 200_000):
            for size in (1, 2, 100):
                with self.subTest(padding=len(padding), size=size):
                    self.assertEqual(self.lines(data + padding, size), expected)
        self.assertEqual(self.lines(gzip.compress(b"")), [])

    def test_a_member_with_a_name_a_comment_and_a_checksum(self):
        body = zlib.compressobj(9, zlib.DEFLATED, -15)
        text = b"a\nb\n"
        raw = body.compress(text) + body.flush()
        head = b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03" + b"\x04\0abcd" + b"name\0" + b"comment\0"
        head += (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little")
        tail = zlib.crc32(text).to_bytes(4, "little") + len(text).to_bytes(4, "little")
        self.assertEqual(self.lines(head + raw + tail), ["a", "b"])

    def test_large_random_texts_come_back_whole(self):
        for seed in range(3):
            chance = random.Random(seed)
            lines = [
                bytes(chance.choices(b"abcdefgh \xc3\xa4"[:9], k=chance.choice((0, 5, 80, 3000))))
                for _ in range(chance.choice((200, 1500)))
            ]
            text = b"".join(line + b"\n" for line in lines)
            cuts = sorted(chance.randrange(len(text)) for _ in range(chance.randrange(5)))
            parts = [text[a:b] for a, b in zip([0] + cuts, cuts + [len(text)])]
            data = b"".join(gzip.compress(part, chance.choice((1, 6, 9))) for part in parts)
            with self.subTest(seed=seed):
                self.assertEqual(self.lines(data, 37), [line.decode() for line in lines])

    def test_other_formats(self):
        for name, text, expected in (
            ("a.jsonl.gz", b'{"id":1}\n\n{"id":2}\n', [{"id": 1}, {"id": 2}]),
            ("a.json.gz", b'[{"id":1},{"id":2}]', [{"id": 1}, {"id": 2}]),
            ("a.csv.gz", b"id,n\n1,x\n2,y\n3,z\n", [{"id": str(n), "n": c} for n, c in zip((1, 2, 3), "xyz")]),
        ):
            with self.subTest(name):
                server = self.open_file(gzip.compress(text), name, pageSize=1)
                server.wait_loaded("s")
                self.assertEqual(self.scroll_to_end(server).items, expected)

    def test_pages_that_were_dropped_come_back_from_a_mark(self):
        text = b"".join(b"%07d %s\n" % (n, b"x" * 1000) for n in range(18_000))
        server = self.server()
        self.path = self.file(gzip.compress(text, 1), "file.txt.gz")
        server.open("s", {"type": "file", "path": self.path}, pageSize=3000, maxItems=6000)
        server.wait_loaded("s")
        model = server.model("s")
        while model.facts["hasMore"]:
            server.call("visibleRange", {"session": "s", "first": model.last - 1, "last": model.last})
            server.until(lambda: not model.loading, "the load ends")
            server.barrier()
        self.assertEqual(model.items[-1]["text"][:7], "0017999")
        self.assertTrue(model.facts["hasPrevious"])
        while model.facts["hasPrevious"]:
            server.call("visibleRange", {"session": "s", "first": model.first, "last": model.first + 1})
            server.until(lambda: not model.loading, "the load ends")
            server.barrier()
        self.assertEqual([each["text"][:7] for each in model.items[:3]], ["0000000", "0000001", "0000002"])

    def test_what_a_compressed_file_cannot_do_is_refused(self):
        server = self.server()
        path = self.file(gzip.compress(b"a\n"), "a.gz")
        for member, value in (("from", "end"), ("from", {"line": 2}), ("follow", True), ("countTotal", True)):
            with self.subTest(member):
                error = self.refused(BAD_PARAMS, server.open, "s", {"type": "file", "path": path, member: value})
                self.assert_names(error, "/source/" + member)


class FaultTests(GzipCase):
    def test_what_is_no_gzip_data(self):
        for data in (b"", b"plain text\n", b"\x1f\x8b", b"\x1f\x8b\x08" + b"\xff" * 40):
            with self.subTest(data):
                error = self.wait_failed(self.open_file(data), BAD_PAGE)
                self.assertIn("errorOffset", error["data"])
                self.assertIn(self.path, error["message"])

    def test_data_that_is_cut_gives_what_there_is_and_names_the_end(self):
        text = b"".join(b"%d %d\n" % (n, n * n * 7919) for n in range(60_000))
        data = gzip.compress(text)
        server = self.open_file(data[: len(data) // 2], pageSize=5000)
        server.wait_loaded("s")
        model = server.model("s")
        while not model.latched:
            server.notify("loadMore", {"session": "s"})
            server.barrier()
            server.until(lambda: not model.loading, "the load ends")
        error = self.wait_failed(server, BAD_PAGE)
        self.assertEqual(error["data"]["errorOffset"], len(data) // 2)
        self.assertGreater(len(model.items), 20_000)
        self.assertEqual(model.items[777]["text"], "777 %d" % (777 * 777 * 7919))

    def test_a_wrong_checksum_and_rubbish_behind(self):
        good = gzip.compress(b"one\ntwo\n")
        broken = good[:-8] + b"\0\0\0\0" + good[-4:]
        for data in (broken, good + b"rubbish", good + b"\0\0rubbish"):
            with self.subTest(data):
                error = self.wait_failed(self.open_file(data, pageSize=100), BAD_PAGE)
                self.assertGreaterEqual(error["data"]["errorOffset"], len(good) - 8)

    def test_a_bomb_is_inflated_page_by_page_and_no_further(self):
        # 2 GB of short lines in some MB: a page costs a page.
        press = zlib.compressobj(9, zlib.DEFLATED, 31)
        block = b"0123456789abcde\n" * (1 << 16)
        data = b"".join(press.compress(block) for _ in range(300)) + press.flush()
        server = self.open_file(data, pageSize=1000)
        server.wait_loaded("s")
        server.call("loadMore", {"session": "s"})
        self.assertEqual(len(server.model("s").items), 2000)
        self.assertLess(memory_kib(server.process.pid, "VmHWM"), 100_000)

    def test_a_bomb_of_one_line_is_refused(self):
        press = zlib.compressobj(9, zlib.DEFLATED, 31)
        block = bytes(1 << 20)
        data = b"".join(press.compress(block) for _ in range(300)) + press.flush()
        server = self.open_file(data)
        self.wait_failed(server, LIMIT_EXCEEDED)
        self.assertLess(memory_kib(server.process.pid, "VmHWM"), 200_000)

    def test_a_library_that_is_missing_is_named(self):
        environment = dict(os.environ, PAGEWIRE_LIBZ="/nonexistent/libz.so.1")
        server = self.server(environment=environment)
        path = self.file(gzip.compress(b"a\n"), "a.gz")
        error = self.refused(UNAVAILABLE, server.open, "s", {"type": "file", "path": path})
        self.assertIn("zlib1g", str(error))


if __name__ == "__main__":
    unittest.main()
