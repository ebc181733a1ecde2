"""What every editor plugin must do, played in the real program; an editor's own test file says how it is driven."""
import json
import os
import sys
import time

from editor import PAGEWIRE, ROOT

sys.path.insert(0, os.path.join(ROOT, "protocol", "conformance"))
import kit  # noqa: E402

KIT_WORDS = {
    "loader": r"Loading\.\.\.",
    "error": "tries again: ",
    "empty": "No items",
    "paused": "goes on: ",
    "gone": "server has ended",
    "wrongVersion": "speaks version 2.0",
}

SLOW = {"type": "synthetic", "count": 60, "latencyMs": 700}

# Each is legal JSON, and each is a stumbling block of some reader or some screen.
AWKWARD = [
    '{"id":9007199254740993,"big":123456789012345678901234567890,"n":1e400}',
    '{"id":1,"twice":1,"twice":2}',
    '{"id":"\\ud800","nul":"a\\u0000b"}',
    '{"id":3,"deep":' + "[" * 900 + "]" * 900 + "}",
    '{"id":4,"lines":"one\\ntwo\\r\\u2028three"}',
    '{"id":5,"text":"\x7f\x9b31m \u2028 \u202e"}',
    '{"offset":6,"text":"x","text":"y\\nz"}',
    '{"id":7,"vim: set statusline=OWNED :":" -*- mode: owned; eval: (owned) -*- "}',
]


class Scenarios:
    """Mixed into a case of an editor."""

    # Loading

    def test_a_list_loads_as_it_is_scrolled(self):
        editor = self.start()
        self.open(editor, self.numbered("log.txt", 1800))
        editor.see("line 0")
        self.assertEqual(self.numbers_on(editor.settle())[:5], [0, 1, 2, 3, 4])
        for last in (499, 999, 1499, 1799):
            editor.go(self.bottom, "line %d" % last)
        editor.see("End")
        self.assertEqual([line for line in self.lines(editor) if line != "End"], ["line %d" % n for n in range(1800)])

    def test_the_loader_row_is_there_exactly_while_loading(self):
        editor = self.start()
        self.open(editor, SLOW)
        editor.see("Loading...")
        self.assertFalse(editor.shows("Item"), "nothing is there yet")
        editor.see("Item 0")
        editor.see_not("Loading...")
        self.open(editor, {"type": "items", "items": [{"id": 1}]})
        editor.see('{"id":')
        editor.see("End")
        self.assertFalse(editor.shows("Loading..."))

    def test_an_empty_list_says_so(self):
        editor = self.start()
        self.open(editor, {"type": "items", "items": []})
        editor.see("No items")

    def test_a_log_is_read_backwards_and_the_view_stays(self):
        editor = self.start()
        source = {"type": "synthetic", "count": 1000, "start": 900, "latencyMs": 500}
        self.open(editor, source)
        editor.see("Item 900")
        editor.press(self.down)
        editor.press(self.top)
        # The first screen is within the reach of the start, so that the page before it has been asked for.
        editor.wait(lambda: editor.rows[0].startswith("Loading...") or "Item 89" in editor.rows[0], "the row at the start")
        loading = editor.settle(0.1)
        editor.see_not("Loading...")
        after = editor.settle()
        if loading[0].startswith("Loading..."):
            self.assertEqual(loading[1:10], after[1:10], "what was read stays where it was")
            self.assertIn("Item 899", after[0])
        editor.go(self.top, "Item 400")

    def test_a_followed_file_is_opened_at_its_end(self):
        editor = self.start()
        path = self.numbered("log.txt", 3000)
        self.open(editor, path, at_end=True)
        editor.see("line 2999")
        with open(path, "a") as stream:
            stream.write("a new line\n")
        editor.see("a new line")
        for first in (2500, 2000):
            editor.go(self.top, "line %d" % first)
        place = editor.settle(0.7)
        with open(path, "a") as stream:
            stream.write("another line\n")
        time.sleep(0.7)
        self.assertEqual(self.numbers_on(editor.settle()), self.numbers_on(place), "who reads elsewhere is left there")
        editor.go(self.bottom, "another line")

    def test_the_buffer_stays_small_and_the_view_where_it_is(self):
        editor = self.start()
        self.open(editor, self.numbered("log.txt", 12000))
        editor.see("line 0")
        last = 0
        while not editor.shows("line 11999"):
            editor.press(self.bottom)
            editor.wait(lambda: max(self.numbers_on(editor.rows), default=0) > last, "a line after %d" % last)
            numbers = self.numbers_on(editor.settle(0.05))
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))), "nothing is left out")
            last = numbers[-1]
        lines = [line for line in self.lines(editor) if line.startswith("line ")]
        self.assertLess(len(lines), 7000)
        self.assertEqual(lines, ["line %d" % n for n in range(12000 - len(lines), 12000)])
        # And all the way back, where what was dropped is loaded again.
        first = last
        while not editor.shows("line 0 ") and "line 0" not in editor.rows:
            editor.press(self.top)
            editor.wait(lambda: min(self.numbers_on(editor.rows), default=first) < first, "a line before %d" % first)
            first = min(self.numbers_on(editor.settle(0.05)))
        self.assertLess(len(self.lines(editor)), 7000)

    # Refresh

    def test_a_refresh_brings_what_is_new_and_stays_in_place(self):
        editor = self.start()
        path = self.numbered("log.txt", 1200)
        self.open(editor, path)
        editor.see("line 0")
        editor.go(self.bottom, "line 499")
        editor.go_until(self.down, lambda: min(self.numbers_on(editor.rows)) > 495, "the next lines")
        place = self.numbers_on(editor.settle(0.8))
        with open(path, "r+") as stream:
            stream.write("LINE 0")
        editor.press(self.refresh)
        time.sleep(0.3)
        self.assertEqual(self.numbers_on(editor.settle())[:6], place[:6])
        editor.go(self.top, "LINE 0")

    def test_a_refresh_of_an_empty_list_finds_what_has_come(self):
        editor = self.start()
        path = self.file("log.txt", "")
        self.open(editor, path)
        editor.see("No items")
        self.file("log.txt", "first\n")
        editor.press(self.refresh)
        editor.see("first")

    # Errors

    def test_an_error_stays_until_somebody_tries_again(self):
        editor = self.start()
        fail = [{"page": 1, "times": 1, "message": "The shelf is empty.", "retryable": False}]
        self.open(editor, {"type": "synthetic", "count": 700, "fail": fail})
        editor.see("Item 0")
        editor.go(self.bottom, "tries again: The shelf is empty.")
        time.sleep(0.3)
        editor.press(self.bottom)
        editor.settle()
        self.assertTrue(editor.shows("tries again: The shelf is empty."), "nobody has asked again")
        editor.press(self.enter)
        editor.see("Item 500")
        editor.see_not("tries again: The shelf is empty.")

    def test_a_first_load_that_fails_is_tried_again_too(self):
        editor = self.start()
        fail = [{"page": 0, "times": 1, "message": "Not today.", "retryable": False}]
        self.open(editor, {"type": "synthetic", "count": 7, "fail": fail})
        editor.see("tries again: Not today.")
        editor.press(self.enter)
        editor.see("Item 6")

    def test_a_refused_source_says_why_and_is_tried_again(self):
        editor = self.start()
        self.open(editor, os.path.join(self.folder, "later.txt"))
        editor.see("later.txt")
        editor.see("tries again")
        self.numbered("later.txt", 3)
        editor.press(self.enter)
        editor.see("line 2")
        self.open(editor, '{"type":')
        editor.see("no source")

    def test_a_file_that_was_rotated_is_read_anew(self):
        editor = self.start()
        path = self.numbered("log.txt", 5)
        self.open(editor, path, at_end=True)
        editor.see("line 4")
        os.rename(path, path + ".1")
        self.file("log.txt", "a new file\n")
        editor.see("tries again")
        editor.press(self.bottom)
        editor.press(self.enter)
        editor.see("a new file")

    # What every front end must show

    def test_the_conformance_kit(self):
        editor = self.start(lines=30)
        for name in os.environ.get("KIT", "").split() or kit.names():
            with self.subTest(name):
                self.play_scenario(editor, name)

    def play_scenario(self, editor, name):
        again = {}

        def start(run):
            self.set_command(editor, run.server)
            self.open(editor, "/any/source")

        def press(keys, is_again=False):
            def act():
                self.dismiss(editor)
                editor.press(keys)
                # The view stays where it is when items come in before it: who wants the very first goes on.
                again.update(keys=keys if is_again else None, time=time.monotonic())

            return act

        def idle():
            editor.pump(0.02)
            if again.get("keys") and time.monotonic() > again["time"] + 1:
                press(again["keys"], True)()

        actions = {
            "refresh": press(self.refresh),
            "retry": press(self.bottom + self.enter),
            "toStart": press(self.top, True),
            "toEnd": press(self.bottom, True),
            "restart": press(self.enter),
            "quit": lambda: self.close(editor),
        }

        def screen():
            # What an editor says about a command that was typed is no part of the list.
            return "\n".join(editor.rows[:-1] + [editor.rows[-1] if "ended" in editor.rows[-1] else ""])

        kit.play(name, start, screen, KIT_WORDS, actions, PAGEWIRE, idle=idle)

    # The server

    def test_lists_share_one_server_that_ends_with_the_last(self):
        editor = self.start()
        record = os.path.join(self.folder, "record")
        wrapper = self.script("pagewire", "#!/bin/sh\nexec '%s' --record '%s' \"$@\"\n" % (PAGEWIRE, record))
        self.set_command(editor, wrapper)
        self.open(editor, self.numbered("one.txt", 3))
        editor.see("line 2")
        self.open(editor, self.numbered("two.txt", 5))
        editor.see("line 4")
        self.assertEqual(len(editor.servers()), 1)
        self.close(editor)
        editor.settle()
        self.assertEqual(len(editor.servers()), 1)
        self.show_other(editor, "one.txt")
        editor.see("line 2")
        self.close(editor)
        editor.wait(lambda: not editor.servers(), "the end of the server")
        with open(record) as stream:
            sent = [json.loads(line).get("send") for line in stream]
        closed = [message["params"]["session"] for message in sent if message and message.get("method") == "close"]
        opened = [message["params"]["session"] for message in sent if message and message.get("method") == "open"]
        self.assertEqual(sorted(closed), sorted(opened))
        # Nothing of it is left for the next list.
        self.open(editor, self.numbered("three.txt", 7))
        editor.see("line 6")

    def test_a_server_that_is_killed_is_started_again_in_place(self):
        editor = self.start()
        self.open(editor, self.numbered("one.txt", 2000))
        editor.see("line 0")
        for last in (499, 999):
            editor.go(self.bottom, "line %d" % last)
        editor.go_until(self.down, lambda: min(self.numbers_on(editor.rows)) > 993, "the next lines")
        place = self.numbers_on(editor.settle(1.0))
        self.kill_server(editor)
        editor.see("server has ended")
        self.assertEqual(self.numbers_on(editor.settle())[:8], place[:8], "what was loaded stays")
        self.dismiss(editor)
        editor.press(self.enter)
        editor.wait(lambda: editor.servers(), "a new server")
        editor.settle(1.0)
        # The list begins with the page of the place, or the one before it.
        editor.wait(lambda: self.lines(editor)[0] == "line 500" or editor.settle(1.0) is None, "the resumed list")
        self.assertEqual(len(editor.servers()), 1)
        self.assertEqual(self.numbers_on(editor.settle())[:8], place[:8])
        for last in (1499, 1999):
            editor.go(self.bottom, "line %d" % last)

    def test_without_a_server_it_says_what_to_do(self):
        editor = self.start(server="/nowhere/pagewire")
        self.open(editor, self.numbered("one.txt", 3))
        editor.see('/nowhere/pagewire')
        self.dismiss(editor)
        self.set_command(editor, PAGEWIRE)
        editor.press(self.enter)
        editor.see("line 2")

    def test_a_server_of_another_version_or_none_at_all(self):
        body = '{"jsonrpc":"2.0","id":%d,"result":{"protocolVersion":"2.7","serverInfo":{"name":"x","version":"9"}}}' % self.first_id
        newer = "#!/bin/sh\nprintf 'Content-Length: %d\\r\\n\\r\\n%%s' '%s'\nexec cat >/dev/null\n" % (len(body), body)
        broken = "#!/bin/sh\necho 'cannot start: out of paper' >&2\nexit 3\n"
        for name, text, said in (("pagewire-newer", newer, "2.7"), ("pagewire-broken", broken, self.says_why)):
            with self.subTest(name):
                editor = self.start(server=self.script(name, text))
                self.open(editor, self.numbered("one.txt", 3))
                editor.see(said)
                self.dismiss(editor)
                self.set_command(editor, PAGEWIRE)
                editor.press(self.enter)
                editor.see("line 2")

    def test_the_server_ends_with_the_editor(self):
        editor = self.start()
        self.open(editor, self.numbered("one.txt", 3))
        editor.see("line 2")
        (pid,) = editor.servers()
        editor.kill(9)
        end = time.monotonic() + 10
        while os.path.exists("/proc/%d" % pid) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertFalse(os.path.exists("/proc/%d" % pid))

    # Bad input

    def test_items_that_some_readers_refuse_are_shown_as_they_are(self):
        editor = self.start()
        self.open(editor, self.file("awkward.jsonl", "\n".join(AWKWARD) + "\n"))
        editor.see("9007199254740993")
        lines = self.lines(editor)
        self.assertEqual(len(lines), len(AWKWARD) + 1)
        for shown, item in zip(lines, AWKWARD):
            self.assertEqual(self.visible(shown), self.visible(item))
        self.assertEqual(self.ask(editor, self.owned), ["no"], "a line of a file is no command")

    def test_lines_with_control_characters_and_without_end(self):
        editor = self.start()
        content = b"a\x00b\x1b[31mc\rd\n" + b"\xff\xfe\n" + b"x" * 300_000 + b"\nlast \xc3\xa9 \xe2\x80\xa8 line\n"
        self.open(editor, self.file("log.txt", content))
        editor.see("xxxx")
        lines = self.lines(editor)
        self.assertEqual(len(lines), 5)
        self.assertEqual(self.visible(lines[0]), self.visible("a\x00b\x1b[31mc\rd"))
        self.assertEqual(lines[1], "\ufffd\ufffd")
        self.assertTrue(lines[2].startswith("x" * 5000) and len(lines[2]) < 11_000 and lines[2].endswith("..."))
        self.assertIn("last \u00e9 \u2028 line", lines[3])

    def test_names_of_files_are_completed(self):
        editor = self.start()
        self.numbered("a long name.txt", 3)
        self.complete_and_open(editor, "a lo")
        editor.see("line 2")
