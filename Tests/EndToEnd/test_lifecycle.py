"""From the first byte to the last: initialize, shutdown, exit, end of input, dying peers (contract section 2)."""

import os
import signal
import subprocess
import sys
import time
import unittest

from pagewire_client import BINARY, LIMIT, Server
from strict_json import dumps, frame
from support import BAD_PARAMS, CANCELLED, INVALID_REQUEST, EndToEndCase, talk


def request(raw_id, method, **params):
    return frame('{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}' % (raw_id, method, dumps(params)))


class InitializeTests(EndToEndCase):
    def test_initialize_says_who_it_is_and_what_it_can(self):
        result = self.server().call("initialize", {"clientInfo": {"name": "test", "version": "1"}, "processId": None})
        self.assertEqual(result["serverInfo"]["name"], "pagewire")
        self.assertRegex(result["serverInfo"]["version"], r"^\d+\.\d+\.\d+")
        self.assertEqual(result["protocolVersion"], "1.0")
        self.assertLessEqual({"items", "synthetic", "file", "client"}, set(result["capabilities"]["sources"]))
        self.assertIn("item", result["capabilities"]["triggers"])
        self.assertIsInstance(result["capabilities"]["limits"], dict)

    def test_params_may_be_absent_null_or_empty(self):
        for params in ((), (None,), ({},)):
            with self.subTest(params):
                self.assertEqual(self.server().call("initialize", *params)["protocolVersion"], "1.0")

    def test_unknown_members_of_a_language_client_are_ignored(self):
        params = {"capabilities": {}, "rootUri": None, "trace": "off", "workspaceFolders": None, "locale": "en"}
        self.assertIn("capabilities", self.server().call("initialize", params))

    def test_it_is_optional(self):
        server = self.server()
        server.open("s", {"type": "items", "items": [1, 2]}, idPath="")
        server.wait_loaded("s")
        self.assertEqual(server.model("s").items, [1, 2])

    def test_it_may_come_after_other_requests_but_only_once(self):
        server = self.server()
        self.assertEqual(server.call("sessions"), [])
        server.call("initialize", {})
        self.refused(INVALID_REQUEST, server.call, "initialize", {})
        self.assertEqual(server.call("sessions"), [])

    def test_initialized_and_set_trace_are_accepted_in_silence(self):
        server = self.server()
        server.notify("initialized", {})
        server.notify("initialized")
        server.notify("$/setTrace", {"value": "verbose"})
        server.notify("$/setTrace", {"value": "off"})
        server.notify("$/progress", {"token": 1, "value": {}})
        server.notify("workspace/didChangeConfiguration", {"settings": {}})
        server.barrier()
        self.assertEqual(len(server.log), 1)

    def test_members_of_the_wrong_type_are_named(self):
        server = self.server()
        for value in ("5", 1.5, True, [], {}, 2**53 + 1):
            self.assert_names(self.refused(BAD_PARAMS, server.call, "initialize", {"processId": value}), "/processId")
        self.assertIn("serverInfo", server.call("initialize", {}))


class ShutdownTests(EndToEndCase):
    def test_shutdown_answers_null_and_exit_ends_with_0_while_stdin_stays_open(self):
        for params in ((), (None,), ({},)):
            server = self.server()
            self.assertIsNone(server.call("shutdown", *params))
            server.notify("exit", *params)
            self.assertEqual(server.wait_exit(), 0)

    def test_exit_without_shutdown_ends_with_1_while_stdin_stays_open(self):
        server = self.server()
        server.barrier()
        server.notify("exit")
        self.assertEqual(server.wait_exit(), 1)

    def test_exit_as_the_very_first_message(self):
        self.assertEqual(talk(frame('{"jsonrpc":"2.0","method":"exit"}')), ([], 1))

    def test_after_shutdown_every_request_is_refused(self):
        server = self.server()
        server.open("s", {"type": "items", "items": []})
        server.call("shutdown")
        for method in (
            "initialize",
            "open",
            "itemAppeared",
            "loadMore",
            "refresh",
            "setScrolledID",
            "state",
            "sessions",
            "close",
            "shutdown",
            "nosuch",
        ):
            self.refused(INVALID_REQUEST, server.call, method, {"session": "s"})
        server.notify("loadMore", {"session": "s"})
        server.notify("exit")
        self.assertEqual(server.wait_exit(), 0)

    def test_shutdown_answers_what_waits_first(self):
        server = self.server()
        self.open_client(server, "a")
        self.open_client(server, "b", first={"items": [{"id": 1}], "next": 1})
        first, more = server.next_fetch("a"), server.request("loadMore", {"session": "a"})
        refresh = server.request("refresh", {"session": "b"})
        server.next_fetch("b")
        self.assertIsNone(server.call("shutdown"))
        for raw_id in (more, refresh):
            self.assertEqual(server.wait_response(raw_id)["error"]["code"], CANCELLED)
        ids = [message.raw["id"] for message in server.log if message.kind == "response"]
        self.assertLess(ids.index(more), len(ids) - 1)
        self.assertEqual(ids[-1], server.log[-1].raw["id"])
        server.wait_cancelled(first)

    def test_what_was_queued_is_flushed_before_the_exit(self):
        items = [{"id": number, "text": "x" * 1000} for number in range(3000)]
        data = request(1, "open", session="s", source={"type": "items", "items": items}, pageSize=3000)
        data += request(2, "shutdown") + frame('{"jsonrpc":"2.0","method":"exit"}')
        answers, status = talk(data)
        self.assertEqual(status, 0)
        self.assertEqual([m.raw["id"] for each in answers for m in each if m.kind == "response"], ["1", "2"])

    def test_exit_waits_about_a_second_at_most_for_a_reader_that_does_not_read(self):
        process = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        state = request(2, "state", session="s")
        process.stdin.write(
            request(1, "open", session="s", source={"type": "items", "items": []}, presentation="x" * 100_000)
            + state * 50
            + request(3, "shutdown")
            + frame('{"jsonrpc":"2.0","method":"exit"}')
        )
        process.stdin.flush()
        started = time.monotonic()
        self.assertEqual(process.wait(LIMIT), 0)
        self.assertLess(time.monotonic() - started, 10)
        process.stdin.close()


class EndOfInputTests(EndToEndCase):
    def test_no_input_at_all_is_a_clean_end(self):
        self.assertEqual(talk(b""), ([], 0))

    def test_what_was_asked_for_is_finished_and_answered(self):
        source = {"type": "synthetic", "count": 100, "latencyMs": 20}
        data = request(1, "open", session="s", source=source, pageSize=10)
        data += request(2, "loadMore", session="s")
        answers, status = talk(data)
        self.assertEqual(status, 0)
        messages = [each[0] for each in answers]
        responses = {m.raw["id"]: m for m in messages if m.kind == "response"}
        self.assertEqual(sorted(responses), ["1", "2"])
        self.assertEqual(responses["2"]["result"]["outcome"], "coalesced")
        self.assertEqual([m.params["start"] for m in messages if m.method == "pageAppended"], [0])

    def test_retries_are_part_of_it(self):
        source = {"type": "synthetic", "count": 5, "fail": [{"page": 0, "times": 2}]}
        retry = {"retries": 3, "initialDelayMs": 20, "jitter": 0}
        answers, status = talk(request(1, "open", session="s", source=source, retry=retry))
        self.assertEqual(status, 0)
        methods = [each[0].method for each in answers if each[0].kind == "notification"]
        self.assertEqual(methods, ["loading", "loadFailed", "loadFailed", "pageAppended", "loading"])

    def test_nothing_new_is_started_by_demand(self):
        # Pages half as long as asked for would go on for ever under this threshold.
        source = {"type": "synthetic", "count": None, "latencyMs": 50}
        data = request(1, "open", session="s", source=source, pageSize=10, prefetchThreshold=1_000_000)
        data += request(2, "loadMore", session="s")
        answers, status = talk(data)
        self.assertEqual(status, 0)
        self.assertLessEqual(len([1 for each in answers if each[0].method == "pageAppended"]), 2)

    def test_a_client_source_fails_at_once(self):
        server = self.server()
        self.open_client(
            server, retry={"retries": 5, "initialDelayMs": 20_000, "maxDelayMs": 60_000}, timeoutMs=600_000
        )
        server.next_fetch()
        waiting = server.request("loadMore", {"session": "s"})
        server.barrier()
        server.end_input()
        self.assertEqual(server.wait_exit(), 0)
        self.assertIn("error", server.wait_response(waiting).members)

    def test_the_drain_has_a_limit(self):
        server = self.server("--drain-timeout", "1")
        server.open("s", {"type": "synthetic", "count": 10, "latencyMs": 600_000}, timeoutMs=900_000)
        waiting = server.request("loadMore", {"session": "s"})
        server.barrier()
        server.end_input()
        self.assertEqual(server.wait_exit(), 0)
        self.assertIn("error", server.wait_response(waiting).members)

    def test_input_that_ends_inside_a_message(self):
        whole = request(1, "sessions")
        statuses = set()
        for cut in range(1, len(whole)):
            answers, status = talk(request(0, "sessions") + whole[:cut])
            statuses.add(status)
            self.assertEqual(answers[0][0].raw["id"], "0")
            self.assertEqual([m.raw["id"] for each in answers[1:] for m in each], ["null"])
        self.assertEqual(statuses, {0})

    def test_the_last_answers_come_through_a_slow_reader(self):
        data = request(1, "open", session="s", source={"type": "items", "items": []}, presentation="x" * 50_000)
        data += b"".join(request(number, "state", session="s") for number in range(2, 42))
        answers, status = talk(data)
        self.assertEqual(status, 0)
        responses = [m.raw["id"] for each in answers for m in each if m.kind == "response"]
        self.assertEqual(responses, [str(number) for number in range(1, 42)])


class DyingPeerTests(EndToEndCase):
    def test_the_server_ends_once_nobody_reads_while_it_is_idle(self):
        server = self.raw_server()
        server.stdin.write(request(1, "sessions"))
        server.stdin.flush()
        os.read(server.stdout.fileno(), 1000)
        server.stdout.close()
        self.assertNotEqual(server.wait(LIMIT), -signal.SIGSEGV)

    def test_the_server_ends_once_nobody_reads_while_it_writes(self):
        server = self.raw_server()
        server.stdin.write(
            request(1, "open", session="s", source={"type": "items", "items": []}, presentation="x" * 200_000)
            + request(2, "state", session="s") * 10
        )
        server.stdin.flush()
        os.read(server.stdout.fileno(), 10)
        server.stdout.close()
        self.assertNotIn(server.wait(LIMIT), (-signal.SIGSEGV, -signal.SIGILL, -signal.SIGTRAP, -signal.SIGABRT))

    def test_the_server_ends_once_nobody_reads_while_a_source_loads(self):
        server = self.raw_server()
        source = {"type": "synthetic", "count": 10, "latencyMs": 600_000}
        server.stdin.write(request(1, "open", session="s", source=source, timeoutMs=900_000))
        server.stdin.flush()
        os.read(server.stdout.fileno(), 10)
        server.stdout.close()
        self.assertNotIn(server.wait(LIMIT), (-signal.SIGSEGV, -signal.SIGILL, -signal.SIGTRAP, -signal.SIGABRT))

    def raw_server(self):
        process = subprocess.Popen(
            [BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_the_server_ends_when_its_parent_is_killed(self):
        # The parent spawns the server, says its pid, and is killed without a word.
        script = (
            "import subprocess, sys, time\n"
            "p = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
            "p.stdin.write(%r); p.stdin.flush(); p.stdout.read(10)\n"
            "print(p.pid, flush=True); time.sleep(600)\n" % request(1, "sessions")
        )
        parent = subprocess.Popen([sys.executable, "-c", script, BINARY], stdout=subprocess.PIPE)
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        parent.stdout.close()
        self.assert_ends(pid)

    def test_the_server_ends_when_the_process_it_was_given_does(self):
        other = subprocess.Popen(["sleep", "600"])
        server = Server()
        self.addCleanup(server.kill)
        server.call("initialize", {"processId": other.pid})
        server.barrier()
        other.kill()
        other.wait()
        server.process.wait(LIMIT)

    def test_a_process_that_cannot_be_seen_is_not_watched(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        for pid in (ended.pid, 2**31 - 1, 2**40, 0, -1):
            with self.subTest(pid):
                server = self.server()
                server.call("initialize", {"processId": pid})
                server.open("s", {"type": "synthetic", "count": 3, "latencyMs": 50})
                server.wait_loaded("s")

    def test_its_own_id_is_not_watched_to_death(self):
        server = self.server()
        server.call("initialize", {"processId": server.process.pid})
        server.open("s", {"type": "synthetic", "count": 3, "latencyMs": 50})
        server.wait_loaded("s")

    def assert_ends(self, pid):
        # Not our child: its end can only be seen by looking.
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            try:
                with open("/proc/%d/stat" % pid) as stream:
                    if stream.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return
            except OSError:
                return
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)
        self.fail("the server outlived its parent")

    def test_stderr_that_nobody_reads_does_not_stop_it(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        server = Server("--log-level", "debug", check=False, stderr=writer)
        os.close(writer)
        self.addCleanup(server.kill)
        for _ in range(3000):
            server.send_raw(b"Content-Length: -1\r\n\r\n" + b"rubbish " * 20 + b"\r\n" + frame("not JSON"))
        server.wait(server.request("sessions"))

    def test_closed_stderr_does_not_stop_it(self):
        process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" 2>&-', BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        output, _ = process.communicate(frame("not JSON") + request(1, "sessions"), LIMIT)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(output.endswith(b'{"jsonrpc":"2.0","id":1,"result":[]}'), output)


class CommandLineTests(EndToEndCase):
    def run_it(self, *arguments, data=b""):
        return subprocess.run([BINARY, *arguments], input=data, capture_output=True, timeout=LIMIT)

    def test_options_that_editors_append_never_stop_it(self):
        for arguments in (
            ["--stdio"],
            ["--clientProcessId=%d" % os.getpid()],
            ["--stdio", "--something-unknown"],
            ["--x=y"],
        ):
            with self.subTest(arguments):
                answers, status = talk(request(1, "sessions"), *arguments)
                self.assertEqual((answers[0][0].text, status), ('{"jsonrpc":"2.0","id":1,"result":[]}', 0))

    def test_version_and_help(self):
        version = self.run_it("--version")
        self.assertEqual((version.returncode, version.stderr), (0, b""))
        self.assertRegex(version.stdout.decode(), r"^pagewire \d+\.\d+\.\d+")
        told = self.run_it("--help")
        self.assertEqual(told.returncode, 0)
        self.assertIn(b"--stdio", told.stdout)

    def test_bad_usage_is_one_clear_line_and_status_2(self):
        for arguments in (["nonsense"], ["browse"], ["--drain-timeout", "soon"]):
            with self.subTest(arguments):
                done = self.run_it(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_the_log_goes_where_it_is_told(self):
        path = os.path.join(self.folder(), "log")
        done = self.run_it("--log", path, "--log-level", "debug", data=frame("not JSON") + request(1, "sessions"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(os.path.exists(path))


if __name__ == "__main__":
    unittest.main()
