"""The Vim plugin, in a real Vim on a terminal."""
import os
import sys

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(PLUGIN), "editor-tests"))

from editor import EditorCase, run_tests  # noqa: E402
from vim_like import VimLike  # noqa: E402


class VimTests(VimLike, EditorCase):
    plugin = PLUGIN
    says_why = "out of paper"

    def command(self):
        # The settings are those that most people have: `defaults.vim` keeps the cursor off the edges, for one.
        vimrc = self.file("vimrc", "source $VIMRUNTIME/defaults.vim\nset nocompatible laststatus=2 modeline nomore shortmess+=I\n")
        return ["vim", "-Nu", vimrc, "-i", "NONE", "-n", "--cmd", "set runtimepath^=%s" % self.plugin]


if __name__ == "__main__":
    run_tests()
