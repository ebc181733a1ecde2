"""What a person sees of `pagewire browse`: its screen, read through a terminal emulator."""

import json
import os
import shutil
import signal
import sys
import time
import unittest

from pagewire_client import BINARY, LIMIT
from support import EndToEndCase, children, memory_kib

try:
    from browse_terminal import TerminalProgram
except ImportError:
    TerminalProgram = None

FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "browse_fake_server.py")
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
PAGE_UP, PAGE_DOWN, HOME, END = "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"


def synthetic(**members):
    return json.dumps(dict(type="synthetic", **members))


def ends_with(text):
    return lambda program: program.status_line.endswith(text)


@unittest.skipIf(TerminalProgram is None, "needs the package pyte")
class ScreenCase(EndToEndCase):
    def browse(self, *arguments, **options):
        program = TerminalProgram([BINARY, "browse", *arguments], **options)
        self.addCleanup(program.close)
        return program

    def faulty(self, *arguments, spec, **options):
        server = "'%s' '%s' '%s'" % (sys.executable, FAKE, json.dumps(spec))
        return self.browse("--server", server, *arguments, "x", **options)

    def lines(self, number):
        return self.file("".join("line %d\n" % n for n in range(number)))

    def assert_left(self, program, status=0):
        self.assertEqual(program.wait(LIMIT), status)
        # The last it wrote may still lie in the terminal.
        for _ in range(250):
            if program.is_restored() or not program.pump(0.02):
                break
        self.assertTrue(program.is_restored(), program.raw[-200:])


class MovingTests(ScreenCase):
    def test_keys_move_through_the_list(self):
        program = self.browse(self.lines(100))
        program.wait_for_text("line 8")
        self.assertEqual(program.rows[:9], ["line %d" % n for n in range(9)])
        for keys, position in (
            (DOWN, 2), ("j", 3), (UP, 2), ("k", 1), ("k", 1), (PAGE_DOWN, 9), (" ", 17), (PAGE_UP, 9), (HOME, 1),
            ("\x1bOB", 2), (END, 100), ("j", 100), ("g", 1), ("G", 100),
        ):  # fmt: skip
            program.press(keys)
            program.wait_for(ends_with(" %d/100 items" % position))
        self.assertEqual(program.rows[:9], ["line %d" % n for n in range(91, 100)])
        program.press("q")
        self.assert_left(program)
        self.assertEqual(program.after_screen(), "")

    def test_the_window_of_a_long_list_is_all_that_is_kept(self):
        number = 300_000
        program = self.browse(self.lines(number))
        program.wait_for_text("line 8")
        server = children(program.pid)[0]
        before = memory_kib(program.pid), memory_kib(server)
        program.press("G")
        program.wait_for(ends_with(" %d/%d items" % (number, number)), 120)
        self.assertEqual(program.rows[8], "line %d" % (number - 1))
        after = memory_kib(program.pid), memory_kib(server)
        self.assertLess(after[0] - before[0], 8 << 10)
        self.assertLess(after[1] - before[1], 16 << 10)
        program.press("g")
        program.wait_for(lambda program: program.rows[0] == "line 0", 120)
        program.press("jjj")
        program.wait_for(lambda program: " 4/" in program.status_line)
        program.press("q")
        self.assert_left(program)

    def test_another_key_stops_the_way_to_the_end(self):
        program = self.browse(synthetic(count=None))
        program.wait_for_text("Item 0")
        program.press("G")
        program.wait_for(lambda program: "Item 0" not in program.rows[0])
        program.press("k")
        program.pump(0.3)
        shown = program.rows
        program.pump(0.3)
        self.assertEqual(program.rows, shown)
        program.press("q")
        self.assert_left(program)

    def test_back_and_forth_in_a_window_shows_every_line_in_its_place(self):
        program = self.browse("--page-size", "10", self.lines(1000))
        program.wait_for_text("line 8")
        for keys, times in ((PAGE_DOWN, 60), (PAGE_UP, 60), (PAGE_DOWN, 30)):
            for _ in range(times):
                before = program.status_line
                program.press(keys)
                program.wait_for(lambda program: program.status_line != before)
                program.wait_for(lambda program: "Loading" not in "".join(program.rows))
                numbers = [int(row.split()[1]) for row in program.rows[:-1]]
                self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 9)))
        program.press("q")
        self.assert_left(program)

    def test_a_resize_draws_what_fits(self):
        program = self.browse(self.lines(300))
        program.wait_for_text("line 8")
        for columns, lines in ((30, 5), (100, 40), (5, 3), (1, 1), (60, 10)):
            program.resize(columns, lines)
            program.pump(0.2)
            if columns > 20:
                program.wait_for(lambda program: program.rows[:-1] == ["line %d" % n for n in range(lines - 1)])
        program.press("q")
        self.assert_left(program)


class ContentTests(ScreenCase):
    def test_wide_characters_and_marks_take_their_cells(self):
        content = "日本語テキスト|\ne\u0301a\u0308o|\nplain|\n한국어|\nמה|\n👍 ok|\n"
        program = self.browse(self.file(content), columns=40)
        program.wait_for_text("plain|")
        # A wide character is followed by an empty cell in the emulator's rows.
        self.assertEqual(program.screen.buffer[0][14].data, "|")
        self.assertEqual(program.screen.buffer[1][0].data, "é")
        self.assertEqual(program.screen.buffer[1][3].data, "|")
        self.assertEqual(program.screen.buffer[3][6].data, "|")
        self.assertEqual(program.screen.buffer[4][2].data, "|")
        self.assertEqual(program.screen.buffer[5][5].data, "|")
        program.press("q")
        self.assert_left(program)

    def test_nothing_in_the_data_reaches_the_terminal_as_a_command(self):
        evil = "\x1b[2J\x1b]0;title\x07\x1b[31mred\x9b31m\u009b31m\x00\x0e\x7f\u202eabc\r\n"
        program = self.browse(self.file(evil.encode("utf-8", "surrogateescape") + b"\xff\xfe\nlast\n"), columns=80)
        program.wait_for_text("last")
        self.assertTrue(program.rows[0].startswith("^[[2J^[]0;title^G^[[31mred"), program.rows)
        self.assertIn("<U+009B>31m^@^N^?<U+202E>abc", program.rows[0])
        for raw in (b"\x1b[31m", b"\x1b]0;", b"\x07", b"\x0e", b"\x7f", "\u202e".encode(), "\u009b".encode()):
            self.assertNotIn(raw, program.raw)
        program.press("q")
        self.assert_left(program)

    def test_long_lines_are_cut_and_seen_by_scrolling_sideways(self):
        program = self.browse(self.file("0123456789" * 10 + "\n日本語" + "x" * 50 + "\nshort\n"), columns=20)
        program.wait_for_text("short")
        self.assertEqual(program.rows[0], "0123456789012345678>")
        program.press(RIGHT)
        program.wait_for(lambda program: program.rows[0] == "<901234567890123456>")
        self.assertEqual(program.rows[2], "<")
        program.press(LEFT + LEFT)
        program.wait_for(lambda program: program.rows[0] == "0123456789012345678>")
        self.assertEqual(program.rows[2], "short")
        program.press("q")
        self.assert_left(program)

    def test_other_items_are_shown_as_compact_json(self):
        items = '{"type":"items","items":[{"b": 1.0,  "a": [ ] }, "\\u001b[2J", null]}'
        program = self.browse(items)
        program.wait_for_text("null")
        self.assertEqual(program.rows[:3], ['{"b":1.0,"a":[]}', '"\\u001b[2J"', "null"])
        program.press("q")
        self.assert_left(program)


class StateTests(ScreenCase):
    def test_the_first_load_is_shown(self):
        program = self.browse(synthetic(count=3, latencyMs=400))
        program.wait_for_text("Loading the first items ...")
        self.assertTrue(program.status_line.endswith("0/0+ first load"))
        program.wait_for_text('{"id":2,"title":"Item 2"}')
        program.press("q")
        self.assert_left(program)

    def test_the_loader_row_is_there_while_a_load_runs(self):
        program = self.browse("--page-size", "5", synthetic(count=8, latencyMs=300))
        program.wait_for_text("Item 4")
        program.wait_for(lambda program: program.rows[5] == "Loading more ...")
        self.assertTrue(program.status_line.endswith("1/5+ loading"))
        program.wait_for_text("Item 7")
        program.wait_for(lambda program: program.status_line.endswith("1/8 items") and program.rows[8] == "")
        program.press("q")
        self.assert_left(program)

    def test_an_error_row_is_tried_again_by_enter(self):
        for key in ("\r", "l"):
            fail = [{"page": 1, "times": 1, "message": "Out of \x1b[2Jpaper.", "retryable": False}]
            program = self.browse("--page-size", "4", synthetic(count=8, fail=fail), columns=80)
            program.wait_for_text("Loading failed (Enter: try again): Out of ^[[2Jpaper.")
            self.assertTrue(program.status_line.endswith("1/4+ failed"))
            program.press(key)
            program.wait_for_text("Item 7")
            self.assertNotIn("failed", "".join(program.rows))
            program.press("q")
            self.assert_left(program)

    def test_a_wait_for_the_next_try_can_be_cut_short(self):
        fail = [{"page": 0, "times": 1, "message": "Busy."}]
        program = self.browse(synthetic(count=8, fail=fail), columns=80)
        program.wait_for_text("(Enter: now): Busy.")
        program.press("\r")
        program.wait_for_text("Item 7")
        program.press("q")
        self.assert_left(program)

    def test_an_empty_list_says_so(self):
        program = self.browse(self.file(""))
        program.wait_for_text("No items.")
        self.assertTrue(program.status_line.endswith("0/0 empty"))
        program.press("q")
        self.assert_left(program)

    def test_a_pause_is_shown_and_ended(self):
        program = self.browse("--page-size", "3", synthetic(count=6, emptyPages=[1, 2, 3, 4, 5, 6]), columns=80)
        program.wait_for_text("Paused: several pages in a row brought nothing new (Enter: go on).")
        program.press("\r")
        program.wait_for_text("Item 5")
        program.press("q")
        self.assert_left(program)

    def test_a_refresh_shows_what_is_new_and_keeps_the_place(self):
        path = self.file("one\ntwo\nthree\n")
        program = self.browse(path)
        program.wait_for_text("three")
        with open(path, "a") as stream:
            stream.write("four\n")
        program.press("jr")
        program.wait_for_text("four")
        program.wait_for(ends_with(" 2/4 items"))
        program.press("q")
        self.assert_left(program)

    def test_a_refresh_that_fails_keeps_the_list(self):
        path = self.file("one\ntwo\n")
        program = self.browse(path, columns=100)
        program.wait_for_text("two")
        os.rename(path, path + ".away")
        program.press("r")
        program.wait_for_text("Refresh failed (r: try again): ", LIMIT)
        self.assertEqual(program.rows[:2], ["one", "two"])
        os.rename(path + ".away", path)
        program.press("r")
        program.wait_for(ends_with(" 1/2 items"))
        program.press("q")
        self.assert_left(program)


class WaysOutTests(ScreenCase):
    def test_keys_end_it(self):
        for key in ("q", "\x03"):
            program = self.browse(self.lines(100))
            program.wait_for_text("line 8")
            server = children(program.pid)[0]
            program.press(key)
            self.assert_left(program)
            self.assertFalse(os.path.exists("/proc/%d" % server))

    def test_signals_end_it_as_signals_do(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            program = self.browse(self.lines(100))
            program.wait_for_text("line 8")
            program.kill(number)
            self.assert_left(program, -number)

    def test_a_crash_restores_the_terminal_too(self):
        # Swift's own report of a crash would ask a question here.
        program = self.browse(self.lines(100), env={"SWIFT_BACKTRACE": "enable=no"})
        program.wait_for_text("line 8")
        program.kill(signal.SIGSEGV)
        self.assert_left(program, -signal.SIGSEGV)

    def test_the_death_of_the_server_is_one_line_and_the_list_stays(self):
        # Wide enough for the server's path, wherever that is.
        program = self.browse(self.lines(100), columns=400)
        program.wait_for_text("line 8")
        os.kill(children(program.pid)[0], signal.SIGKILL)
        program.wait_for_text("Enter: start again.")
        self.assertRegex(program.status_line, r"the server .* was ended by signal 9 .* no server$")
        self.assertEqual(program.rows[:9], ["line %d" % n for n in range(9)])
        program.press(DOWN)
        program.wait_for(lambda program: " 2/100 " in program.status_line)
        program.press("q")
        self.assert_left(program, 1)
        self.assertRegex(program.after_screen(), r"^pagewire browse: the server .* was ended by signal 9\r\n$")

    def test_what_a_dying_server_says_is_said_after_the_screen(self):
        spec = {"crash_page": 1, "stderr": "all is well\nthe end is near\n"}
        program = self.faulty("--page-size", "5", spec=spec)
        program.wait_for_text("Enter: start again.")
        program.press("q")
        self.assert_left(program, 1)
        self.assertRegex(program.after_screen(), r"exited with status 3: the end is near\r\n$")
        self.assertNotIn(b"all is well", program.raw)

    def test_a_server_that_died_is_started_again_in_place(self):
        program = self.browse("--page-size", "20", self.lines(1000), columns=120)
        program.wait_for_text("line 8")
        for _ in range(20):
            before = program.status_line
            program.press(PAGE_DOWN)
            program.wait_for(lambda program: program.status_line != before)
        place = program.rows
        program.pump(1)  # the place is kept once the selection has stayed for a moment
        for _ in range(2):
            os.kill(children(program.pid)[0], signal.SIGKILL)
            program.wait_for_text("Enter: start again.")
            self.assertEqual(program.rows[:-1], place[:-1])
            program.press("\r")
            program.wait_for(lambda program: program.status_line.endswith(" items") and "line" in program.rows[0])
            self.assertIn(place[4], program.rows)
            program.pump(1)
            place = program.rows
        self.assertEqual(len(children(program.pid)), 1)
        program.press("G")
        program.wait_for_text("line 999")
        program.press("g")
        program.wait_for(lambda program: program.rows[0] == "line 0")
        program.press("q")
        self.assert_left(program)

    def test_a_server_that_cannot_be_started_again_leaves_the_list(self):
        copy = os.path.join(self.folder(), "server")
        shutil.copy(BINARY, copy)
        program = self.browse("--server", copy, self.lines(100), columns=160)
        program.wait_for_text("line 8")
        os.remove(copy)
        os.kill(children(program.pid)[0], signal.SIGKILL)
        program.wait_for_text("Enter: start again.")
        program.press("\r")
        program.wait_for_text("No such file or directory")
        self.assertEqual(program.rows[0], "line 0")
        program.press("q")
        self.assert_left(program, 1)

    def test_a_source_that_cannot_be_opened_never_takes_the_screen(self):
        program = self.browse(os.path.join(self.folder(), "nosuch"))
        self.assert_left(program, 1)
        self.assertNotIn(b"\x1b[?1049h", program.raw)
        self.assertIn(b"nosuch: No such file or directory", program.raw)

    def test_keys_come_from_the_terminal_when_standard_input_is_none(self):
        script = "echo ignored | '%s' browse '%s'" % (BINARY, self.lines(100))
        program = TerminalProgram(["bash", "-c", script])
        self.addCleanup(program.close)
        program.wait_for_text("line 8")
        program.press("j")
        program.wait_for(ends_with(" 2/100 items"))
        program.press("q")
        self.assert_left(program)

    def test_a_terminal_that_cannot_draw_gets_the_items(self):
        program = self.browse(self.lines(3), env={"TERM": "dumb"})
        self.assertEqual(program.wait(LIMIT), 0)
        self.assertEqual(program.raw, b"line 0\r\nline 1\r\nline 2\r\n")

    def test_a_terminal_that_goes_away_ends_it(self):
        program = self.browse(self.lines(100))
        program.wait_for_text("line 8")
        server = children(program.pid)[0]
        os.close(program.master)
        deadline = time.monotonic() + LIMIT
        while os.waitpid(program.pid, os.WNOHANG)[0] == 0:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.assertFalse(os.path.exists("/proc/%d" % server))
        program.master, program.status = os.open(os.devnull, os.O_RDONLY), 0

    def test_it_can_be_stopped_and_goes_on(self):
        for stop in (lambda program: program.press("\x1a"), lambda program: os.kill(children(program.pid)[0], signal.SIGTSTP)):
            # A shell with job control around it: without one nothing could stop its process group.
            script = "set -m; '%s' browse '%s'; fg" % (BINARY, self.lines(100))
            program = TerminalProgram(["bash", "-c", script])
            self.addCleanup(program.close)
            program.wait_for_text("line 8")
            shown = len(program.raw)
            stop(program)
            program.wait_for(lambda program: b"\x1b[?1049h" in program.raw[shown:])
            self.assertIn(b"\x1b[?1049l", program.raw[shown:])
            program.wait_for_text("line 8")
            program.press("j")
            program.wait_for(lambda program: " 2/100" in program.status_line)
            program.press("q")
            self.assertEqual(program.wait(LIMIT), 0)
            self.assertTrue(program.is_restored())


if __name__ == "__main__":
    unittest.main()
