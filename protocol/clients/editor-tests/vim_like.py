"""How Vim and Neovim are driven: the same keys, commands and expressions."""
import os

from scenarios import Scenarios


class VimLike(Scenarios):
    first_id = 1
    all_lines = "getline(1, '$')"
    owned = "[&statusline =~ 'OWNED' ? 'yes' : 'no']"

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
        return text.encode("utf-8", "surrogateescape")

    # What Vim and Neovim have alone

    def test_help_has_its_tags(self):
        editor = self.start()
        editor.press(":helptags %s/doc\r:help :Pagewire\r" % self.plugin)
        self.addCleanup(os.remove, os.path.join(self.plugin, "doc", "tags"))
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
