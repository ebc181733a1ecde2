"""Files that are rotated while they are followed: what the old one gained last is not lost (specification, section 15.3)."""

import os
import shutil
import subprocess
import threading
import time
import unittest

from pagewire_client import BINARY
from test_follow import FollowCase


class RotationTests(FollowCase):
    def rotate(self, *, create=b"", lose=False):
        """As logrotate does it with `create`: the name goes to another file in one instant, or with `lose` the old one is gone."""
        if lose:
            os.unlink(self.path)
        else:
            os.rename(self.path, self.path + ".1")
        with open(self.path, "wb") as stream:
            stream.write(create)

    def test_what_was_written_right_before_comes_before_the_change_is_told(self):
        for lose in (False, True):
            with self.subTest(lose=lose):
                server = self.follow(b"one\n", name="a%d.log" % lose)
                self.append(b"two\nthree\n")
                self.rotate(create=b"new\n", lose=lose)
                self.wait_changed(server)
                self.assertEqual(self.texts(server), ["one", "two", "three"])
                server.call("refresh", {"session": "s"})
                self.assertEqual(self.texts(server), ["new"])
                self.append(b"newer\n")
                self.wait_count(server, 2)

    def test_a_writer_that_opens_the_new_file_late(self):
        server = self.follow(b"one\n")
        with open(self.path, "ab", buffering=0) as writer:
            self.rotate(create=b"new\n")
            for number in range(5):
                writer.write(b"late %d\n" % number)
                time.sleep(0.1)
        self.wait_changed(server)
        self.assertEqual(self.texts(server), ["one"] + ["late %d" % n for n in range(5)])

    def test_a_writer_that_never_opens_the_new_file_does_not_keep_the_change_from_being_told(self):
        server = self.follow(b"one\n")
        writer = open(self.path, "ab", buffering=0)
        self.addCleanup(writer.close)
        self.rotate(create=b"new\n")
        stop = threading.Event()

        def write():
            while not stop.wait(0.05):
                writer.write(b"more\n")

        thread = threading.Thread(target=write)
        thread.start()
        try:
            self.wait_changed(server)
        finally:
            stop.set()
            thread.join()
        self.assertEqual(self.texts(server)[:2], ["one", "more"])

    def test_more_than_a_page_is_drained(self):
        server = self.follow(b"0\n", pageSize=10)
        # The name and the lines change while the server cannot look: between two of its turns.
        os.kill(server.process.pid, 19)
        self.append(b"".join(b"%d\n" % n for n in range(1, 955)))
        self.rotate(create=b"new\n")
        os.kill(server.process.pid, 18)
        self.wait_changed(server)
        self.assertEqual(self.texts(server), [str(n) for n in range(955)])

    def test_the_old_file_is_let_go(self):
        server = self.follow(b"one\n")
        self.rotate(create=b"new\n", lose=True)
        self.wait_changed(server)
        server.call("refresh", {"session": "s"})
        server.barrier()
        links = [
            os.readlink("/proc/%d/fd/%s" % (server.process.pid, name))
            for name in os.listdir("/proc/%d/fd" % server.process.pid)
        ]
        self.assertFalse([each for each in links if "log.txt (deleted)" in each], links)

    def test_a_missing_file_is_read_on_while_it_is_written_to(self):
        server = self.follow(b"one\n")
        with open(self.path, "ab", buffering=0) as writer:
            os.rename(self.path, self.path + ".1")
            writer.write(b"two\n")
            self.wait_count(server, 2)
        with open(self.path, "wb") as stream:
            stream.write(b"new\n")
        self.wait_changed(server)
        self.assertEqual(self.texts(server), ["one", "two"])

    def test_many_rotations_in_a_row_lose_nothing_of_a_file_that_was_followed(self):
        """A writer and a rotator at full speed; whoever refreshes after each change sees a whole file each time."""
        server = self.follow(b"", name="busy.log", pageSize=100)
        written = []
        number = 0
        for generation in range(6):
            lines = []
            for _ in range(200):
                lines.append("%d of %d" % (number, generation))
                self.append(b"%s\n" % lines[-1].encode())
                number += 1
            written.append(lines)
            if generation % 3 == 2:
                # The new file takes the old one's inode where the file system hands it out again.
                self.rotate(lose=True)
            else:
                shutil.copyfile(self.path, self.path + ".copy")
                os.rename(self.path, self.path + ".%d" % generation)
                with open(self.path, "wb"):
                    pass
            self.wait_changed_since(server)
            self.assertEqual(self.texts(server), lines)
            self.since = server.mark()
            server.call("refresh", {"session": "s"})

    since = 0

    def wait_changed_since(self, server):
        failed = server.wait_notification("loadFailed", self.since, session="s").params
        self.assertEqual(failed["error"]["data"]["name"], "sourceChanged", failed)

    def test_an_inode_that_is_used_again(self):
        server = self.follow(b"first file\n")
        inode = os.stat(self.path).st_ino
        for attempt in range(50):
            os.unlink(self.path)
            with open(self.path, "wb") as stream:
                stream.write(b"other file\n")
            if os.stat(self.path).st_ino == inode:
                break
        self.wait_changed(server)
        server.call("refresh", {"session": "s"})
        self.assertEqual(self.texts(server), ["other file"])

    def test_copy_and_truncate_again_and_again(self):
        server = self.follow(b"", name="copied.log")
        self.since = 0
        for generation in range(6):
            lines = ["line %d of %d" % (n, generation) for n in range(20)]
            for line in lines:
                self.append(line.encode() + b"\n")
            self.wait_count(server, 20)
            self.assertEqual(self.texts(server), lines)
            shutil.copyfile(self.path, self.path + ".%d" % generation)
            os.truncate(self.path, 0)
            self.wait_changed_since(server)
            self.since = server.mark()
            server.call("refresh", {"session": "s"})

    def test_a_last_line_without_its_newline_is_an_item_once_its_file_has_ended(self):
        server = self.follow(b"one\n")
        self.append(b"two\nhalf")
        self.rotate(create=b"new\n")
        self.wait_changed(server)
        self.assertEqual(self.texts(server), ["one", "two", "half"])
        # Half a value is none.
        server = self.follow(b'{"id":1}\n', name="log.jsonl")
        self.append(b'{"id":2}\n{"id":')
        self.rotate(create=b'{"id":4}\n')
        self.wait_changed(server)
        self.assertEqual(server.model("s").ids, [1, 2])

    def test_without_the_system_s_word_the_file_is_looked_at_now_and_then(self):
        """In a user namespace of its own the server gets no inotify at all."""
        script = 'echo 0 > /proc/sys/user/max_inotify_instances || exit 9; exec "$0"'
        command = ["unshare", "-Ur", "sh", "-c", script, BINARY]
        if subprocess.run(command[:5] + ["true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no user namespace can be made here, so inotify cannot be taken away")
        server = self.follow(b"one\n", server=self.server(command=command))
        names = os.listdir("/proc/%d/fd" % server.process.pid)
        links = [os.readlink("/proc/%d/fd/%s" % (server.process.pid, name)) for name in names]
        self.assertFalse([link for link in links if "inotify" in link], links)
        self.append(b"two\n")
        self.wait_count(server, 2)
        self.append(b"three\n")
        self.rotate(create=b"new\n")
        self.wait_changed(server)
        self.assertEqual(self.texts(server), ["one", "two", "three"])
        server.call("refresh", {"session": "s"})
        self.append(b"newer\n")
        self.wait_count(server, 2)

    def test_json_lines_are_drained_too(self):
        server = self.follow(b'{"id":1}\n', name="log.jsonl")
        self.append(b'{"id":2}\n\n{"id":3}\n')
        self.rotate(create=b'{"id":4}\n')
        self.wait_changed(server)
        self.assertEqual(server.model("s").ids, [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
