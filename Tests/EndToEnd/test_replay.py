"""`pagewire replay` and `--record`: transcripts played from either side, and traffic that becomes one."""

import json
import os
import signal
import subprocess
import sys
import unittest

from pagewire_client import BINARY, LIMIT, Server
from support import EndToEndCase

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
TRANSCRIPTS = os.path.join(ROOT, "protocol", "transcripts")
RUNNER = os.path.join(ROOT, "protocol", "replay.py")


def frame(message):
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def read_frame(stream):
    header = stream.readline()
    if not header:
        return None
    stream.readline()
    return json.loads(stream.read(int(header.split(b":")[1])))


def replay(*arguments, **options):
    return subprocess.run([BINARY, "replay", *arguments], capture_output=True, timeout=10 * LIMIT, **options)


class ReplayTests(EndToEndCase):
    def transcript(self, *steps, **header):
        header = {"transcript": "1.0", "description": "a test", "section": "1", **header}
        return self.file("".join(json.dumps(line) + "\n" for line in (header, *steps)), "test.jsonl")

    def test_both_runners_agree_about_every_transcript(self):
        folders = [os.path.join(ROOT, "protocol", name) for name in ("transcripts", "methods", "conformance")]
        ours = replay(*folders)
        theirs = subprocess.run(
            [sys.executable, RUNNER, *folders, "--", BINARY],
            capture_output=True, timeout=10 * LIMIT,
        )
        self.assertEqual(ours.returncode, 0, ours.stdout.decode()[-4000:])
        self.assertEqual(ours.stdout.splitlines()[-1], theirs.stdout.splitlines()[-1])
        self.assertGreater(int(ours.stdout.split()[-6]), 200)

    def test_every_negative_transcript_fails_for_its_reason(self):
        done = replay("--negative", os.path.join(TRANSCRIPTS, "negative"))
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def test_one_byte_at_a_time_changes_nothing(self):
        done = replay("--chunk", "1", os.path.join(TRANSCRIPTS, "framing"), os.path.join(TRANSCRIPTS, "jsonrpc"))
        self.assertEqual(done.returncode, 0, done.stdout.decode()[-4000:])

    def test_a_difference_says_where_what_was_expected_and_what_came(self):
        path = self.transcript(
            {"send": {"jsonrpc": "2.0", "id": 1, "method": "sessions"}},
            {"expect": {"jsonrpc": "2.0", "id": 1, "result": ["x"]}, "note": "one session"},
        )
        done = replay(path)
        self.assertEqual(done.returncode, 1)
        for part in ("line 3 (one session)", "/result", '["x"]', "[]"):
            self.assertIn(part, done.stdout.decode())

    def test_another_server_can_be_named(self):
        path = self.transcript({"send": {"jsonrpc": "2.0", "id": 1, "method": "sessions"}}, {"expect": {"$any": True}})
        self.assertEqual(replay(path, "--", BINARY, "--log-level", "error").returncode, 0)
        self.assertEqual(replay(path, "--", "cat").returncode, 0)
        done = replay(path, "--", "/nowhere/server")
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1), done.stderr)

    def test_unusable_input_is_one_line_and_status_2(self):
        for arguments in ([], ["--nosuch"], ["/nowhere"], ["--chunk", "0", "x"], [self.file("no json\n", "x.jsonl")]):
            done = replay(*arguments)
            self.assertEqual((done.returncode, done.stderr.count(b"\n"), done.stdout), (2, 1, b""), arguments)


class ServeTests(EndToEndCase):
    """`replay --serve` plays the server, so that a front end can be tested without one."""

    STEPS = (
        {"send": {"jsonrpc": "2.0", "id": 1, "method": "open", "params": {"session": "a", "source": {"type": "client"}}}},
        {"expect": {"jsonrpc": "2.0", "id": 1, "result": {"$partial": {"session": "a", "count": {"$type": "integer"}}}}},
        {"expect": {"jsonrpc": "2.0", "id": {"$capture": "f"}, "method": "fetchPage", "params": {"page": 0}}},
        {"send": {"jsonrpc": "2.0", "id": {"$ref": "f"}, "result": {"items": [1], "next": None}}},
    )

    def serve(self):
        header = {"transcript": "1.0", "description": "a test", "section": "1"}
        path = self.file("".join(json.dumps(line) + "\n" for line in (header, *self.STEPS)), "test.jsonl")
        process = subprocess.Popen(
            [BINARY, "replay", "--serve", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.addCleanup(process.kill)
        for stream in (process.stdin, process.stdout, process.stderr):
            self.addCleanup(stream.close)
        return process

    def test_a_front_end_that_does_as_written_passes_under_ids_of_its_own(self):
        process = self.serve()
        send = {"jsonrpc": "2.0", "id": "mine", "method": "open", "params": {"session": "a", "source": {"type": "client"}}}
        process.stdin.write(frame(send))
        process.stdin.flush()
        answer = read_frame(process.stdout)
        self.assertEqual(answer, {"jsonrpc": "2.0", "id": "mine", "result": {"session": "a", "count": 0}})
        fetch = read_frame(process.stdout)
        self.assertEqual((fetch["method"], fetch["params"]), ("fetchPage", {"page": 0}))
        process.stdin.write(frame({"jsonrpc": "2.0", "id": fetch["id"], "result": {"items": [1], "next": None}}))
        process.stdin.close()
        self.assertEqual(process.wait(LIMIT), 0, process.stderr.read())

    def test_one_that_does_not_is_told_why(self):
        process = self.serve()
        process.stdin.write(frame({"jsonrpc": "2.0", "id": 1, "method": "open", "params": {"session": "b"}}))
        process.stdin.close()
        self.assertEqual(process.wait(LIMIT), 1)
        report = process.stderr.read().decode()
        for part in ("line 2", "/params/session", '"a"', '"b"'):
            self.assertIn(part, report)


class RecordTests(EndToEndCase):
    def recording(self):
        return os.path.join(self.folder(), "recording.jsonl")

    def browse(self, recording, *arguments):
        server = "%s --record %s" % (BINARY, recording)
        return subprocess.run([BINARY, "browse", "--server", server, *arguments], capture_output=True, timeout=LIMIT)

    def test_a_recorded_run_of_browse_replays(self):
        content = "".join("line %d é \\ \"$ref\" \n" % n for n in range(20_000)).encode()
        for source in (self.file(content), '{"type":"synthetic","count":500,"latencyMs":1,"emptyPages":[2]}'):
            recording = self.recording()
            self.assertEqual(self.browse(recording, "--page-size", "3000", source).returncode, 0)
            done = replay(recording)
            self.assertEqual(done.returncode, 0, done.stdout.decode()[-3000:])
            done = subprocess.run([sys.executable, RUNNER, recording, "--", BINARY], capture_output=True, timeout=LIMIT)
            self.assertEqual(done.returncode, 0, done.stdout.decode()[-3000:])

    def test_a_busy_conversation_with_a_client_source_replays(self):
        recording = self.recording()
        server = self.server("--record", recording)
        self.open_client(server, "a", first={"items": [{"id": n, "$any": 1.0} for n in range(10)]}, pageSize=10)
        waiting = server.request("loadMore", {"session": "a"})
        server.call("itemAppeared", {"session": "a", "position": 9})
        server.next_fetch("a").answer(items=[{"id": n} for n in range(8, 20)], next=None)
        server.wait(waiting)
        server.call("state", {"session": "a", "resume": True})
        server.finish()
        done = replay(recording)
        self.assertEqual(done.returncode, 0, done.stdout.decode()[-3000:])

    def test_a_failing_run_replays_to_the_same_failure(self):
        """What failed comes out of the recording again; mended, the recording says what is different now."""
        recording = self.recording()
        path = self.file('[{"id":1},{"id":2}', "cut.json")
        server = self.server("--record", recording)
        server.open("a", {"type": "file", "path": path}, retry={"retries": 1, "initialDelayMs": 1})
        error = server.wait_notification("loadFailed", session="a", willRetry=False).params["error"]
        self.refused(error["code"], server.call, "loadMore", {"session": "a"})
        self.refused(1003, server.open, "b", {"type": "file", "path": path + ".not-there"})
        server.finish()
        done = replay(recording)
        self.assertEqual(done.returncode, 0, done.stdout.decode()[-3000:])
        with open(recording) as stream:
            recorded = [json.loads(line).get("expect", {}) for line in stream]
        errors = [step["params"]["error"] for step in recorded if step.get("method") == "loadFailed"]
        self.assertEqual([each["message"] for each in errors], [error["message"]] * 2)
        with open(path, "w") as stream:
            stream.write('[{"id":1},{"id":2}]')
        done = replay(recording)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("loadFailed", done.stdout.decode())

    def test_a_run_that_the_server_did_not_survive_replays_up_to_there(self):
        recording = self.recording()
        server = Server("--record", recording, check=False)
        self.addCleanup(server.kill)
        server.open("a", {"type": "items", "items": [1, 2, 3]}, idPath="")
        server.wait_loaded("a")
        server.process.send_signal(signal.SIGABRT)
        server.process.wait(LIMIT)
        with open(recording) as stream:
            text = stream.read()
        self.assertIn("pageAppended", text)
        done = replay(recording)
        self.assertEqual(done.returncode, 0, done.stdout.decode()[-3000:])

    def test_a_recording_that_is_changed_fails(self):
        recording = self.recording()
        self.browse(recording, '{"type":"items","items":[1,2,3]}')
        with open(recording) as stream:
            text = stream.read()
        with open(recording, "w") as stream:
            stream.write(text.replace("[1,2,3],\"ids\"", "[1,2,4],\"ids\""))
        done = replay(recording)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("/params/items/2", done.stdout.decode())

    def test_secrets_are_left_out(self):
        recording = self.recording()
        server = self.server("--record", recording)
        source = {"type": "nosuch", "headers": {"Authorization": "Bearer hunter2"}, "env": {"TOKEN": "hunter2"}}
        self.refused(1003, server.open, "a", source)
        refresh = {"jsonrpc": "2.0", "method": "refresh", "params": {"session": "b", "source": source}}
        server.send_text(json.dumps([refresh]))
        server.send_text(json.dumps(refresh, indent=1))
        server.send_text("  " + json.dumps(refresh).replace("headers", "h\\u0065aders").replace('"env"', '"\\u0065nv"'))
        server.barrier()
        server.finish()
        with open(recording) as stream:
            text = stream.read()
        self.assertNotIn("hunter2", text)
        self.assertIn("left out", text)
        self.assertEqual(os.stat(recording).st_mode & 0o077, 0, "others can read it")

    def test_a_recording_ends_at_its_bound_and_serving_goes_on(self):
        recording = self.recording()
        server = self.server("--record", recording, "--max-record", "2000")
        server.open("a", {"type": "synthetic", "count": 100})
        self.scroll_to_end(server, "a")
        server.finish()
        self.assertLessEqual(os.stat(recording).st_size, 2000)
        with open(recording) as stream:
            for line in stream:
                json.loads(line)

    def test_a_recording_that_cannot_be_made_is_one_line_and_status_2(self):
        done = subprocess.run([BINARY, "--record", "/nowhere/file"], capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1), done.stderr)


class SchemaTests(EndToEndCase):
    def test_schema_prints_the_file_in_protocol(self):
        done = subprocess.run([BINARY, "schema"], capture_output=True, timeout=LIMIT)
        with open(os.path.join(ROOT, "protocol", "pagewire.openrpc.json"), "rb") as stream:
            self.assertEqual((done.returncode, done.stdout), (0, stream.read()))


if __name__ == "__main__":
    unittest.main()
