"""The file source: every line once, whatever is in the file and whatever happens to it (contract section 9)."""

import json
import os
import random
import unittest

from support import BAD_PAGE, BAD_PARAMS, CHANGED, NO_RETRY, UNAVAILABLE, EndToEndCase
from test_sources import page_texts


class FileCase(EndToEndCase):
    def read_all(self, content, name="file.txt", pageSize=3, **source):
        """The items of a file with this content, paged to the end."""
        path = self.file(content, name)
        server = self.server()
        self.opened = server.open("s", dict(source, type="file", path=path), pageSize=pageSize, retry=NO_RETRY)
        server.wait_loaded("s")
        self.model = self.scroll_to_end(server)
        self.texts = page_texts(server)
        return self.model.items


class LinesTests(FileCase):
    def test_every_line_once_with_its_offset_as_key(self):
        items = self.read_all(b"one\ntwo\n\nfour\n")
        self.assertEqual([each["text"] for each in items], ["one", "two", "", "four"])
        self.assertEqual([each["offset"] for each in items], [0, 4, 8, 9])
        self.assertEqual(self.model.ids, [0, 4, 8, 9])
        for number, each in enumerate(items):
            self.assertEqual(each.get("line", number + 1), number + 1)

    def test_awkward_endings(self):
        table = [
            (b"", []),
            (b"\n", [""]),
            (b"\n\n\n", ["", "", ""]),
            (b"a", ["a"]),
            (b"a\n", ["a"]),
            (b"a\n\n", ["a", ""]),
            (b"a\r\nb\r\n", ["a", "b"]),
            (b"a\r\n\r\n", ["a", ""]),
            (b"a\r\nb", ["a", "b"]),
            (b"\r\n", [""]),
            (b"a\n\r\nb\n", ["a", "", "b"]),
        ]
        for content, expected in table:
            for size in (1, 2, 100):
                with self.subTest(content=content, size=size):
                    self.assertEqual([each["text"] for each in self.read_all(content, pageSize=size)], expected)

    def test_only_a_line_feed_ends_a_line(self):
        text = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\rh"
        self.assertEqual([each["text"] for each in self.read_all(text + "\nnext\n")], [text, "next"])

    def test_a_byte_order_mark_is_no_part_of_the_text(self):
        items = self.read_all(b"\xef\xbb\xbfone\ntwo\n")
        self.assertEqual([each["text"] for each in items], ["one", "two"])
        self.assertEqual([each["text"] for each in self.read_all(b"\xef\xbb\xbf")], [])
        self.assertEqual([each["text"] for each in self.read_all("a\n\ufeffb\n")], ["a", "\ufeffb"])

    def test_every_control_character_and_unicode(self):
        text = "".join(chr(n) for n in range(32) if n not in (10, 13)) + '"\\/\x7f\u00e9\u65e5\U0001f600\uffff'
        self.assertEqual([each["text"] for each in self.read_all(text + "\n" + text)], [text, text])

    def test_invalid_utf_8_is_replaced_and_flagged(self):
        for line in (
            b"a\xffb",
            b"\xc0\xaf",
            b"\xe2\x82",
            b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80",
            b"\x80",
            b"ok \xfe\xff ok",
            b"\xf0\x9f\x98",
        ):
            with self.subTest(line):
                items = self.read_all(b"good\n" + line + b"\ngood\n")
                self.assertEqual([items[0]["text"], items[2]["text"]], ["good", "good"])
                self.assertEqual(items[1]["text"], line.decode("utf-8", "replace"))
                self.assertEqual(len(set(items[1]) - set(items[0])), 1, "one member more says that it was replaced")

    def test_long_lines(self):
        for size in (65_535, 65_536, 262_144, 300_000):
            items = self.read_all(b"x" * size + b"\nshort\n" + b"y" * size)
            self.assertEqual([len(each["text"]) for each in items], [size, 5, size])

    def test_very_long_lines_are_bounded_and_flagged(self):
        items = self.read_all(b"short\n" + b"x" * 5_000_000 + b"\nnext\n")
        self.assertEqual([items[0]["text"], items[2]["text"]], ["short", "next"])
        self.assertLess(len(items[1]["text"]), 2_000_000)
        self.assertEqual(items[1]["text"].strip("x"), "")
        self.assertGreaterEqual(len(set(items[1]) - set(items[0])), 1, "a member more says that it was cut")
        self.assertEqual(items[2]["offset"], 5_000_007)

    def test_a_cut_does_not_break_a_character(self):
        items = self.read_all(("é" * 3_000_000).encode() + b"\nnext\n")
        self.assertEqual(items[0]["text"].strip("é"), "")

    def test_lines_that_straddle_every_read_boundary(self):
        for start in (32 * 1024, 128 * 1024, 160 * 1024, 288 * 1024):
            for shift in range(-3, 4):
                content = b"a" * (start + shift) + b"\r\n" + "é日".encode() + b"\nend"
                items = self.read_all(content)
                self.assertEqual([len(each["text"]) for each in items], [start + shift, 2, 3])

    def test_random_files_come_back_whole(self):
        for seed in range(12):
            drawn = random.Random(seed)
            lines = ["x" * int(drawn.expovariate(0.02)) + str(n) for n in range(drawn.randrange(1, 3000))]
            items = self.read_all("\n".join(lines), pageSize=drawn.choice((1, 7, 100, 5000)))
            self.assertEqual([each["text"] for each in items], lines, "seed %d" % seed)
            offset = 0
            for each, line in zip(items, lines):
                self.assertEqual(each["offset"], offset)
                offset += len(line) + 1

    def test_paths(self):
        for name in (
            "with space.txt",
            "日本.txt",
            "a\nb.txt",
            "q\"uote'.txt",
            "-dash",
            ".hidden",
            "no-ending",
            "é" * 100,
        ):
            with self.subTest(name):
                self.assertEqual([each["text"] for each in self.read_all(b"x\n", name)], ["x"])

    def test_a_link_and_a_relative_path(self):
        path = self.file(b"x\ny\n")
        link = path + ".link"
        os.symlink(path, link)
        server = self.server()
        for number, each in enumerate((link, os.path.relpath(path))):
            session = "s%d" % number
            server.open(session, {"type": "file", "path": each})
            server.wait_loaded(session)
            self.assertEqual(len(server.model(session).items), 2)

    def test_a_program_file_is_lines_too(self):
        # Binary data: nothing but what the contract says, and no trap.
        items = self.read_all(random.Random(5).randbytes(200_000), pageSize=500)
        self.assertGreater(len(items), 100)

    def test_the_format_is_told_by_the_ending_or_the_member(self):
        self.assertEqual(self.read_all(b'{"a":1}\n', "x.jsonl"), [{"a": 1}])
        self.assertEqual(self.read_all(b'{"a":1}\n', "x.ndjson", format="jsonl"), [{"a": 1}])
        self.assertEqual([each["text"] for each in self.read_all(b'{"a":1}\n', "x.jsonl", format="lines")], ['{"a":1}'])
        self.assertEqual(self.read_all(b'{"a":1}\n', "x.txt", format="jsonl"), [{"a": 1}])

    def test_page_sizes(self):
        content = b"".join(b"%d\n" % n for n in range(1000))
        for size in (1, 2, 999, 1000, 1001, 1_000_000):
            if size == 1:
                content_here, expected = content[:200], [str(n) for n in range(1000)]
                items = self.read_all(content_here, pageSize=size)
                self.assertEqual([each["text"] for each in items], expected[: len(items)])
            else:
                self.assertEqual(
                    [each["text"] for each in self.read_all(content, pageSize=size)], [str(n) for n in range(1000)]
                )


class JSONLinesTests(FileCase):
    def test_values_as_they_stand(self):
        lines = ['{"id":1,"x":1.0}', '{"id":"\\u0061"}', "[1, 2]", "5", '"x"', "null", '{"id":9007199254740993,"id":2}']
        self.read_all("\n".join(lines), "x.jsonl")
        self.assertEqual(self.texts, lines)
        self.assertEqual(self.model.ids[:2], [1, "a"])
        self.assertEqual(self.model.ids[6], 2)

    def test_ids_where_there_are_some_else_the_offset(self):
        self.read_all(b'{"id":1}\n{"x":1}\n{"id":1}\n', "x.jsonl")
        self.assertEqual(self.model.ids, [1, 9])
        self.assertEqual(self.model.duplicates, 1)

    def test_blanks_blank_lines_and_endings(self):
        self.read_all(b'\xef\xbb\xbf{"a":1}\r\n\r\n  {"a":2}  \n\n\n\t[ 3 ]\r\n   \n{"a":4}', "x.jsonl")
        self.assertEqual([json.loads(text) for text in self.texts], [{"a": 1}, {"a": 2}, [3], {"a": 4}])

    def test_u_2028_inside_a_value(self):
        self.assertEqual(self.read_all('{"a":"x\u2028y"}\n', "x.jsonl"), [{"a": "x\u2028y"}])

    def test_a_line_that_is_no_json_is_a_bad_page_that_names_the_path_and_the_place(self):
        for line in (
            b"hello",
            b"{",
            b'{"a":1} {"b":2}',
            b"{'a':1}",
            b"[1,]",
            b'"\xff"',
            b"[" * 5000 + b"]" * 5000,
            b"\0",
        ):
            with self.subTest(line[:20]):
                path = self.file(b'{"a":1}\n' + line + b'\n{"a":3}\n', "x.jsonl")
                server = self.server()
                server.open("s", {"type": "file", "path": path}, pageSize=1)
                server.wait_loaded("s")
                self.assertEqual(server.model("s").items, [{"a": 1}])
                error = server.wait_response(server.request("loadMore", {"session": "s"}))["error"]
                self.assertEqual(error["code"], BAD_PAGE)
                self.assertEqual(error["data"]["path"], path)
                self.assertEqual(server.call("state", {"session": "s"})["count"], 1)


class TroubleTests(FileCase):
    def refused_path(self, path):
        server = self.server()
        error = self.refused(UNAVAILABLE, server.open, "s", {"type": "file", "path": path})
        self.assertEqual(server.call("sessions"), [])
        self.assertEqual(error.data["path"], path)
        self.assertTrue(error.data["reason"])
        self.assertIn(path, error.message)

    def test_what_is_missing_or_no_file(self):
        folder = self.folder()
        self.refused_path(os.path.join(folder, "nosuch"))
        self.refused_path(folder)
        self.refused_path(os.path.join(folder, "nosuch", "deeper"))
        self.refused_path(self.file(b"x") + "/below")
        self.refused_path(os.path.join(folder, "x" * 300))
        self.refused_path("/" + "x/" * 3000)
        self.refused_path("")
        self.refused_path("a\0b")
        os.symlink(os.path.join(folder, "loop"), os.path.join(folder, "loop"))
        self.refused_path(os.path.join(folder, "loop"))

    def test_a_pipe_without_writer_does_not_hang(self):
        path = os.path.join(self.folder(), "pipe")
        os.mkfifo(path)
        self.refused_path(path)

    def test_devices(self):
        self.refused_path("/dev/tty")
        self.refused_path("/dev/zero")

    @unittest.skipIf(os.geteuid() == 0 and not os.path.exists("/proc/self/status"), "root reads everything")
    def test_no_permission(self):
        path = self.file(b"x")
        os.chmod(path, 0)
        os.chmod(os.path.dirname(path), 0o755)
        command = None
        if os.geteuid() == 0:
            # As root nothing is forbidden: the server runs as somebody else, from a place that anybody reaches.
            import shutil

            from pagewire_client import BINARY

            copy = os.path.join(os.path.dirname(path), "pagewire")
            shutil.copy(BINARY, copy)
            os.chmod(copy, 0o755)
            command = ["setpriv", "--reuid=65534", "--clear-groups", copy] if shutil.which("setpriv") else None
            if command is None:
                self.skipTest("no setpriv here")
        server = self.server(command=command)
        error = self.refused(UNAVAILABLE, server.open, "s", {"type": "file", "path": path})
        self.assertIn(path, error.message)

    def test_bad_members(self):
        server = self.server()
        path = self.file(b"x")
        for members, pointer in (
            ({}, "/source/path"),
            ({"path": 5}, "/source/path"),
            ({"path": None}, "/source/path"),
            ({"path": path, "format": "xml"}, "/source/format"),
            ({"path": path, "format": 5}, "/source/format"),
            ({"path": path, "from": "middle"}, "/source/from"),
            ({"path": path, "nosuch": 1}, "/source/nosuch"),
        ):
            with self.subTest(members):
                error = self.refused(BAD_PARAMS, server.open, "s", dict(members, type="file"))
                self.assert_names(error, pointer)

    def test_members_not_built_are_refused_never_ignored(self):
        server = self.server()
        path = self.file(b"a\nb\nc\n")
        for number, members in enumerate(
            ({"follow": True}, {"countTotal": True}, {"from": "end"}, {"from": {"line": 2}}, {"format": "csv"})
        ):
            raw_id = server.request(
                "open", {"session": "s%d" % number, "source": dict(members, type="file", path=path), "pageSize": 2}
            )
            answer = server.wait_response(raw_id)
            if "error" in answer.members:
                self.assertTrue(answer["error"]["data"]["pointer"].startswith("/source/" + list(members)[0]))

    def test_a_file_truncated_between_pages(self):
        path = self.file(b"".join(b"line %d\n" % n for n in range(100_000)))
        server = self.server()
        server.open("s", {"type": "file", "path": path}, pageSize=10)
        server.wait_loaded("s")
        os.truncate(path, 30)
        self.assert_changed(server)
        # A refresh takes the file as it is now.
        self.assertEqual(server.call("refresh", {"session": "s"})["count"], 5)

    def test_a_file_replaced_between_pages(self):
        path = self.file(b"".join(b"line %d\n" % n for n in range(1000)))
        server = self.server()
        server.open("s", {"type": "file", "path": path}, pageSize=10)
        server.wait_loaded("s")
        with open(path + ".new", "wb") as stream:
            stream.write(b"".join(b"other %d\n" % n for n in range(1000)))
        os.replace(path + ".new", path)
        self.assert_changed(server)
        self.assertEqual(server.call("refresh", {"session": "s"})["count"], 10)
        self.assertEqual(server.model("s").items[0]["text"], "other 0")

    def test_a_file_removed_between_pages(self):
        path = self.file(b"".join(b"line %d\n" % n for n in range(1000)))
        server = self.server()
        server.open("s", {"type": "file", "path": path}, pageSize=10, retry=NO_RETRY)
        server.wait_loaded("s")
        os.remove(path)
        answer = server.wait_response(server.request("loadMore", {"session": "s"}))
        # The lines can still be had from the open file, or it has changed: both are true; nothing is invented.
        if "error" in answer.members:
            self.assertIn(answer["error"]["code"], (CHANGED, UNAVAILABLE))
        else:
            self.assertEqual(server.model("s").items[10]["text"], "line 10")

    def assert_changed(self, server):
        error = server.wait_response(server.request("loadMore", {"session": "s"}))["error"]
        self.assertEqual(error["code"], CHANGED)
        self.assertEqual(server.call("state", {"session": "s"})["count"], 10)

    def test_a_file_that_grew_shows_its_new_lines_on_the_way(self):
        path = self.file(b"".join(b"line %d\n" % n for n in range(20)))
        server = self.server()
        server.open("s", {"type": "file", "path": path}, pageSize=10)
        server.wait_loaded("s")
        with open(path, "ab") as stream:
            stream.write(b"".join(b"line %d\n" % n for n in range(20, 35)))
        model = self.scroll_to_end(server)
        self.assertEqual([each["text"] for each in model.items], ["line %d" % n for n in range(35)])

    def test_many_sessions_on_one_file(self):
        path = self.file(b"".join(b"line %d\n" % n for n in range(200)))
        server = self.server()
        names = ["s%d" % n for n in range(30)]
        for name in names:
            server.open(name, {"type": "file", "path": path}, pageSize=50)
        for name in names:
            server.wait_loaded(name)
            self.assertEqual(len(self.scroll_to_end(server, name).items), 200)


if __name__ == "__main__":
    unittest.main()
