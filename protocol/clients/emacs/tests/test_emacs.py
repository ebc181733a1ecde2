"""The Emacs package, in a real Emacs on a terminal."""
import os
import shutil
import subprocess
import sys
import tempfile

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(PLUGIN), "editor-tests"))

from editor import EditorCase, run_tests  # noqa: E402
from scenarios import Scenarios  # noqa: E402

# What the tests ask Emacs; a file is written as soon as the answer is whole.
HELPER = """
(setq inhibit-startup-screen t ring-bell-function 'ignore enable-local-eval t)
(menu-bar-mode -1)
(defun answer (path lines)
  (let ((coding-system-for-write 'utf-8-emacs-unix))
    (write-region (concat (string-join lines "\\n") "\\n") nil path nil 'quiet))
  (write-region "" nil (concat path ".done") nil 'quiet))
"""


class EmacsTests(Scenarios, EditorCase):
    top, bottom, down, enter, refresh = "\x1b<", "\x1b>", "\x16", "\r", "r"
    first_id = 1
    says_why = "out of paper"
    all_lines = '(split-string (buffer-string) "\\n")'
    owned = '(list (if (string-match-p "owned" (format "%s %s" major-mode mode-name)) "yes" "no"))'

    @classmethod
    def setUpClass(cls):
        # Compiled, as a package is when it has been installed.
        cls.compiled = tempfile.mkdtemp(prefix="pagewire-emacs-")
        cls.addClassCleanup(shutil.rmtree, cls.compiled, ignore_errors=True)
        copy = shutil.copy(os.path.join(PLUGIN, "pagewire.el"), cls.compiled)
        subprocess.run(["emacs", "-Q", "--batch", "-f", "batch-byte-compile", copy], check=True, stdin=subprocess.DEVNULL)

    def command(self):
        helper = self.file("helper.el", HELPER)
        return ["emacs", "-nw", "-Q", "-l", os.path.join(self.compiled, "pagewire.elc"), "-l", helper]

    def is_started(self, editor):
        return lambda: "*scratch*" in editor.rows[-2]

    def open_command(self, editor, source, at_end):
        editor.press("%s\x1bxpagewire\r" % ("\x15" if at_end else ""))
        editor.see("File, URL or source")
        editor.press(source + "\r")

    def ask_command(self, editor, expression, path):
        editor.press("\x1b:")
        editor.see("Eval:")
        editor.press('(answer "%s" %s)\r' % (path, expression))

    def set_command(self, editor, path):
        editor.press("\x1b:")
        editor.see("Eval:")
        editor.press('(setq pagewire-command "%s")\r' % path)
        editor.settle()

    def dismiss(self, editor):
        """Messages of Emacs wait for nothing."""

    def close(self, editor):
        editor.press("q")

    def show_other(self, editor, name):
        editor.press("\x18b*pagewire: %s*\r" % name)

    def complete_and_open(self, editor, start):
        editor.press("\x1bxpagewire\r")
        editor.see("File, URL or source")
        editor.press("%s\t" % start)
        editor.see("a long name.txt")
        editor.press("\r")

    def visible(self, text):
        return text.encode("utf-8", "surrogateescape")

    # What Emacs has alone

    def test_it_compiles_without_warnings_and_installs(self):
        done = subprocess.run(
            ["emacs", "-Q", "--batch", "-l", os.path.join(PLUGIN, "tests", "check.el"), os.path.join(PLUGIN, "pagewire.el"), self.folder],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=60,
            env=dict(os.environ, HOME=self.folder),
        )
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def test_killing_the_buffer_closes_the_list(self):
        editor = self.start()
        self.open(editor, self.numbered("one.txt", 3))
        editor.see("line 2")
        editor.press("\x18k\r")
        editor.wait(lambda: not editor.servers(), "the end of the server")

    def test_two_windows_keep_their_places(self):
        editor = self.start(lines=24)
        self.open(editor, {"type": "synthetic", "count": 2000, "start": 1000, "latencyMs": 300})
        editor.see("Item 1000")
        editor.see_not("Loading...")
        editor.press("\x182")
        editor.press(self.bottom)
        editor.see("Item 1499")
        editor.settle()
        editor.press("\x18o" + self.top)
        editor.settle(0.6)
        shown = [row for row in editor.rows if "Item " in row]
        self.assertTrue(any("Item 1499" in row for row in shown), "the other window stays at the end")
        self.assertTrue(any("Item 999" in row or "Item 500" in row for row in shown), shown)


if __name__ == "__main__":
    run_tests()
