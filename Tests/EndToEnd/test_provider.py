"""Providers: programs that have the items and speak the protocol's section 16 with the server (contract section 9)."""

import json
import os
import shutil
import signal
import sys

from pagewire_client import BINARY, Server
from processes import descriptors, running, until
from support import BAD_PAGE, BAD_PARAMS, CANCELLED, LIMIT_EXCEEDED, LOAD_FAILED, NO_RETRY, TIMEOUT, UNAVAILABLE
from support import EndToEndCase, children

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "..", "protocol", "sources", "pagewire-source-squares")
SCRIPTED = os.path.join(HERE, "scripted_provider.py")
LAST = {"items": [], "next": None}


class ProviderCase(EndToEndCase):
    def setUp(self):
        self.path = self.folder()
        self.notes_path = os.path.join(self.path, "notes")
        self.environment = dict(
            os.environ, PATH=self.path + os.pathsep + os.environ["PATH"], PROVIDER_NOTES=self.notes_path
        )

    def install(self, name, program=SCRIPTED, folder=None):
        target = os.path.join(folder or self.path, "pagewire-source-" + name)
        with open(target, "w") as stream:
            stream.write('#!/bin/sh\nexec "%s" "%s" "$0" "$@"\n' % (sys.executable, os.path.abspath(program)))
        os.chmod(target, 0o755)
        return target

    def start(self, *arguments, **options):
        return self.server(*arguments, environment=self.environment, **options)

    def notes(self, kind="message"):
        try:
            with open(self.notes_path) as stream:
                found = [json.loads(line) for line in stream]
        except FileNotFoundError:
            found = []
        return [each for each in found if kind in each]

    def told(self, method):
        return [each["message"]["params"] for each in self.notes() if each["message"]["method"] == method]

    def scripted(self, pages, server=None, session="s", source=None, script=None, **members):
        """A session on a provider that answers these pages; the first has been tried when this returns."""
        if not os.path.exists(os.path.join(self.path, "pagewire-source-scripted")):
            self.install("scripted")
        self.pagewire = server or self.start()
        members.setdefault("retry", NO_RETRY)
        params = dict(script or {}, pages=pages)
        since = self.pagewire.mark()
        self.pagewire.open(session, dict({"type": "scripted", "params": params}, **(source or {})), **members)
        if members.get("autoload", True):
            self.pagewire.wait_loaded(session, since)
        return self.pagewire

    def error_of(self, page, code, **members):
        server = self.scripted([page], **members)
        error = server.wait_notification("loadFailed", session=members.get("session", "s")).params["error"]
        self.assertEqual(error["code"], code, error)
        return error


class ProviderTests(ProviderCase):
    def test_the_example_in_the_protocol_serves_pages(self):
        shutil.copy(EXAMPLE, self.path)
        server = self.start()
        for size in (1, 7, 100):
            name = "s%d" % size
            server.open(name, {"type": "squares", "params": {"count": 30}}, pageSize=size)
            model = self.scroll_to_end(server, name)
            self.assertEqual(model.items, [{"id": n, "square": n * n} for n in range(30)])
            state = server.call("state", {"session": name})
            self.assertEqual(state["total"], 30)
            self.assertEqual(state["source"], {"type": "squares", "running": True, "facts": {"count": 30}})
        self.assertEqual(len(children(server.process.pid)), 1)

    def test_what_it_is_told(self):
        server = self.scripted([{"items": [{"id": 1}], "next": {"after": [1.0, "\u00e9"]}}, LAST], pageSize=3)
        server.call("loadMore", {"session": "s"})
        texts = [each["text"] for each in self.notes()]
        source = next(each for each in self.told("openSource"))
        self.assertEqual(source["source"]["type"], "scripted")
        name = source["session"]
        expected = '"method":"fetchPage","params":{"session":"%s","generation":1,"kind":"%s","cursor":%s,"page":%d,"offset":%d,"limit":3,"params":'
        self.assertIn(expected % (name, "initial", "null", 0, 0), texts[1])
        self.assertIn(expected % (name, "more", '{"after": [1.0, "\\u00e9"]}', 1, 1), texts[2])
        self.assertEqual(self.notes("started")[0]["stdin"], "pipe")

    def test_one_process_for_all_sessions_of_a_type(self):
        server = self.scripted([{"items": [1], "next": None}])
        for number in range(5):
            self.scripted([{"items": [number], "next": None}], server=server, session="t%d" % number)
            self.assertEqual(server.model("t%d" % number).items, [number])
        self.assertEqual(len(self.notes("started")), 1)
        self.assertEqual(len({params["session"] for params in self.told("openSource")}), 6)
        self.assertEqual(len(children(server.process.pid)), 1)

    def test_answers_may_come_in_any_order(self):
        server = self.start()
        names = ["a", "b", "c"]
        for name in names:
            self.scripted([{"$hold": 3}], server=server, session=name, autoload=False)
        ids = [server.request("loadMore", {"session": name}) for name in names]
        for raw in ids:
            self.assertEqual(server.wait(raw)["added"], 1)
        found = [server.model(name).items[0] for name in names]
        self.assertEqual(found, sorted(found))

    def test_it_ends_with_the_last_session(self):
        server = self.scripted([LAST])
        self.scripted([LAST], server=server, session="t")
        (provider,) = children(server.process.pid)
        server.call("close", {"session": "t"})
        until(lambda: len(self.told("closeSource")) == 1, "it is told of the end of a session")
        self.assertTrue(running(provider))
        server.call("close", {"session": "s"})
        until(lambda: self.notes("ended"), "its input ends")
        until(lambda: not running(provider), "it ends")
        self.assertEqual(
            {params["session"] for params in self.told("closeSource")},
            {params["session"] for params in self.told("openSource")},
        )
        # A new session gets a new one, and that is no crash.
        for number in range(7):
            self.scripted([{"items": [7], "next": None}], server=server, session="u")
            self.assertEqual(server.model("u").items, [7])
            server.call("close", {"session": "u"})
        until(lambda: not children(server.process.pid), "nothing is left")

    def test_a_session_that_asks_for_nothing_starts_nothing(self):
        server = self.scripted([LAST], autoload=False)
        server.barrier()
        self.assertEqual(children(server.process.pid), [])
        server.call("close", {"session": "s"})

    def test_a_refresh_brings_a_source(self):
        server = self.scripted([{"items": [1], "next": None}])
        other = {"type": "scripted", "params": {"pages": [{"items": [2], "next": None}]}}
        server.call("refresh", {"session": "s", "source": other})
        self.assertEqual(server.model("s").items, [2])
        until(lambda: self.told("closeSource"), "the old source is closed")
        self.assertEqual(self.told("closeSource")[0], {"session": self.told("openSource")[0]["session"]})
        self.assertEqual(len(self.notes("started")), 1)

    def test_cancelling_is_passed_on(self):
        server = self.scripted([{"$hang": True}], autoload=False)
        waiting = server.request("loadMore", {"session": "s"})
        until(lambda: self.told("fetchPage"), "the page is asked for")
        server.notify("$/cancelRequest", {"id": int(waiting)})
        self.refused(CANCELLED, server.wait, waiting)
        until(lambda: self.told("$/cancelRequest"), "it is cancelled")
        asked = next(each["message"]["id"] for each in self.notes() if each["message"]["method"] == "fetchPage")
        self.assertEqual(self.told("$/cancelRequest"), [{"id": asked}])

    def test_closing_cancels_before_it_closes(self):
        server = self.scripted([{"$hang": True}], autoload=False)
        self.scripted([LAST], server=server, session="t")
        server.request("loadMore", {"session": "s"})
        until(lambda: len(self.told("fetchPage")) == 2, "the page is asked for")
        server.call("close", {"session": "s"})
        until(lambda: self.told("closeSource"), "it is closed")
        methods = [each["message"]["method"] for each in self.notes()]
        self.assertEqual(methods[-2:], ["$/cancelRequest", "closeSource"])

    def test_a_page_may_take_too_long(self):
        # It runs already: its start is not what takes too long.
        server = self.scripted([LAST], session="first")
        self.scripted([{"$hang": True}, {"items": [1], "next": None}], server=server, timeoutMs=400)
        self.assertEqual(server.wait_notification("loadFailed").params["error"]["code"], TIMEOUT)
        until(lambda: self.told("$/cancelRequest"), "it is cancelled")
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 1)

    def test_its_own_ids_and_start_at(self):
        page = {"items": [{"x": 1}, {"id": 2}, 3], "ids": ["k", "no", None], "next": None, "previous": "p"}
        server = self.scripted([page], startAt={"at": 5})
        self.assertEqual(server.model("s").ids, ["k", 2, None])
        self.assertEqual(self.told("fetchPage")[0]["cursor"], {"at": 5})
        self.assertEqual(server.model("s").facts["hasPrevious"], True)

    def test_large_pages(self):
        server = self.scripted([{"$big": 20_000_000}])
        self.assertEqual(len(server.model("s").items[0]), 20_000_000)

    def test_what_it_asks_is_refused_and_what_it_tells_ignored(self):
        server = self.scripted([{"items": [1], "next": None}], script={"ask": "window/showMessage"})
        self.assertEqual(server.model("s").items, [1])
        until(lambda: any("error" in each["message"] for each in self.notes("message")), "its request is answered")
        refusal = next(each["message"] for each in self.notes("message") if "error" in each["message"])
        self.assertEqual((refusal["id"], refusal["error"]["code"]), ("mine", -32601))


class CrashTests(ProviderCase):
    def test_a_crash_fails_the_running_loads_and_is_mended(self):
        crash = {"$crash": 3}
        server = self.scripted([{"items": [1], "next": 2}, {"items": [3], "next": None}])
        self.scripted([crash, {"items": [5], "next": None}], server=server, session="t")
        error = server.wait_notification("loadFailed", session="t").params["error"]
        self.assertEqual(error["code"], UNAVAILABLE)
        self.assertIn("ended with status 3: the last words", error["message"])
        self.assertEqual((error["data"]["retryable"], error["data"]["exitStatus"]), (True, 3))
        self.assertEqual(error["data"]["stderr"], "the last words")
        # The other session goes on in the next process, whose memory starts anew.
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 1)
        self.assertEqual(server.model("s").items, [1, 1])
        self.assertEqual(len(self.notes("started")), 2)

    def test_retries_meet_a_new_process(self):
        flag = os.path.join(self.path, "crashed")
        name = self.install("once")
        with open(name, "w") as stream:
            stream.write('#!/bin/sh\n[ -e "%s" ] || { touch "%s"; exit 1; }\nexec "%s" "%s"\n' % (flag, flag, sys.executable, SCRIPTED))
        server = self.scripted(
            [{"items": [1], "next": None}], source={"type": "once"}, retry={"retries": 2, "initialDelayMs": 1}
        )
        self.assertEqual(server.model("s").items, [1])

    def test_a_signal_is_named(self):
        error = self.error_of({"$kill": signal.SIGABRT}, UNAVAILABLE)
        self.assertIn("was ended by signal SIGABRT", error["message"])

    def test_five_starts_in_three_minutes(self):
        server = self.scripted([{"$crash": 1}])
        for _ in range(4):
            self.refused(UNAVAILABLE, server.call, "loadMore", {"session": "s"})
        self.assertEqual(len(self.notes("started")), 5)
        error = self.refused(UNAVAILABLE, server.call, "loadMore", {"session": "s"})
        self.assertIn("5 times within three minutes", str(error))
        self.assertGreater(error.data["retryAfterMs"], 60_000)
        self.assertEqual(len(self.notes("started")), 5)

    def test_one_that_closes_its_pipes_is_started_again(self):
        # The last has something in the pipe by then, so that nobody writes to it any more.
        for number, closing in enumerate(("exec 0<&-", "exec 1>&-", "read -r line\nexec 0<&-")):
            name = "deaf%d" % number
            path = os.path.join(self.path, "pagewire-source-" + name)
            with open(path, "w") as stream:
                stream.write("#!/bin/sh\n%s\nsleep 1000\n" % closing)
            os.chmod(path, 0o755)
            error = self.error_of({"items": []}, UNAVAILABLE, source={"type": name})
            self.assertIn("has closed its", error["message"])
            until(lambda: not children(self.pagewire.process.pid), "it is ended")

    def test_a_program_that_cannot_start(self):
        name = self.install("broken")
        with open(name, "w") as stream:
            stream.write("#!/no/such/interpreter\n")
        error = self.error_of({}, UNAVAILABLE, source={"type": "broken"})
        self.assertIn("Cannot start", error["message"])

    def test_it_ends_with_the_server_however_that_ends(self):
        ways = {
            "exit": lambda server: server.notify("exit"),
            "end of input": lambda server: server.end_input(),
            "KILL": lambda server: server.process.send_signal(signal.SIGKILL),
        }
        for way, end in ways.items():
            with self.subTest(way):
                server = Server(environment=self.environment)
                self.addCleanup(server.kill)
                self.scripted([LAST], server=server)
                (provider,) = children(server.process.pid)
                end(server)
                until(lambda: not running(provider), "it ends with the server")

    def test_one_that_heeds_nothing_ends_with_the_server_too(self):
        """It reads no input whose end would tell it, ignores signals, and has a child of its own."""
        path = os.path.join(self.path, "pagewire-source-stubborn")
        pids = os.path.join(self.path, "pids")
        with open(path, "w") as stream:
            stream.write("#!/bin/sh\ntrap '' TERM HUP INT\nsleep 1000 &\necho $$ $! > '%s.new'\n" % pids)
            stream.write("mv '%s.new' '%s'\nwhile :; do wait; sleep 1; done\n" % (pids, pids))
        os.chmod(path, 0o755)
        for way, end in (
            ("KILL", lambda server: server.process.send_signal(signal.SIGKILL)),
            ("TERM", lambda server: server.process.send_signal(signal.SIGTERM)),
            ("exit", lambda server: server.notify("exit")),
        ):
            with self.subTest(way):
                server = Server(environment=self.environment)
                self.addCleanup(server.kill)
                server.open("s", {"type": "stubborn"})
                until(lambda: os.path.exists(pids), "it runs")
                with open(pids) as stream:
                    found = [int(pid) for pid in stream.read().split()]
                os.unlink(pids)
                self.assertTrue(all(running(pid) for pid in found))
                end(server)
                until(lambda: not any(running(pid) for pid in found), "both end with the server")

    def test_nothing_is_left_behind(self):
        server = self.scripted([LAST])
        server.call("close", {"session": "s"})
        until(lambda: not children(server.process.pid), "the first is gone")
        before = descriptors(server.process.pid)
        for _ in range(10):
            self.scripted([{"items": [1], "next": None}], server=server)
            server.call("close", {"session": "s"})
        until(lambda: not children(server.process.pid), "all are gone")
        until(lambda: descriptors(server.process.pid) <= before, "no descriptor is left")


class BadAnswerTests(ProviderCase):
    def test_what_is_no_page(self):
        table = [
            {"$result": None},
            {"$result": []},
            {"$result": {}},
            {"$result": {"items": 5}},
            {"$result": {"items": [1], "ids": []}},
            {"$result": {"items": [], "total": 1.5}},
            {"$result": {"items": [], "hasMore": "yes"}},
            {"$error": "no"},
            {"$error": {"code": 1}},
            {"$body": '{"jsonrpc":"2.0","id":$id}'},
            {"$body": '{"jsonrpc":"2.0","id":$id,"result":{"items":[1,]}}'},
            {"$body": '{"jsonrpc":"1.0","id":$id,"result":{"items":[]}}'},
            {"$body": '{"id":$id,"result":{"items":[]}}'},
            {"$body": "hello"},
            {"$body": ""},
            {"$body": "[]"},
            {"$raw": "hello\n"},
            {"$raw": 'Content-Length: abc\r\n\r\n{"jsonrpc":"2.0","id":$id,"result":{"items":[]}}'},
        ]
        server = self.start()
        for number, page in enumerate(table):
            with self.subTest(page):
                error = self.error_of(page, BAD_PAGE, server=server, session="s%d" % number)
                self.assertIn("pagewire-source-scripted", error["message"])
        # None of them has ended it.
        self.assertEqual(len(self.notes("started")), 1)

    def test_a_stray_line_before_an_answer_does_no_harm(self):
        body = '{"jsonrpc":"2.0","id":$id,"result":{"items":[1],"next":null}}'
        raw = "debugging...\n\nContent-Length: %d\r\n\r\n%s"
        # The id has one digit.
        server = self.scripted([{"$raw": raw % (len(body) - 2, body)}])
        self.assertEqual(server.model("s").items, [1])

    def test_an_answer_in_pieces_and_in_a_batch(self):
        body = '[{"jsonrpc":"2.0","id":$id,"result":{"items":[1],"next":null}}]'
        server = self.scripted([{"$body": body}])
        self.assertEqual(server.model("s").items, [1])

    def test_its_own_errors_are_the_cause(self):
        own = {"code": -32001, "message": "The shelf is empty.", "data": {"retryable": False, "shelf": [1.0]}}
        error = self.error_of({"$error": own}, LOAD_FAILED)
        self.assertEqual((error["data"]["cause"], error["data"]["retryable"]), (own, False))
        self.assertIn("The shelf is empty.", error["message"])

    def test_it_says_when_to_try_again(self):
        busy = {"$error": {"code": 1, "message": "busy", "data": {"retryAfterMs": 5}}}
        server = self.scripted(
            [busy, {"items": [1], "next": None}], retry={"retries": 1, "initialDelayMs": 600_000, "maxDelayMs": 600_000}
        )
        self.assertEqual(server.model("s").items, [1])

    def test_a_source_that_it_refuses(self):
        own = {"code": 5, "message": "no such shelf", "data": {"retryable": False}}
        server = self.scripted([LAST], script={"open": {"$error": own}})
        error = server.wait_notification("loadFailed").params["error"]
        self.assertEqual((error["code"], error["data"]["cause"]), (UNAVAILABLE, own))
        self.assertEqual(self.told("fetchPage"), [])
        # The next page asks again.
        self.refused(UNAVAILABLE, server.call, "loadMore", {"session": "s"})
        self.assertEqual(len(self.told("openSource")), 2)

    def test_its_stderr_goes_to_the_log_and_blocks_nobody(self):
        log = os.path.join(self.path, "log")
        server = self.scripted([{"$stderr": 5_000_000}], server=self.start("--log", log))
        self.assertEqual(server.model("s").items, [1])
        until(lambda: os.path.getsize(log) > 100_000, "it is in the log")
        with open(log) as stream:
            self.assertIn("pagewire-source-scripted: eee", stream.readline())

    def test_a_log_that_nobody_reads_blocks_nobody(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        server = self.start(stderr=writer)
        os.close(writer)
        self.scripted([{"$stderr": 5_000_000}], server=server)
        self.assertEqual(server.model("s").items, [1])
        server.barrier()


class NameTests(ProviderCase):
    def test_unknown_names(self):
        server = self.start()
        for name in ("nobody", "a" * 64, "a" * 65, "With-Capitals", "../x", "a_b", "", "a/b"):
            error = self.refused(UNAVAILABLE, server.open, "s", {"type": name})
            self.assertIn("There is no source type", str(error))
            self.assertEqual("pagewire-source-%s " % name in str(error), name in ("nobody", "a" * 64), str(error))

    def test_its_members_are_checked(self):
        self.install("scripted")
        error = self.refused(BAD_PARAMS, self.start().open, "s", {"type": "scripted", "count": 3})
        self.assert_names(error, "/source/count")

    def test_beside_the_server_comes_first(self):
        folder = self.folder()
        binary = os.path.join(folder, "pagewire")
        shutil.copy(BINARY, binary)
        self.install("scripted")
        beside = self.install("scripted", folder=folder)
        server = self.start(command=[binary])
        self.scripted([{"items": [1], "next": None}], server=server)
        self.assertEqual(self.notes("started")[0]["started"][1], beside)

    def test_a_command_may_be_a_provider(self):
        source = {"type": "command", "mode": "provider", "argv": [sys.executable, SCRIPTED]}
        server = self.scripted([{"items": [1], "next": None}], source=source, script={"open": {"$result": {"n": 1}}})
        self.assertEqual(server.model("s").items, [1])
        self.scripted([{"items": [2], "next": None}], server=server, session="t", source=source)
        self.assertEqual(len(self.notes("started")), 1)
        # Another environment is another process.
        other = dict(source, env={"X": "1"})
        self.scripted([{"items": [3], "next": None}], server=server, session="u", source=other)
        self.assertEqual(len(self.notes("started")), 2)
        told = server.call("state", {"session": "s"})["source"]
        self.assertEqual((told["mode"], told["facts"]), ("provider", {"n": 1}))

    def test_it_can_be_switched_off(self):
        self.install("scripted")
        server = self.start("--allow", "items,file")
        self.assertEqual(self.refused(1009, server.open, "s", {"type": "scripted"}).data["name"], "refused")
        self.scripted([LAST], server=self.start("--allow", "scripted"), session="t")
