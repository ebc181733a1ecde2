"""The program `pagewire-textual`: one list on the whole screen, which comes back to where it was left."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import shlex
import sys
from typing import Any, ClassVar, Optional

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Header

from .. import AsyncClient
from .list import PagewireList, printable


class Place:
    """The file that keeps where the list of one source was left."""

    def __init__(self, source: dict[str, Any]) -> None:
        state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
        name = hashlib.sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()[:32]
        self.path = pathlib.Path(state, "pagewire", name + ".resume")

    def read(self) -> Optional[str]:
        try:
            return self.path.read_text("utf-8") or None
        except (OSError, ValueError):
            return None

    def write(self, token: str) -> None:
        """Keeps a token. Where that cannot be, the list begins at its start the next time: no reason to stop."""
        part = self.path.with_suffix(".%d" % os.getpid())
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            part.write_text(token, "utf-8")
            os.replace(part, self.path)
        except OSError:
            pass


def source_of(argument: str) -> dict[str, Any]:
    """What the command line names: a path, a URL, or a source object as JSON."""
    if argument.startswith("{"):
        source = json.loads(argument)
        return dict(source)
    if argument.startswith(("http://", "https://")):
        return {"type": "http", "url": argument}
    return {"type": "file", "path": argument}


class PagewireApp(App[None]):
    """A list, its source as the title, and what the keys do."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "quit")]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, source: dict[str, Any], command: Any = None, is_fresh: bool = False, **settings: Any) -> None:
        super().__init__()
        names = [str(source[name]) for name in ("path", "url", "argv", "type") if name in source]
        self.title = printable(names[0] if names else "")
        self.client = AsyncClient(command, "pagewire-textual")
        self.place = Place(source)
        self.list = PagewireList(self.client, source, token=None if is_fresh else self.place.read(), **settings)

    def compose(self) -> ComposeResult:
        yield Header()
        yield self.list
        yield Footer()

    def on_pagewire_list_remembered(self, message: PagewireList.Remembered) -> None:
        self.place.write(message.token)

    async def on_unmount(self) -> None:
        await self.client.close()


def main(arguments: Optional[list[str]] = None) -> None:
    parser = argparse.ArgumentParser(prog="pagewire-textual", description="Browse a source page by page.")
    parser.add_argument("source", nargs="?", help="a path, a URL, a source object as JSON; or -- PROGRAM ARGUMENT...")
    parser.add_argument("--end", action="store_true", help="begin at the end of a file, and stay there as it grows")
    parser.add_argument("--fresh", action="store_true", help="do not go back to where the list was left")
    parser.add_argument("--server", help="command of the server; default: $PAGEWIRE, or pagewire on PATH")
    words = sys.argv[1:] if arguments is None else arguments
    own = words[: words.index("--")] if "--" in words else words
    program = words[len(own) + 1 :]
    options = parser.parse_args(own)
    if bool(options.source) == bool(program):
        parser.error("one source is needed")
    source: dict[str, Any]
    try:
        source = {"type": "command", "argv": program} if program else source_of(options.source)
    except ValueError as error:
        parser.error("the source object is no valid JSON: %s" % error)
    if options.end:
        source.update({"from": "end", "follow": True})
    PagewireApp(source, options.server and shlex.split(options.server), options.fresh or options.end).run()
