"""The Vim plugin, in a real Vim on a terminal."""
import os
import sys
import unittest

VIM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(VIM), "editor-tests"))

from editor import EditorCase, run_tests  # noqa: E402
from scenarios import Scenarios  # noqa: E402

LOAD = ["--cmd", "set runtimepath^=%s" % VIM, "--cmd", "set nomore shortmess+=I"]


class VimTests(Scenarios, EditorCase):
    first_id = 1
    all_lines = "getline(1, '$')"
    owned = "[&statusline =~ 'OWNED' ? 'yes' : 'no']"

    def command(self):
        # The user's settings are those that most people have; `defaults.vim` sets a scrolloff, for one.
        vimrc = self.file("vimrc", "source $VIMRUNTIME/defaults.vim\nset nocompatible laststatus=2 modeline\n")
        return ["vim", "-Nu", vimrc, "-i", "NONE", "-n"] + LOAD

    def is_started(self, editor):
        return lambda: "[No Name]" in editor.rows[-2]

    def open_command(self, editor, source, at_end):
        editor.press("\x1b:Pagewire%s %s\r" % ("!" if at_end else "", source.replace(" ", "\\ ") if source[0] != "{" else source))

    def ask_command(self, editor, expression, path):
        done = "call writefile([], '%s.done')" % path
        editor.press("\x1b:call writefile(%s, '%s') | %s\r" % (expression, path, done))

    def set_command(self, editor, path):
        editor.press("\x1b:let g:pagewire_command = '%s'\r" % path)
        editor.settle()

    def dismiss(self, editor):
        """Goes on after a message that fills more than the last row."""
        if editor.shows("Press ENTER"):
            editor.press("\x1b")
            editor.see_not("Press ENTER")

    def close(self, editor):
        editor.press("q")

    def show_other(self, editor, name):
        editor.press(":buffer %s\r" % name)

    def complete_and_open(self, editor, start):
        editor.press("\x1b:Pagewire %s\t" % start.replace(" ", "\\ "))
        editor.see("a\\ long\\ name.txt")
        editor.press("\r")

    def visible(self, text):
        """A line as Python reads it from the answer file, where a NUL is a line feed for Vim and comes back as NUL."""
        return text.encode("utf-8", "surrogateescape")

    # What is Vim's own

    def test_help_has_its_tags(self):
        editor = self.start()
        editor.press(":helptags %s/doc\r:help :Pagewire\r" % VIM)
        self.addCleanup(os.remove, os.path.join(VIM, "doc", "tags"))
        editor.see("Show {source} in the current")

    def test_deleting_the_buffer_closes_the_list(self):
        editor = self.start()
        for command in (":bdelete\r", ":bwipeout\r"):
            self.open(editor, self.numbered("one.txt", 3))
            editor.see("line 2")
            editor.press(command)
            editor.wait(lambda: not editor.servers(), "the end of the server")
            editor.settle()
        self.assertFalse(any("pagewire://" in line for line in self.ask(editor, "split(execute('ls!'), '\\n')")))

    def test_two_windows_keep_their_places(self):
        editor = self.start(lines=24)
        self.open(editor, {"type": "synthetic", "count": 2000, "start": 1000, "latencyMs": 300})
        editor.see("Item 1000")
        editor.see_not("Loading...")
        editor.press(":split\r")
        editor.press(self.bottom)
        editor.see("Item 1499")
        editor.settle()
        editor.press("\x17w" + self.top)
        editor.settle(0.6)
        shown = [row for row in editor.rows if "Item " in row]
        self.assertTrue(any("Item 1499" in row for row in shown), "the other window stays at the end")
        self.assertTrue(any("Item 999" in row or "Item 500" in row for row in shown), shown)


if __name__ == "__main__":
    run_tests()
