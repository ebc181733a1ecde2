"""The command source from outside: programs as lists, and that they end when they should (contract sections 5 and 9)."""

import json
import os
import signal
import time

from pagewire_client import BINARY, RPCError, Server
from processes import descriptors, running, until, written
from support import BAD_PAGE, BAD_PARAMS, CANCELLED, CHANGED, LOAD_FAILED, NO_RETRY, TIMEOUT, UNAVAILABLE
from support import EndToEndCase, children


def shell(script, *arguments):
    return ["sh", "-c", script, "sh", *arguments]


class CommandCase(EndToEndCase):
    def command(self, argv, server=None, session="s", source=None, **members):
        """A session on a program; its first page is there when this returns, or has failed."""
        self.pagewire = server or self.server()
        members.setdefault("retry", NO_RETRY)
        since = self.pagewire.mark()
        self.state = self.pagewire.open(session, dict(source or {}, type="command", argv=argv), **members)
        if members.get("autoload", True):
            self.pagewire.wait_loaded(session, since)
        return self.pagewire

    def items(self, session="s"):
        return self.pagewire.model(session).items

    def texts(self, session="s"):
        return [item["text"] for item in self.items(session)]

    def all_items(self, argv, **members):
        return self.scroll_to_end(self.command(argv, **members)).items

    def first_error(self, argv, code, **members):
        server = self.command(argv, **members)
        error = server.wait_notification("loadFailed", session=members.get("session", "s")).params["error"]
        self.assertEqual(error["code"], code, error)
        return error


class StreamTests(CommandCase):
    def test_lines_of_any_program(self):
        found = self.all_items(["seq", "1000"], pageSize=37)
        self.assertEqual([item["text"] for item in found], [str(n) for n in range(1, 1001)])
        self.assertEqual(self.pagewire.model("s").ids, [item["offset"] for item in found])

    def test_an_endless_program_stays_put(self):
        server = self.command(["yes", "line"], pageSize=100)
        (yes,) = children(server.process.pid)
        # What the pipe holds, what was read ahead, and one write that waits.
        until(lambda: written(yes) > 65536, "the pipe is full")
        before = written(yes)
        self.assertLess(before, 4 * 65536)
        for _ in range(20):
            server.call("loadMore", {"session": "s"})
        self.assertEqual(len(self.items()), 2100)
        self.assertLess(written(yes), 4 * 65536)
        server.call("close", {"session": "s"})
        until(lambda: not running(yes), "the program ends with its session")

    def test_a_walk_through_all_files_stays_put(self):
        server = self.command(["find", "/"], pageSize=10)
        (find,) = children(server.process.pid)
        until(lambda: written(find) > 65536, "the pipe is full")
        # A walk through everything would write megabytes; this one waits for somebody to read.
        self.assertLess(written(find), 4 * 65536)
        server.call("loadMore", {"session": "s"})
        server.barrier()
        self.assertLess(written(find), 4 * 65536)
        self.assertTrue(running(find))
        self.assertEqual([each["text"][:1] for each in self.items()], ["/"] * 20)

    def test_text_that_comes_in_pieces_cut_anywhere(self):
        """A character, and CR LF, whose bytes come in two writes with a pause between them."""
        script = r"printf 'a\303'; sleep 0.3; printf '\251b\r'; sleep 0.3; printf '\nc\342\200'; sleep 0.3; printf '\250d\n'"
        found = self.all_items(shell(script))
        self.assertEqual([each["text"] for each in found], ["a\u00e9b", "c\u2028d"])
        self.assertFalse([each for each in found if "invalidUTF8" in each])

    def test_no_shell_comes_between(self):
        texts = [each["text"] for each in self.all_items(["printf", "%s\n", "$HOME", "*", "`id`", "a  b;c", "", "\u00e9'\""])]
        self.assertEqual(texts, ["$HOME", "*", "`id`", "a  b;c", "", "\u00e9'\""])

    def test_json_lines_and_documents(self):
        self.assertEqual(
            self.all_items(["printf", '{"id":1}\n\n{"id":"\\u00e9","n":1.0}\n'], source={"format": "jsonl"}),
            [{"id": 1}, {"id": "\u00e9", "n": 1.0}],
        )
        text = '[{"id":1},{"id":2}]\n[{"id":3}]{"id":4}'
        for size in (1, 2, 3, 10):
            found = self.all_items(["printf", "%s", text], source={"format": "json"}, pageSize=size)
            self.assertEqual([each["id"] for each in found], [1, 2, 3, 4])
            self.assertEqual(self.pagewire.model("s").ids, [1, 2, 3, 4])

    def test_records(self):
        found = self.all_items(["printf", "id,x\n1,\"a\nb\"\n2,c\n3,d"], source={"format": "csv"}, pageSize=1)
        self.assertEqual(found, [{"id": "1", "x": "a\nb"}, {"id": "2", "x": "c"}, {"id": "3", "x": "d"}])

    def test_bytes_that_are_no_text(self):
        found = self.all_items(["printf", "a\\377b\\nok\\n"])
        self.assertEqual([each["text"] for each in found], ["a\ufffdb", "ok"])
        self.assertTrue(found[0]["invalidUTF8"])

    def test_it_reads_nothing_of_ours(self):
        server = self.command(["cat"])
        self.assertEqual(self.items(), [])
        self.assertEqual(server.model("s").facts["hasMore"], False)
        self.assertEqual(server.call("sessions", {})[0]["session"], "s")

    def test_directory_and_environment(self):
        folder = self.folder()
        source = {"cwd": folder, "env": {"PAGEWIRE_SECRET": "hush", "HOME": None}}
        self.all_items(shell('pwd; echo "$PAGEWIRE_SECRET"; echo "${HOME-none}"; echo "${PATH:+some}"'), source=source)
        self.assertEqual(self.texts(), [os.path.realpath(folder), "hush", "none", "some"])
        # A value of the environment may be a secret, so nothing shows it again.
        self.assertNotIn("hush", json.dumps(self.state))
        self.assertNotIn("hush", json.dumps(self.pagewire.call("state", {"session": "s"})))

    def test_what_the_state_says(self):
        self.command(["seq", "3"], pageSize=10)
        source = self.pagewire.call("state", {"session": "s"})["source"]
        self.assertEqual(source["type"], "command")
        self.assertEqual(source["argv"], ["seq", "3"])
        self.assertEqual((source["mode"], source["bytes"]), ("stream", 6))
        self.assertEqual((source["running"], source["exitStatus"], source["signal"]), (False, 0, None))

    def test_nothing_runs_before_a_page_is_wanted(self):
        server = self.command(["yes"], autoload=False)
        server.barrier()
        self.assertEqual(children(server.process.pid), [])

    def test_a_slow_program_gives_its_lines_as_they_come(self):
        server = self.command(shell("echo 1; echo 2; sleep 1; echo 3"), pageSize=50)
        self.assertEqual(self.texts(), ["1", "2"])
        self.scroll_to_end(server)
        self.assertEqual(self.texts(), ["1", "2", "3"])

    def test_a_silent_program_times_out_and_may_speak_later(self):
        go = os.path.join(self.folder(), "go")
        os.mkfifo(go)
        server = self.command(shell('read x < "$1"; echo late; sleep 1000', go), timeoutMs=800)
        error = server.wait_notification("loadFailed", session="s").params["error"]
        self.assertEqual(error["code"], TIMEOUT)
        with open(go, "w") as stream:
            stream.write("x\n")
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 1)
        self.assertEqual(self.texts(), ["late"])

    def test_others_are_not_kept_waiting(self):
        server = self.command(["sleep", "1000"], autoload=False)
        waiting = server.request("loadMore", {"session": "s"})
        server.wait_notification("loading", session="s", isLoading=True)
        self.command(["seq", "5"], server=server, session="t")
        self.assertEqual(self.texts("t"), ["1", "2", "3", "4", "5"])
        server.notify("$/cancelRequest", {"id": int(waiting)})
        self.refused(CANCELLED, server.wait, waiting)

    def test_many_silent_programs_keep_nobody_waiting(self):
        server = self.server()
        for number in range(80):
            server.request("open", {"session": "s%d" % number, "source": {"type": "command", "argv": ["sleep", "1000"]}})
        self.command(["seq", "5"], server=server, session="t")
        self.assertEqual(self.texts("t"), ["1", "2", "3", "4", "5"])

    def test_dropped_pages_are_opened_again(self):
        server = self.command(["seq", "500"], pageSize=20, maxItems=60, prefetchThreshold=0)
        model = server.model("s")
        for _ in range(10):
            server.call("loadMore", {"session": "s"})
        server.call("visibleRange", {"session": "s", "first": model.last - 5, "last": model.last})
        server.barrier()
        self.assertGreater(model.first, 0)
        while model.first > 0:
            before = model.first
            server.call("visibleRange", {"session": "s", "first": model.first, "last": model.first + 5})
            server.until(lambda: model.first < before and not model.loading, "the page before comes back")
        self.assertEqual(self.texts(), [str(n + 1) for n in range(model.last + 1)])


class EndTests(CommandCase):
    def test_failure_after_output(self):
        server = self.command(shell("seq 3; echo warm >&2; echo 'no luck' >&2; exit 3"), pageSize=2)
        self.assertEqual(self.texts(), ["1", "2"])
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 1)
        error = self.refused(LOAD_FAILED, server.call, "loadMore", {"session": "s"})
        self.assertIn("ended with status 3: no luck", str(error))
        self.assertEqual((error.data["retryable"], error.data["exitStatus"]), (False, 3))
        self.assertEqual(error.data["stderr"], "warm\nno luck")
        self.assertEqual(self.texts(), ["1", "2", "3"])

    def test_a_signal_is_named(self):
        error = self.first_error(shell("kill -SEGV $$"), LOAD_FAILED)
        self.assertIn("was ended by signal SIGSEGV", error["message"])
        self.assertEqual((error["data"]["signal"], error["data"]["retryable"]), ("SIGSEGV", False))

    def test_a_failure_is_not_retried_but_refreshed(self):
        tries = os.path.join(self.folder(), "tries")
        script = 'echo x >> "$1"; echo item; [ $(wc -l < "$1") -gt 1 ] || exit 9; echo more'
        server = self.command(shell(script, tries), retry={"retries": 3, "initialDelayMs": 1})
        error = self.refused(LOAD_FAILED, server.call, "loadMore", {"session": "s"})
        self.assertEqual(error.data["exitStatus"], 9)
        self.refused(LOAD_FAILED, server.call, "loadMore", {"session": "s"})
        with open(tries) as stream:
            self.assertEqual(len(stream.readlines()), 1)
        self.assertEqual(server.call("refresh", {"session": "s"})["outcome"], "loaded")
        self.assertEqual(self.texts(), ["item", "more"])

    def test_a_refresh_that_fails_leaves_the_old_run(self):
        tries = os.path.join(self.folder(), "tries")
        script = 'echo x >> "$1"; [ $(wc -l < "$1") = 1 ] || exit 1; seq 100'
        server = self.command(shell(script, tries), pageSize=5)
        self.refused(LOAD_FAILED, server.call, "refresh", {"session": "s"})
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 5)
        self.assertEqual(self.texts(), [str(n) for n in range(1, 11)])

    def test_a_refresh_ends_the_old_run_once_it_has_succeeded(self):
        server = self.command(shell("echo $$; exec yes"), pageSize=3)
        old = int(self.texts()[0])
        self.assertTrue(running(old))
        server.call("refresh", {"session": "s", "extent": "loaded"})
        new = int(self.texts()[0])
        self.assertNotEqual(old, new)
        until(lambda: not running(old), "the old run ends")
        self.assertTrue(running(new))
        self.assertEqual(server.call("loadMore", {"session": "s"})["added"], 3)

    def test_a_source_that_a_refresh_brings(self):
        server = self.command(shell("echo $$; exec yes"), pageSize=3)
        old = int(self.texts()[0])
        server.call("refresh", {"session": "s", "source": {"type": "command", "argv": ["seq", "2"]}})
        self.assertEqual(self.texts(), ["1", "2"])
        until(lambda: not running(old), "the old source's program ends")

    def test_a_place_in_another_run_is_no_place(self):
        server = self.command(["seq", "100"], pageSize=5)
        server.call("loadMore", {"session": "s"})
        server.call("setScrolledID", {"session": "s", "id": self.pagewire.model("s").ids[7]})
        token = server.call("state", {"session": "s", "resume": True}).get("resume")
        self.assertTrue(token)
        other = self.command(["seq", "100"], pageSize=5, server=server, session="t", resume=token)
        first = other.wait_notification("pageAppended", session="t").params
        self.assertEqual((first["resumed"], self.texts("t")[0]), (False, "1"))

    def test_closing_ends_the_whole_group(self):
        server = self.command(shell("sleep 1000 & echo $!; echo $$; wait"), pageSize=2)
        pids = [int(text) for text in self.texts()]
        self.assertTrue(all(running(pid) for pid in pids))
        server.call("close", {"session": "s"})
        until(lambda: not any(running(pid) for pid in pids), "both end")

    def test_what_a_program_leaves_behind_ends_with_it(self):
        """A program that ends by itself, in either mode, with a child that goes on and heeds no signal that can be ignored."""
        start = "trap '' TERM; sleep 1000 > /dev/null & "
        for mode, script in (("stream", "echo $!"), ("page", 'echo "[{\\"text\\":\\"$!\\"}]"')):
            with self.subTest(mode):
                self.command(shell(start + script), session=mode, source={"mode": mode}, pageSize=5)
                (left,) = [int(text) for text in self.texts(mode)]
                until(lambda: not running(left), "what it left behind ends, though its session is open")

    def test_a_program_ends_with_a_server_whose_guard_is_gone(self):
        """The system itself ends the program then: it needs no help of ours."""
        server = Server()
        self.addCleanup(server.kill)
        self.command(shell("echo $$; exec sleep 1000"), server=server, pageSize=1)
        pid = int(self.texts()[0])
        ours = {os.readlink("/proc/%d/fd/%s" % (server.process.pid, each)) for each in os.listdir("/proc/%d/fd" % server.process.pid)}

        def is_its_guard(each):
            try:
                with open("/proc/%s/comm" % each) as stream:
                    return stream.read() == "pagewire-guard\n" and os.readlink("/proc/%s/fd/3" % each) in ours
            except OSError:
                return False

        found = []
        until(lambda: found or found.extend(each for each in os.listdir("/proc") if each.isdigit() and is_its_guard(each)) or found, "the guard")
        os.kill(int(found[0]), signal.SIGKILL)
        until(lambda: not running(int(found[0])), "the guard is gone")
        server.process.send_signal(signal.SIGKILL)
        until(lambda: not running(pid), "the program ends with the server")

    def test_the_stop_signal_is_sent(self):
        told = os.path.join(self.folder(), "told")
        script = 'trap \'echo int > "$1"; exit\' INT; trap "" TERM; echo ready; while :; do sleep 0.05; done'
        server = self.command(shell(script, told), source={"stopSignal": "INT"}, pageSize=1)
        server.call("close", {"session": "s"})
        until(lambda: os.path.exists(told), "the program was asked to end")

    def test_who_does_not_listen_is_killed(self):
        server = self.command(shell("trap '' TERM; echo $$; while :; do sleep 1; done"), pageSize=1)
        pid = int(self.texts()[0])
        begin = time.monotonic()
        server.call("close", {"session": "s"})
        self.assertTrue(running(pid))
        until(lambda: not running(pid), "it is killed")
        self.assertLess(time.monotonic() - begin, 15)

    def test_programs_end_with_the_server_however_it_ends(self):
        script = "sleep 1000 & echo $!; echo $$; wait"

        def cut_output(server):
            server.process.stdout.close()
            server.notify("initialized", {})

        ways = {
            "exit": lambda server: server.notify("exit"),
            "end of input": lambda server: server.end_input(),
            "TERM": lambda server: server.process.send_signal(signal.SIGTERM),
            "KILL": lambda server: server.process.send_signal(signal.SIGKILL),
        }
        for way, end in ways.items():
            with self.subTest(way):
                server = Server()
                self.addCleanup(server.kill)
                self.command(shell(script), server=server, pageSize=2)
                pids = [int(text) for text in self.texts()]
                self.assertTrue(all(running(pid) for pid in pids))
                end(server)
                until(lambda: not any(running(pid) for pid in pids), "both end with the server")

    def test_nothing_is_left_behind(self):
        server = self.command(["yes"])
        server.call("close", {"session": "s"})
        until(lambda: not children(server.process.pid), "the first program is gone")
        before = descriptors(server.process.pid)
        for number in range(20):
            self.command(["yes", "y" * 5000], server=server, pageSize=600)
            server.call("close", {"session": "s"})
            self.command(["seq", "3"], server=server, session="t", source={"mode": "page"})
            server.call("close", {"session": "t"})
        until(lambda: not children(server.process.pid), "all programs are gone")
        until(lambda: descriptors(server.process.pid) <= before, "no descriptor is left")

    def test_a_program_inherits_no_descriptor(self):
        self.command(["sh", "-c", "for fd in /proc/self/fd/*; do echo ${fd##*/}; done"], pageSize=50)
        # What the shell opens to look is gone by the time that it is listed, or one more.
        self.assertLessEqual(set(self.texts()), {"0", "1", "2", "3"})


class OpenTests(CommandCase):
    def test_what_cannot_run_is_refused_at_once(self):
        server = self.server()
        for argv, cwd in ((["pagewire-no-such-program"], None), (["/no/such"], None), (["/"], None), (["ls"], "/no/such")):
            source = {"type": "command", "argv": argv}
            if cwd:
                source["cwd"] = cwd
            error = self.refused(UNAVAILABLE, server.open, "s", source)
            self.assertTrue(error.data.get("reason"), error)
        self.assertEqual(server.call("sessions", {}), [])

    def test_malformed_members_are_named(self):
        server = self.server()
        table = [
            ({"argv": "ls"}, "/source/argv"),
            ({"argv": ["ls", 1]}, "/source/argv/1"),
            ({"argv": ["ls"], "mode": "shell"}, "/source/mode"),
            ({"argv": ["ls"], "env": {"A": 1}}, "/source/env/A"),
            ({"argv": ["ls"], "stopSignal": "STOP"}, "/source/stopSignal"),
            ({"argv": ["ls"], "shell": True}, "/source/shell"),
        ]
        for members, pointer in table:
            error = self.refused(BAD_PARAMS, server.open, "s", dict(members, type="command"))
            self.assert_names(error, pointer)

    def test_start_at_is_not_for_streams(self):
        server = self.server()
        error = self.refused(BAD_PARAMS, server.open, "s", {"type": "command", "argv": ["ls"]}, startAt=1)
        self.assert_names(error, "/startAt")


class PageTests(CommandCase):
    def paged(self, argv, **members):
        source = dict(members.pop("source", {}), mode="page")
        return self.command(argv, source=source, **members)

    def test_a_run_for_each_page(self):
        script = 'seq -f "{\\"id\\":%.0f}" $1 $(($1 + $2 - 1)) | head -n $((20 - $1))'
        for size in (1, 3, 7, 20, 100):
            server = self.paged(shell(script, "{offset}", "{limit}"), pageSize=size)
            self.assertEqual([item["id"] for item in self.scroll_to_end(server).items], list(range(20)))
            until(lambda: not children(server.process.pid), "all runs are over")

    def test_every_placeholder(self):
        script = 'for each; do printf "%s|" "$each" >> "$0"; done; echo >> "$0"; printf \'{"items":[1,2],"next":%s}\' "$1"'
        for cursor, shown in (('"a b"', "a b"), ('{"k":[1.0,null]}', '{"k":[1.0,null]}'), ("7.50", "7.50"), ("true", "true")):
            told = os.path.join(self.folder(), "told")
            argv = ["sh", "-c", script, told, cursor, "{offset}+{limit}", "{page}{page}", "<{cursor}>", "{other}{}", "{{offset}}"]
            server = self.paged(argv, pageSize=2)
            server.call("loadMore", {"session": "s"})
            with open(told) as stream:
                lines = [line.rstrip("\n").split("|")[1:-1] for line in stream]
            self.assertEqual(lines[0], ["0+2", "00", "<>", "{other}{}", "{0}"])
            self.assertEqual(lines[1], ["2+2", "11", "<%s>" % shown, "{other}{}", "{2}"])

    def test_every_shape_of_output(self):
        one, two, three = '{"id":1}', '{"id":2}', '{"id":3}'
        for output in (
            "[%s,%s,%s]" % (one, two, three),
            "%s\n%s\n\n%s\n" % (one, two, three),
            one + two + three,
            "[%s,%s][%s]" % (one, two, three),
            " [ %s ] \n %s [%s]" % (one, two, three),
            '{"items":[%s,%s,%s]}' % (one, two, three),
            '{"items":[%s,%s,%s],"next":null,"total":3,"ids":[7,8,9]}' % (one, two, three),
        ):
            with self.subTest(output):
                self.paged(["printf", "%s", output], pageSize=10)
                self.assertEqual(self.items(), [{"id": 1}, {"id": 2}, {"id": 3}])

    def test_cursors_go_back_as_they_came(self):
        script = 'printf \'{"items":["%s","%s"],"next":%s}\' "$1" "$2" "$3"'
        server = self.paged(shell(script, "{page}", "{cursor}", '"c {page}"'))
        server.call("loadMore", {"session": "s"})
        server.call("loadMore", {"session": "s"})
        self.assertEqual(self.items(), ["0", "", "1", "c 0", "2", "c 1"])

    def test_the_members_of_a_page_count(self):
        page = {"items": [{"id": 1}], "next": None, "total": 1}
        server = self.paged(["printf", "%s", json.dumps(page)])
        self.assertEqual(server.model("s").facts["hasMore"], False)
        self.assertEqual(server.call("state", {"session": "s"})["total"], 1)

    def test_both_directions(self):
        script = 'printf \'{"items":[{"id":%d}],"next":"%d","previous":"%d"}\' $1 $(($1 + 1)) $(($1 - 1))'
        server = self.paged(shell(script, "{cursor}"), startAt="5")
        server.call("loadPrevious", {"session": "s"})
        server.call("loadMore", {"session": "s"})
        self.assertEqual([item["id"] for item in self.items()], [4, 5, 6])

    def test_a_failure_may_be_retried(self):
        tries = os.path.join(self.folder(), "tries")
        script = 'echo x >> "$1"; [ $(wc -l < "$1") -gt 2 ] || { echo busy >&2; exit 75; }; echo "[1]"'
        server = self.paged(shell(script, tries), retry={"retries": 3, "initialDelayMs": 1, "maxDelayMs": 1})
        self.assertEqual(self.items(), [1])
        errors = [each.params["error"] for each in server.notifications("s") if each.method == "loadFailed"]
        self.assertEqual([error["code"] for error in errors], [LOAD_FAILED] * 2)
        self.assertIn("ended with status 75: busy", errors[0]["message"])

    def test_what_is_no_page_is_said_to_be_none(self):
        for output in ("hello", "[1,]", '{"items":[],"total":"x"}', '{"items":[1],"ids":[]}'):
            since = self.paged(["printf", "%s", output], session="s")
            error = since.wait_notification("loadFailed", session="s").params["error"]
            self.assertEqual(error["code"], BAD_PAGE, output)
            self.assertIn("the output of", error["message"])

    def test_a_time_out_ends_the_program(self):
        pids = os.path.join(self.folder(), "pids")
        server = self.paged(shell('echo $$ > "$1"; sleep 1000 & wait', pids), timeoutMs=300)
        error = server.wait_notification("loadFailed", session="s").params["error"]
        self.assertEqual(error["code"], TIMEOUT)
        with open(pids) as stream:
            pid = int(stream.read())
        until(lambda: not running(pid), "the program ends with its time")
        until(lambda: not children(server.process.pid), "nothing is left")

    def test_a_cancelled_page_ends_the_program(self):
        pids = os.path.join(self.folder(), "pids")
        server = self.paged(shell('echo $$ > "$1.new"; mv "$1.new" "$1"; exec sleep 1000', pids), autoload=False)
        waiting = server.request("loadMore", {"session": "s"})
        until(lambda: os.path.exists(pids), "the program runs")
        with open(pids) as stream:
            pid = int(stream.read())
        begin = time.monotonic()
        server.notify("$/cancelRequest", {"id": int(waiting)})
        self.refused(CANCELLED, server.wait, waiting)
        until(lambda: not running(pid), "the program ends with the request")
        self.assertLess(time.monotonic() - begin, 10)

    def test_formats(self):
        self.paged(["printf", "a\\nb\\n"], source={"format": "lines"})
        self.assertEqual(self.items(), [{"text": "a"}, {"text": "b"}])
        self.paged(["printf", "id,x\\n1,a\\n"], source={"format": "csv"})
        self.assertEqual(self.items(), [{"id": "1", "x": "a"}])

    def test_a_refresh_runs_it_again(self):
        count = os.path.join(self.folder(), "count")
        server = self.paged(shell('echo x >> "$1"; echo "[$(wc -l < "$1")]"', count))
        self.assertEqual(self.items(), [1])
        server.call("refresh", {"session": "s"})
        self.assertEqual(self.items(), [2])

    def test_places_can_be_resumed(self):
        script = 'printf \'{"items":[{"id":%d}],"next":"%d"}\' ${1:-0} $((${1:-0} + 1))'
        argv = shell(script, "{cursor}")
        server = self.paged(argv)
        server.call("loadMore", {"session": "s"})
        server.call("setScrolledID", {"session": "s", "id": 1})
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        self.paged(argv, resume=token)
        self.assertEqual([item["id"] for item in self.items()], [1])


class BrowseTests(EndToEndCase):
    def test_the_output_of_a_program_is_printed(self):
        import subprocess

        done = subprocess.run([BINARY, "browse", "--", "seq", "3"], capture_output=True, timeout=30, stdin=subprocess.DEVNULL)
        self.assertEqual((done.stdout, done.returncode), (b"1\n2\n3\n", 0), done)
