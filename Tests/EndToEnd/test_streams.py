"""Standard streams that are not what a server would like, and a system that has little left to give."""

import os
import resource
import subprocess
import time
import unittest

from pagewire_client import BINARY, LIMIT
from strict_json import Message, StrictFrames, frame
from support import EndToEndCase


def request(number, method, params="{}"):
    return frame('{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}' % (number, method, params))


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid) as stream:
        fields = stream.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class StreamTests(EndToEndCase):
    def process(self, *arguments, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **options}
        process = subprocess.Popen([BINARY, *arguments], stderr=subprocess.DEVNULL, bufsize=0, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for stream in (process.stdin, process.stdout):
            if stream:
                self.addCleanup(stream.close)
        return process

    def answers(self, process, number):
        """Reads until so many responses were had."""
        frames, messages = StrictFrames(), []
        while len(messages) < number:
            data = os.read(process.stdout.fileno(), 1 << 20)
            self.assertTrue(data, "the server ended after %d answers" % len(messages))
            messages += [Message(body.decode("utf-8")) for body in frames.feed(data)]
        return messages

    def test_input_that_does_not_block_costs_no_time(self):
        # Whoever shares the description of a pipe may make it non-blocking for all.
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        process = self.process(stdin=reader)
        os.close(reader)
        for number in range(200):
            os.write(writer, request(number, "sessions"))
            self.answers(process, 1)
        before = cpu_seconds(process.pid)
        time.sleep(0.5)
        self.assertLess(cpu_seconds(process.pid) - before, 0.2)
        os.write(writer, request(1, "sessions"))
        self.answers(process, 1)
        os.close(writer)
        self.assertEqual(process.wait(LIMIT), 0)

    def test_frames_that_wait_for_room_come_before_the_end_of_the_input(self):
        process = self.process("--max-queued-output=65536")
        number = 2_000
        data = b"".join(request(n, "state", '{"session":"nosuch"}') for n in range(number))
        # Less than what the pipe and the server's buffer hold, so that all of it and the end are there at once.
        sent = 0
        os.set_blocking(process.stdin.fileno(), False)
        while sent < len(data):
            try:
                sent += os.write(process.stdin.fileno(), data[sent:])
            except BlockingIOError:
                break
        self.assertGreater(sent, 0)
        whole = data[:sent].count(b'"nosuch"}}')
        process.stdin.close()
        frames, messages = StrictFrames(), []
        while True:
            chunk = os.read(process.stdout.fileno(), 4096)
            if not chunk:
                break
            messages += [Message(body.decode("utf-8")) for body in frames.feed(chunk)]
        ids = [message.raw["id"] for message in messages]
        self.assertEqual(ids[:whole], [str(n) for n in range(whole)])
        # What was cut is said to be cut, once, and last.
        self.assertEqual(ids[whole:], ["null"] if sent < len(data) else [])
        self.assertEqual(process.wait(LIMIT), 0)

    def test_a_disk_that_is_full_ends_it(self):
        with open("/dev/full", "wb") as full:
            process = self.process(stdout=full)
            process.stdin.write(request(1, "sessions"))
            self.assertEqual(process.wait(LIMIT), 0)

    def test_closed_streams_end_it(self):
        for which in ("<&-", ">&-", "<&- >&- 2>&-"):
            done = subprocess.run(
                ["sh", "-c", 'exec "$0" %s' % which, BINARY], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, timeout=LIMIT,
            )
            self.assertEqual(done.returncode, 0, which)

    def test_without_descriptors_files_cannot_be_opened_and_the_rest_works(self):
        path = self.file("one\ntwo\n")

        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))

        process = self.process(preexec_fn=few)
        for number in range(30):
            source = '{"type":"file","path":"%s"}' % path
            process.stdin.write(request(number, "open", '{"session":"s%d","source":%s}' % (number, source)))
        process.stdin.write(request(100, "open", '{"session":"t","source":{"type":"synthetic"}}'))
        frames, answers, loaded = StrictFrames(), {}, set()
        while len(answers) < 31 or "t" not in loaded:
            data = os.read(process.stdout.fileno(), 1 << 20)
            self.assertTrue(data, "the server ended")
            for body in frames.feed(data):
                message = Message(body.decode("utf-8")).members
                if "id" in message:
                    answers[message["id"]] = message
                elif message["method"] == "pageAppended":
                    loaded.add(message["params"]["session"])
        self.assertIn("result", answers[100])
        for answer in answers.values():
            self.assertIn(answer.get("error", {}).get("code", 1003), (1003,))
        process.stdin.close()
        self.assertEqual(process.wait(LIMIT), 0)


if __name__ == "__main__":
    unittest.main()
