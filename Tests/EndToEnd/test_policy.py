"""What an embedding program may forbid: `--allow` and `--root` (contract section 11)."""

import os
import subprocess
import threading
import unittest

from pagewire_client import BINARY, LIMIT
from support import REFUSED, UNAVAILABLE, EndToEndCase


class RootTests(EndToEndCase):
    def setUp(self):
        self.outside = self.folder()
        self.root = os.path.join(self.outside, "base")
        os.makedirs(os.path.join(self.root, "sub"))
        for path in ("base/in.txt", "base/sub/in.txt", "out.txt", "baseless.txt"):
            with open(os.path.join(self.outside, path), "w") as stream:
                stream.write("one\ntwo\n")
        os.symlink("in.txt", os.path.join(self.root, "inward"))
        os.symlink("../out.txt", os.path.join(self.root, "outward"))
        os.symlink("../nosuch.txt", os.path.join(self.root, "dangling"))
        os.symlink("..", os.path.join(self.root, "up"))

    def test_what_lies_in_the_folder_opens_however_it_is_named(self):
        server = self.server("--root", self.root)
        for number, name in enumerate(("in.txt", "sub/in.txt", "sub/../in.txt", "./in.txt", "inward", "up/base/in.txt")):
            server.open("s%d" % number, {"type": "file", "path": os.path.join(self.root, name)})
            server.wait_loaded("s%d" % number)
            self.assertEqual(len(server.model("s%d" % number).items), 2)

    def test_programs_are_not_started_unless_that_is_allowed_too(self):
        provider = os.path.join(self.outside, "pagewire-source-rooted")
        with open(provider, "w") as stream:
            stream.write("#!/bin/sh\n")
        os.chmod(provider, 0o755)
        environment = dict(os.environ, PATH=self.outside + os.pathsep + os.environ["PATH"])
        server = self.server("--root", self.root, environment=environment)
        for source in ({"type": "command", "argv": ["cat", "/etc/passwd"]}, {"type": "rooted"}):
            error = self.refused(REFUSED, server.open, "s", source)
            self.assertIn("--root", str(error))
        self.refused(UNAVAILABLE, server.open, "s", {"type": "nobody"})
        server = self.server("--root", self.root, "--allow", "file,command")
        server.open("s", {"type": "command", "argv": ["echo", "1"]})
        server.wait_loaded("s")
        self.refused(REFUSED, server.open, "t", {"type": "rooted"})

    def test_what_lies_outside_is_refused_whether_it_is_there_or_not(self):
        server = self.server("--root=" + self.root)
        for name in ("../out.txt", "sub/../../out.txt", "outward", "dangling", "up/out.txt", "../nosuch", "../baseless.txt",
                     "nosuch/../../out.txt", "../../../../../../../etc/passwd"):
            error = self.refused(REFUSED, server.open, "s", {"type": "file", "path": os.path.join(self.root, name)})
            self.assertIn("--root", str(error))
        for path in ("/etc/passwd", "/", "/proc/self/environ", self.outside):
            self.refused(REFUSED, server.open, "s", {"type": "file", "path": path})
        self.refused(UNAVAILABLE, server.open, "s", {"type": "file", "path": os.path.join(self.root, "nosuch")})

    def test_a_link_that_is_swapped_all_the_time_never_leads_out(self):
        server = self.server("--root", self.root)
        link = os.path.join(self.root, "link")
        with open(os.path.join(self.outside, "out.txt"), "w") as stream:
            stream.write("secret\n" * 2)
        stop = threading.Event()

        def swap():
            for number in range(10**9):
                if stop.is_set():
                    return
                os.symlink("in.txt" if number % 2 else "../out.txt", link + ".new")
                os.replace(link + ".new", link)

        os.symlink("in.txt", link)
        thread = threading.Thread(target=swap)
        thread.start()
        try:
            for number in range(300):
                name = "s%d" % number
                try:
                    server.open(name, {"type": "file", "path": link}, retry={"retries": 0})
                except Exception as error:
                    self.assertIn("--root", str(error))
                    continue
                server.wait_notification("loading", session=name, isLoading=False)
                self.assertNotIn("secret", str(server.model(name).items))
        finally:
            stop.set()
            thread.join()

    def test_a_root_that_is_no_folder_is_bad_usage(self):
        for path in (os.path.join(self.outside, "out.txt"), "/nowhere", ""):
            done = subprocess.run([BINARY, "--root", path], capture_output=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1), path)


class AllowTests(EndToEndCase):
    def test_other_types_are_refused_and_not_offered(self):
        server = self.server("--allow", "items,client")
        self.assertEqual(server.call("initialize")["capabilities"]["sources"], ["items", "client"])
        server.open("a", {"type": "items", "items": []})
        error = self.refused(REFUSED, server.open, "b", {"type": "file", "path": "/etc/hostname"})
        self.assertIn("--allow", str(error))
        self.refused(REFUSED, server.open, "b", {"type": "nosuch"})


if __name__ == "__main__":
    unittest.main()
