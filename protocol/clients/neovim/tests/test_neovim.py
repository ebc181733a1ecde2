"""The Neovim plugin, in a real Neovim on a terminal."""
import os
import sys

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(PLUGIN), "editor-tests"))

from editor import EditorCase, run_tests  # noqa: E402
from vim_like import VimLike  # noqa: E402


class NeovimTests(VimLike, EditorCase):
    plugin = PLUGIN
    # Its rpc keeps what a server says on its stderr for the log.
    says_why = "status 3"

    def command(self):
        settings = "set runtimepath^=%s nomore shortmess+=I modeline scrolloff=5 laststatus=2\n" % self.plugin
        return ["nvim", "-u", self.file("init.vim", settings), "-i", "NONE", "-n"]


if __name__ == "__main__":
    run_tests()
