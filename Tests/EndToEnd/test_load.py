"""Under load: output that nobody reads, sessions beside each other, and memory (contract sections 1 and 8)."""

import os
import subprocess
import threading
import time
import unittest

from pagewire_client import BINARY, LIMIT
from strict_json import Message, StrictFrames, dumps, frame
from support import NO_RETRY, EndToEndCase, numbered
from test_framing import memory_kib

MIB = 1024


class UnreadOutputTests(EndToEndCase):
    """Plain pipes: these tests decide themselves when to read."""

    def process(self):
        process = subprocess.Popen(
            [BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def write(self, process, data, limit=LIMIT):
        """Writes from a thread; gives an event that says when all was taken."""
        done = threading.Event()

        def run():
            view = memoryview(data)
            while len(view):
                view = view[os.write(process.stdin.fileno(), view) :]
            done.set()

        threading.Thread(target=run, daemon=True).start()
        return done

    def drain(self, process, number):
        """Reads until so many responses were had; gives their ids in order."""
        frames, ids = StrictFrames(), []
        while len(ids) < number:
            data = os.read(process.stdout.fileno(), 1 << 20)
            self.assertTrue(data, "the server ended")
            for body in frames.feed(data):
                message = Message(body.decode("utf-8"))
                if message.kind == "response":
                    ids.append(message.raw["id"])
        return ids

    def test_forty_thousand_requests_unread_then_drained(self):
        process = self.process()
        requests = b"".join(
            frame('{"jsonrpc":"2.0","id":%d,"method":"state","params":{"session":"nosuch"}}' % n) for n in range(40_000)
        )
        done = self.write(process, requests)
        # The reader does not wait for the writer: all is taken though nothing is read.
        self.assertTrue(done.wait(LIMIT), "the server stopped reading")
        self.assertLess(self.memory(process), 200 * MIB)
        self.assertEqual(self.drain(process, 40_000), [str(n) for n in range(40_000)])
        process.stdin.close()
        self.assertEqual(process.wait(LIMIT), 0)

    def test_beyond_the_bound_reading_pauses_and_goes_on_once_the_client_reads(self):
        process = self.process()
        opened = frame(
            '{"jsonrpc":"2.0","id":0,"method":"open","params":%s}'
            % dumps({"session": "s", "source": {"type": "items", "items": []}, "presentation": "x" * 1_000_000})
        )
        states = b"".join(
            frame('{"jsonrpc":"2.0","id":%d,"method":"state","params":{"session":"s","pad":"%s"}}' % (n, "y" * 20_000))
            for n in range(1, 301)
        )
        done = self.write(process, opened + states)
        # 300 MB of answers would be had; the bound is 64 MiB, so the 6 MB of input must back up.
        self.assertFalse(done.wait(1.5), "the server took everything though nobody reads")
        self.assertLess(self.memory(process), 160 * MIB)
        self.assertEqual(self.drain(process, 301), [str(n) for n in range(301)])
        self.assertTrue(done.wait(LIMIT))
        process.stdin.close()
        self.assertEqual(process.wait(LIMIT), 0)

    def memory(self, process):
        class Shell:
            pass

        shell = Shell()
        shell.process = process
        return memory_kib(shell)


class IsolationTests(EndToEndCase):
    def test_a_slow_session_delays_no_other(self):
        server = self.server()
        for number in range(20):
            server.open("slow%d" % number, {"type": "synthetic", "latencyMs": 600_000}, timeoutMs=900_000)
        server.open("fast", {"type": "synthetic", "count": 200})
        server.wait_loaded("fast")
        self.assertEqual(len(self.scroll_to_end(server, "fast").items), 200)
        self.assertTrue(all(server.model("slow%d" % n).loading for n in range(20)))

    def test_a_client_session_that_is_never_answered_delays_no_other(self):
        server = self.server()
        self.open_client(server, "stuck", timeoutMs=900_000)
        path = self.file(b"".join(b"line %d\n" % n for n in range(500)))
        server.open("file", {"type": "file", "path": path})
        server.wait_loaded("file")
        self.assertEqual(len(self.scroll_to_end(server, "file").items), 500)
        server.next_fetch("stuck").answer([], next=None)

    def test_a_failing_session_delays_no_other(self):
        server = self.server()
        retry = {"retries": 1000, "initialDelayMs": 0, "maxDelayMs": 1, "jitter": 0}
        server.open("ill", {"type": "synthetic", "fail": [{"page": 0, "times": 100_000}]}, retry=retry)
        server.open("well", {"type": "synthetic", "count": 200})
        server.wait_loaded("well")
        self.assertEqual(len(self.scroll_to_end(server, "well").items), 200)
        server.call("close", {"session": "ill"})

    def test_many_sessions_at_once(self):
        server = self.server()
        names = ["s%d" % n for n in range(1000)]
        waiting = [
            server.request("open", {"session": name, "source": {"type": "synthetic", "count": 30}}) for name in names
        ]
        for raw_id in waiting:
            server.wait(raw_id)
        for name in names:
            server.wait_notification("loading", session=name, isLoading=False) if name in names[-3:] else None
        more = [server.request("loadMore", {"session": name}) for name in names]
        for raw_id in more:
            self.assertEqual(server.wait(raw_id)["count"], 30)
        self.assertEqual(len(server.call("sessions")), 1000)


class MemoryTests(EndToEndCase):
    def test_paging_through_a_file_of_some_hundred_megabytes_keeps_memory_flat(self):
        path = os.path.join(self.folder(), "big.txt")
        lines, width = 300_000, 1000
        with open(path, "wb") as stream:
            for start in range(0, lines, 1000):
                stream.write(
                    b"".join(b"%d " % n + b"x" * (width - len(str(n)) - 2) + b"\n" for n in range(start, start + 1000))
                )
        server = self.server(check=False)
        server.open("s", {"type": "file", "path": path}, pageSize=500)
        server.wait_loaded("s")
        first = memory_kib(server)
        seen, has_more, highest = 0, True, 0
        while True:
            for message in server.log:
                if message.method == "pageAppended":
                    for item in message.params["items"]:
                        self.assertEqual(item["text"].split(" ", 1)[0], str(seen))
                        seen += 1
            server.log.clear()
            server.answers.clear()
            if not has_more:
                break
            has_more = server.call("loadMore", {"session": "s"})["hasMore"]
            highest = max(highest, memory_kib(server))
        self.assertEqual(seen, lines)
        # What may grow is what is known of 300,000 ids; the 300 MB themselves may not.
        self.assertLess(highest - first, 48 * MIB)

    def test_loading_and_refreshing_for_long_keeps_memory_flat(self):
        server = self.server(check=False)
        server.open("s", {"type": "synthetic", "count": None, "itemBytes": 1000}, pageSize=100)
        server.wait_loaded("s")
        figures = []
        for number in range(600):
            server.call("refresh", {"session": "s"})
            server.call("loadMore", {"session": "s"})
            server.log.clear()
            if number in (100, 599):
                figures.append(memory_kib(server))
        self.assertLess(figures[1] - figures[0], 4 * MIB)

    def test_opening_and_closing_for_long_keeps_memory_flat(self):
        server = self.server(check=False)
        figures = []
        for number in range(3000):
            server.open("s", {"type": "items", "items": numbered(0, 50)}, presentation="x" * 1000)
            server.call("close", {"session": "s"})
            server.log.clear()
            if number in (500, 2999):
                figures.append(memory_kib(server))
        self.assertLess(figures[1] - figures[0], 4 * MIB)

    def test_a_huge_page_gives_its_memory_back(self):
        server = self.server(check=False)
        server.open("s", {"type": "client"}, retry=NO_RETRY, autoload=False)
        server.barrier()
        before = memory_kib(server)
        for number in range(3):
            raw_id = server.request("loadMore", {"session": "s"})
            server.next_fetch("s").answer([{"id": number, "text": "x" * 50_000_000}], next=number)
            server.wait(raw_id)
            server.log.clear()
        server.barrier()
        # It is kept for a second, in case that another such page follows.
        deadline = time.monotonic() + 5
        while memory_kib(server) - before > 4 * MIB and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertLess(memory_kib(server) - before, 4 * MIB)


if __name__ == "__main__":
    unittest.main()
