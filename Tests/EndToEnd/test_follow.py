"""Files that are followed: what is added comes as pages by itself, once, whole and in order (contract sections 7 and 9)."""

import json
import os
import threading
import time
import unittest

from pagewire_client import LIMIT
from support import BAD_PARAMS, CHANGED, NO_RETRY, EndToEndCase


class FollowCase(EndToEndCase):
    def follow(self, content=b"one\n", name="log.txt", server=None, session="s", **members):
        """A followed session whose first load is done; `self.path` is its file."""
        self.path = self.file(content, name)
        server = server or self.server()
        source = dict({"type": "file", "path": self.path, "follow": True}, **members.pop("source", {}))
        members.setdefault("retry", NO_RETRY)
        server.open(session, source, **members)
        server.wait_loaded(session)
        return server

    def append(self, data, path=None):
        with open(path or self.path, "ab", buffering=0) as stream:
            stream.write(data)

    def wait_count(self, server, count, session="s"):
        model = server.model(session)
        server.until(lambda: len(model.items) >= count, "%d items, there are %d" % (count, len(model.items)))
        self.assertEqual(len(model.items), count)
        return model

    def texts(self, server, session="s"):
        return [each["text"] for each in server.model(session).items]

    def wait_changed(self, server, session="s"):
        failed = server.wait_notification("loadFailed", session=session).params
        self.assertEqual(failed["error"]["code"], CHANGED, failed)
        self.assertFalse(failed["willRetry"])
        return failed


class GrowthTests(FollowCase):
    def test_what_is_added_comes_as_a_page_without_loading(self):
        server = self.follow()
        since = server.mark()
        self.append(b"two\nthree\n")
        model = self.wait_count(server, 3)
        self.assertEqual(self.texts(server), ["one", "two", "three"])
        self.assertEqual([each["offset"] for each in model.items], [0, 4, 8])
        self.assertEqual(model.ids, [0, 4, 8])
        self.assertEqual({each.method for each in server.notifications("s", since)}, {"pageAppended"})
        state = server.call("state", {"session": "s"})
        self.assertEqual((state["count"], state["hasMore"], state["phase"]), (3, False, "items"))
        self.assertIs(state["source"]["follow"], True)
        # There is nothing to load, and to say so does no harm.
        self.assertEqual(server.call("loadMore", {"session": "s"})["outcome"], "ended")
        self.append(b"four\n")
        self.wait_count(server, 4)

    def test_an_unterminated_last_line_is_held_until_its_newline(self):
        server = self.follow(b"one\ntw")
        self.assertEqual(self.texts(server), ["one"])
        self.append(b"o\nthr")
        self.wait_count(server, 2)
        self.append(b"e")
        self.append(b"e\n\xc3")
        self.wait_count(server, 3)
        self.append(b"\xa4\r")
        self.append(b"\n")
        self.wait_count(server, 4)
        self.assertEqual(self.texts(server), ["one", "two", "three", "\u00e4"])

    def test_an_empty_file_and_a_file_of_half_a_line(self):
        for content in (b"", b"\xef\xbb\xbf", b"half"):
            with self.subTest(content):
                server = self.follow(content)
                self.assertEqual(server.model("s").facts["phase"], "empty")
                self.append(b" a\nb\n")
                self.wait_count(server, 2)
                self.assertEqual(server.model("s").items[0]["offset"], 0)

    def test_json_lines(self):
        server = self.follow(b'{"id":1}\n{"id":', "log.jsonl")
        self.append(b'2}\n\n\n{"id":1}\n{"id":3}\n[')
        self.wait_count(server, 3)
        self.assertEqual(server.model("s").ids, [1, 2, 3])
        self.assertEqual(server.model("s").duplicates, 1)
        self.append(b"\n")
        failed = server.wait_notification("loadFailed", session="s").params
        self.assertEqual((failed["kind"], failed["error"]["data"]["name"]), ("more", "badPage"))

    def test_more_than_a_page_comes_page_by_page(self):
        server = self.follow(pageSize=10)
        self.append(b"".join(b"line %d\n" % n for n in range(995)))
        self.wait_count(server, 996)
        pages = [each.params for each in server.notifications("s") if each.method == "pageAppended"]
        self.assertTrue(all(len(each["items"]) <= 10 for each in pages))
        self.assertEqual([each["page"] for each in pages], list(range(len(pages))))

    def test_the_end_has_to_be_loaded_first(self):
        server = self.follow(b"".join(b"%d\n" % n for n in range(25)), pageSize=10)
        self.append(b"more\n")
        server.barrier()
        self.assertEqual(len(server.model("s").items), 10)
        self.scroll_to_end(server)
        self.assertEqual(len(server.model("s").items), 26)
        self.append(b"and more\n")
        self.wait_count(server, 27)

    def test_from_the_end(self):
        server = self.follow(
            b"".join(b"%d\n" % n for n in range(100)) + b"ha", source={"from": "end"}, pageSize=5
        )
        self.assertEqual(self.texts(server), ["95", "96", "97", "98", "99"])
        self.append(b"lf\n")
        self.wait_count(server, 6)
        server.call("loadPrevious", {"session": "s"})
        self.assertEqual(self.texts(server), [str(n) for n in range(90, 100)] + ["half"])

    def test_every_line_of_a_fast_writer_comes_once(self):
        server = self.follow(b"", pageSize=50)
        lines = [b"line %d %s\n" % (n, b"x" * (n % 300)) for n in range(5000)]
        data = b"".join(lines)

        def write():
            with open(self.path, "ab", buffering=0) as stream:
                for at in range(0, len(data), 997):
                    stream.write(data[at : at + 997])

        writer = threading.Thread(target=write)
        writer.start()
        self.wait_count(server, len(lines))
        writer.join()
        self.assertEqual([text.encode() + b"\n" for text in self.texts(server)], lines)

    def test_a_folder_that_is_gone_and_a_link(self):
        target = self.file(b"one\n", "target.txt")
        link = os.path.join(self.folder(), "link.txt")
        os.symlink(target, link)
        server = self.server()
        server.open("s", {"type": "file", "path": link, "follow": True})
        server.wait_loaded("s")
        self.append(b"two\n", target)
        self.wait_count(server, 2)

    def test_only_lines_are_followed(self):
        server = self.server()
        for name in ("list.json", "table.csv"):
            path = self.file(b"[]", name)
            error = self.refused(BAD_PARAMS, server.open, "s", {"type": "file", "path": path, "follow": True})
            self.assert_names(error, "/source/follow")

    def test_end_of_input_does_not_wait(self):
        server = self.follow()
        server.end_input()
        self.assertEqual(server.wait_exit(), 0)


class ChangeTests(FollowCase):
    def test_a_cut_file(self):
        server = self.follow(b"one\ntwo\n")
        os.truncate(self.path, 4)
        failed = self.wait_changed(server)
        self.assertEqual(failed["kind"], "more")
        state = server.call("state", {"session": "s"})
        self.assertEqual((state["count"], state["hasMore"]), (2, False))
        self.assertEqual(state["error"]["more"]["code"], CHANGED)
        # Nothing more comes until a refresh.
        self.append(b"three\n")
        server.barrier()
        self.assertEqual(len(server.model("s").items), 2)
        self.assertEqual(server.call("refresh", {"session": "s"})["count"], 2)
        self.assertEqual(self.texts(server), ["one", "three"])
        self.append(b"four\n")
        self.wait_count(server, 3)

    def test_copy_and_truncate(self):
        server = self.follow(b"one\ntwo\n")
        with open(self.path, "r+b", buffering=0) as stream:
            stream.truncate(0)
            stream.write(b"another start that is longer than before\n")
        self.wait_changed(server)
        server.call("refresh", {"session": "s"})
        self.assertEqual(self.texts(server), ["another start that is longer than before"])

    def test_rotation(self):
        server = self.follow(b"one\ntwo\n")
        os.rename(self.path, self.path + ".1")
        with open(self.path, "wb") as stream:
            stream.write(b"new one\nnew two\nnew three\n")
        self.wait_changed(server)
        server.call("refresh", {"session": "s"})
        self.assertEqual(self.texts(server), ["new one", "new two", "new three"])
        # The new file is watched, the old one is not.
        self.append(b"old\n", self.path + ".1")
        self.append(b"new four\n")
        self.wait_count(server, 4)

    def test_a_file_put_in_its_place_at_once(self):
        server = self.follow(b"one\n")
        with open(self.path + ".new", "wb") as stream:
            stream.write(b"one\ntwo\n")
        os.replace(self.path + ".new", self.path)
        self.wait_changed(server)

    def test_a_file_that_goes_and_comes_back_is_the_same(self):
        server = self.follow(b"one\n")
        os.rename(self.path, self.path + ".away")
        os.rename(self.path + ".away", self.path)
        self.append(b"two\n")
        self.wait_count(server, 2)
        self.append(b"three\n")
        self.wait_count(server, 3)

    def test_a_file_that_stays_away(self):
        server = self.follow(b"one\n")
        os.unlink(self.path)
        failed = server.wait_notification("loadFailed", session="s").params
        self.assertEqual((failed["error"]["data"]["name"], failed["willRetry"]), ("sourceUnavailable", False))

    def test_a_refresh_that_takes_another_file(self):
        server = self.follow(b"one\n")
        other = self.file(b"1\n2\n", "other.txt")
        source = {"type": "file", "path": other, "follow": True}
        server.call("refresh", {"session": "s", "source": source})
        self.append(b"two\n")
        self.append(b"3\n", other)
        self.wait_count(server, 3)
        self.assertEqual(self.texts(server), ["1", "2", "3"])


class CountTests(FollowCase):
    def wait_total(self, server, total, session="s"):
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            if server.call("state", {"session": session})["total"] == total:
                return
        self.fail("the total does not become %d" % total)

    def test_the_total_is_counted_behind_the_first_page(self):
        lines = b"".join(b"%d\n" % n for n in range(100_000))
        server = self.follow(lines, source={"follow": False, "countTotal": True}, pageSize=10)
        self.wait_total(server, 100_000)
        server.call("loadMore", {"session": "s"})
        self.assertEqual(server.notifications("s")[-2].params["total"], 100_000)
        with open(self.path, "ab") as stream:
            stream.write(b"one more")
        server.call("refresh", {"session": "s"})
        self.wait_total(server, 100_001)

    def test_growth_is_added(self):
        server = self.follow(b"1\n2\n", source={"countTotal": True})
        self.wait_total(server, 2)
        self.append(b"3\nhal")
        model = self.wait_count(server, 3)
        self.assertEqual(model.history[-1][1]["total"], 3)
        self.assertEqual(server.call("state", {"session": "s"})["total"], 3)

    def test_many_counts_take_turns_and_end_with_their_session(self):
        path = self.file(b"".join(b"%d\n" % n for n in range(200_000)))
        server = self.server()
        names = ["n%d" % n for n in range(20)]
        for name in names:
            server.open(name, {"type": "file", "path": path, "countTotal": True}, pageSize=1)
        for name in names[1:]:
            server.call("close", {"session": name})
        self.wait_total(server, 200_000, names[0])

    def test_from_a_line(self):
        lines = b"".join(b"%d\n" % n for n in range(1, 5001))
        server = self.follow(lines, source={"follow": False, "from": {"line": 4321}}, pageSize=3)
        self.assertEqual(self.texts(server), ["4321", "4322", "4323"])
        server.call("loadPrevious", {"session": "s"})
        self.assertEqual(self.texts(server)[:3], ["4318", "4319", "4320"])
        server.call("refresh", {"session": "s", "from": {"line": 9999}})
        self.assertEqual(self.texts(server), ["4998", "4999", "5000"])


class WindowTests(FollowCase):
    def test_the_start_is_dropped_while_the_end_is_seen(self):
        server = self.follow(b"".join(b"%d\n" % n for n in range(10)), pageSize=10, maxItems=20)
        self.append(b"".join(b"%d\n" % n for n in range(10, 100)))
        model = server.model("s")
        server.until(lambda: model.items and model.items[-1]["text"] == "99", "the last line")
        self.assertLessEqual(len(model.items), 30)
        self.assertTrue(model.facts["hasPrevious"])

    def test_a_dropped_end_comes_back_as_it_was(self):
        server = self.follow(b"".join(b"%d\n" % n for n in range(30)), pageSize=10, maxItems=30)
        self.scroll_to_end(server)
        model = server.model("s")
        server.call("visibleRange", {"session": "s", "first": model.last - 1, "last": model.last})
        self.append(b"30\n31\n")
        server.until(lambda: model.items[-1]["text"] == "31", "the added lines")
        # Up at the start, what is added at the end is dropped at once, and then not read.
        while model.facts["hasPrevious"] or model.first > 0:
            server.call("visibleRange", {"session": "s", "first": model.first, "last": model.first + 3})
            server.until(lambda: not model.loading, "the load ends")
            server.barrier()
        server.call("visibleRange", {"session": "s", "first": model.first, "last": model.first + 3})
        self.append(b"".join(b"%d\n" % n for n in range(32, 60)))
        server.until(lambda: model.facts["hasMore"], "the end is dropped")
        server.barrier()
        count = len(model.items)
        self.append(b"60\n")
        server.barrier()
        self.assertEqual(len(model.items), count)
        # Back at the end every line is there, where it was and where it belongs.
        def at_the_end():
            return not model.loading and (model.facts["hasMore"] or model.items[-1]["text"] == "60")

        for _ in range(100):
            server.call("visibleRange", {"session": "s", "first": model.last - 1, "last": model.last})
            server.until(at_the_end, "the last line, or more to load")
            if model.items[-1]["text"] == "60":
                break
        seen = {}
        for message in server.notifications("s"):
            if message.method in ("pageAppended", "pagePrepended"):
                for index, each in enumerate(message.params["items"], message.params["start"]):
                    self.assertEqual(seen.setdefault(index, each), each)
        self.assertEqual([seen[n]["text"] for n in sorted(seen)], [str(n) for n in range(61)])


class ManyTests(FollowCase):
    def test_many_sessions_share_a_descriptor_and_each_gets_its_own(self):
        server = self.server()
        folder = self.folder()
        paths = [os.path.join(folder, "%d.log" % n) for n in range(200)]
        for number, path in enumerate(paths):
            with open(path, "wb") as stream:
                stream.write(b"first of %d\n" % number)
        before = len(os.listdir("/proc/%d/fd" % server.process.pid))
        sessions = [(str(n), paths[n // 2]) for n in range(400)]
        asked = [
            server.request("open", {"session": name, "source": {"type": "file", "path": path, "follow": True}})
            for name, path in sessions
        ]
        for raw_id in asked:
            server.wait(raw_id)
        for name, _ in sessions:
            server.wait_loaded(name)
        for number, path in enumerate(paths):
            self.append(b"second of %d\n" % number, path)
        for name, path in sessions:
            self.wait_count(server, 2, name)
            self.assertEqual(server.model(name).items[1]["text"], "second of %d" % (int(name) // 2))
        # A thread may be reading a file at this moment, and as many as 128 files are held for the case that they are rotated.
        self.assertLess(len(os.listdir("/proc/%d/fd" % server.process.pid)), before + 70 + 128)
        for name, _ in sessions:
            server.call("close", {"session": name})
        server.barrier()
        self.assertLess(len(os.listdir("/proc/%d/fd" % server.process.pid)), before + 10)

    def test_close_stops_the_watch_at_once(self):
        server = self.follow()
        self.append(b"two\n")
        self.wait_count(server, 2)
        server.open("other", {"type": "file", "path": self.path, "follow": True})
        server.wait_loaded("other")
        server.call("close", {"session": "s"})
        since = server.mark()
        self.append(b"three\n")
        self.wait_count(server, 3, "other")
        self.assertEqual(server.notifications("s", since), [])
        server.call("close", {"session": "other"})
        watches = [
            name
            for name in os.listdir("/proc/%d/fd" % server.process.pid)
            if "inotify" in os.readlink("/proc/%d/fd/%s" % (server.process.pid, name))
        ]
        self.assertEqual(watches, [])

    def test_a_session_that_follows_nothing_has_no_watch(self):
        path = self.file(b"one\n")
        server = self.server()
        server.open("s", {"type": "file", "path": path})
        server.wait_loaded("s")
        links = [
            os.readlink("/proc/%d/fd/%s" % (server.process.pid, name))
            for name in os.listdir("/proc/%d/fd" % server.process.pid)
        ]
        self.assertFalse([link for link in links if "inotify" in link], json.dumps(links))


if __name__ == "__main__":
    unittest.main()
