"""$/progress: how far lines are counted, where somebody asked for it (specification, section 15.3)."""

import os
import unittest

from support import BAD_PARAMS, NO_RETRY, EndToEndCase

LINE = b"x" * 99 + b"\n"


class ProgressCase(EndToEndCase):
    def sparse(self, size, name="huge.log"):
        """A file without line feeds that is all hole but for its last line: it is looked through, and takes no room."""
        path = self.file(b"", name)
        os.truncate(path, size)
        with open(path, "ab") as stream:
            stream.write(b"\nlast\n")
        return path

    def told(self, server, token):
        return [
            each.params["value"]
            for each in list(server.log)
            if each.kind == "notification" and each.method == "$/progress" and each.params["token"] == token
        ]

    def wait_end(self, server, token):
        server.until(lambda: self.told(server, token)[-1:] and self.told(server, token)[-1]["kind"] == "end", "the end")
        return self.told(server, token)


class CountTests(ProgressCase):
    def test_reports_come_while_a_large_file_is_counted_and_nobody_waits_for_it(self):
        server = self.server()
        path = self.sparse(1 << 30)
        with open(path, "r+b") as stream:
            stream.write(LINE * 20)
        server.open("s", {"type": "file", "path": path, "countTotal": True}, pageSize=10, workDoneToken="t")
        server.wait_loaded("s")
        # The first page is there before the count is, and so is the answer to a request.
        self.assertEqual([each["kind"] for each in self.told(server, "t")][:1], ["begin"])
        self.assertEqual(len(server.model("s").items), 10)
        self.assertEqual([each["line"] for each in server.model("s").items], list(range(1, 11)))
        told = self.wait_end(server, "t")
        self.assertGreaterEqual(len([each for each in told if each["kind"] == "report"]), 1, told)
        # Twenty lines, the hole, and the last one.
        self.assertEqual(told[-1]["message"], "22 items")
        self.assertEqual(server.call("state", {"session": "s"})["total"], 22)

    def test_closing_the_session_ends_the_progress_and_the_count(self):
        server = self.server()
        server.open("s", {"type": "file", "path": self.sparse(64 << 30), "countTotal": True}, workDoneToken=1)
        server.until(lambda: self.told(server, 1), "the beginning")
        server.call("close", {"session": "s"})
        self.assertEqual(self.told(server, 1)[-1], {"kind": "end"})
        since = server.mark()
        server.open("other", {"type": "file", "path": self.file(b"1\n2\n"), "countTotal": True}, workDoneToken=2)
        self.assertEqual(self.wait_end(server, 2)[-1]["message"], "2 items")
        self.assertFalse([each for each in server.log[since:] if each.method == "$/progress" and each.params["token"] == 1])

    def test_without_a_token_nothing_is_told(self):
        server = self.server()
        server.open("s", {"type": "file", "path": self.file(LINE * 5000), "countTotal": True})
        server.wait_loaded("s")
        self.assertFalse([each for each in server.log if each.method == "$/progress"])

    def test_replacing_a_session_ends_the_progress_of_the_old_one(self):
        server = self.server()
        source = {"type": "file", "path": self.sparse(64 << 30), "countTotal": True}
        server.open("s", source, workDoneToken="old")
        server.until(lambda: self.told(server, "old"), "the beginning")
        small = dict(source, path=self.file(b"1\n2\n3\n"))
        server.open("s", small, workDoneToken="new", ifExists="replace")
        self.assertEqual(self.told(server, "old")[-1]["kind"], "end")
        self.assertEqual(self.wait_end(server, "new")[-1]["message"], "3 items")


class LineTests(ProgressCase):
    def test_the_way_to_a_line_is_told(self):
        path = self.sparse(1 << 30)
        server = self.server()
        source = {"type": "file", "path": path, "from": {"line": 2}}
        server.open("s", source, workDoneToken="go", pageSize=2)
        told = self.wait_end(server, "go")
        self.assertGreaterEqual(len([each for each in told if each["kind"] == "report"]), 1, told)
        server.wait_loaded("s")
        self.assertEqual([(each["line"], each["text"]) for each in server.model("s").items], [(2, "last")])

    def test_a_load_that_fails_ends_it(self):
        server = self.server()
        path = self.file(LINE * 10)
        source = {"type": "file", "path": path, "from": {"line": 5}}
        server.open("s", source, workDoneToken="t", autoload=False, retry=NO_RETRY)
        os.unlink(path)
        server.notify("loadMore", {"session": "s"})
        server.wait_notification("loadFailed", session="s")
        self.assertEqual(self.wait_end(server, "t"), [self.told(server, "t")[0], {"kind": "end"}])

    def test_a_cancelled_load_ends_it(self):
        server = self.server()
        source = {"type": "file", "path": self.sparse(64 << 30), "from": {"line": 2}}
        server.open("s", source, workDoneToken="t", autoload=False)
        asked = server.request("loadMore", {"session": "s"})
        server.until(lambda: self.told(server, "t"), "the beginning")
        server.notify("$/cancelRequest", {"id": int(asked)})
        server.wait_response(asked)
        self.assertEqual(self.wait_end(server, "t")[-1], {"kind": "end"})

    def test_a_refresh_has_a_token_of_its_own(self):
        server = self.server()
        path = self.file(b"".join(b"%d\n" % n for n in range(1, 100)))
        server.open("s", {"type": "file", "path": path, "from": {"line": 7}}, workDoneToken="a", pageSize=3)
        self.wait_end(server, "a")
        server.call("refresh", {"session": "s", "from": {"line": 50}, "workDoneToken": "b"})
        self.wait_end(server, "b")
        self.assertEqual([each["line"] for each in server.model("s").items], [50, 51, 52])
        self.assertEqual(len(self.told(server, "a")), 2)
        # A source that looks through nothing has nothing to tell.
        server.call("refresh", {"session": "s", "source": {"type": "items", "items": [1]}, "workDoneToken": "c"})
        self.assertEqual(self.told(server, "c"), [])

    def test_a_token_is_a_string_or_an_integer(self):
        server = self.server()
        path = self.file(b"1\n")
        for bad in (True, 1.5, [], {}, 1 << 60):
            error = self.refused(
                BAD_PARAMS, server.open, "s", {"type": "file", "path": path}, workDoneToken=bad
            )
            self.assert_names(error, "/workDoneToken")
        server.open("s", {"type": "file", "path": path}, workDoneToken=None)
        error = self.refused(BAD_PARAMS, server.call, "refresh", {"session": "s", "workDoneToken": []})
        self.assert_names(error, "/workDoneToken")


class NumberTests(ProgressCase):
    """`line` in the items of a file whose lines are counted."""

    def test_numbers_are_right_wherever_the_list_goes(self):
        lines = [b"%d %s" % (n, b"x" * (n * 7919 % 400)) for n in range(1, 5001)]
        path = self.file(b"\xef\xbb\xbf" + b"\n".join(lines) + b"\n")
        server = self.server()
        for start in ({"line": 2500}, {"line": 1}, {"line": 4999}, {"line": 9999}):
            with self.subTest(start):
                name = str(start["line"])
                server.open(name, {"type": "file", "path": path, "from": start}, pageSize=100, maxItems=300)
                server.wait_loaded(name)
                for method in ["loadPrevious"] * 5 + ["loadMore"] * 8:
                    server.call(method, {"session": name})
                model = server.model(name)
                self.assertTrue(model.items)
                for each in model.items:
                    self.assertEqual(each["line"], int(each["text"].split(" ")[0]))

    def test_a_page_never_waits_for_its_numbers(self):
        path = self.sparse(64 << 30)
        with open(path, "r+b") as stream:
            stream.write(LINE * 20)
        server = self.server()
        server.open("s", {"type": "file", "path": path, "countTotal": True, "from": "end"}, pageSize=1)
        server.wait_loaded("s")
        self.assertEqual(server.model("s").items, [{"offset": (64 << 30) + 1, "text": "last"}])

    def test_a_file_that_was_replaced_is_numbered_anew(self):
        path = self.file(b"1\n2\n3\n4\n")
        server = self.server()
        server.open("s", {"type": "file", "path": path, "from": {"line": 2}}, pageSize=2)
        server.wait_loaded("s")
        os.unlink(path)
        with open(path, "wb") as stream:
            stream.write(b"a\nb\nc\nd\ne\nf\n")
        server.call("refresh", {"session": "s"})
        server.call("loadMore", {"session": "s"})
        items = server.model("s").items
        self.assertEqual([(each["line"], each["text"]) for each in items], [(2, "b"), (3, "c"), (4, "d"), (5, "e")])


if __name__ == "__main__":
    unittest.main()
