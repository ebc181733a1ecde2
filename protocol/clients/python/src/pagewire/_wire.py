"""What goes over the wire, without I/O: frames, a list as notifications make it, and errors."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Callable, Dict, Iterator, Optional, Union

Params = Dict[str, Any]
Handler = Callable[[Any, str, Params], None]
HEADER = re.compile(rb"Content-Length: (0|[1-9]\d*)\r\n\r\n")
# Python makes no number of very many digits: such a number stays text.
JSON = json.JSONDecoder(parse_int=lambda digits: int(digits) if len(digits) < 4300 else digits)
# A server passes on what is nested a thousand levels deep, which is more than Python takes by default.
sys.setrecursionlimit(max(5000, sys.getrecursionlimit()))


def ignore(paged: Any, method: str, params: Params) -> None:
    """The handler of a list that nobody watches."""


class PagewireError(Exception):
    """Its text is a sentence for people."""


class Failure(PagewireError):
    """The server answered an error: `code` and `data` are for the program. Raised by a `fetch`, it fails the page."""

    def __init__(self, error: Params) -> None:
        super().__init__(error["message"])
        self.code, self.data = error["code"], error.get("data") or {}  # type: int, Params


class Gone(PagewireError):
    """There is no server, or none any more, or none that this library can talk to."""


def frame(body: Union[str, bytes]) -> bytes:
    """A message as it goes over the wire."""
    data = body.encode() if isinstance(body, str) else body
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


class Frames:
    """Cuts what a server writes into bodies. A frame has one form; anything else is a `ValueError`."""

    def __init__(self) -> None:
        self.pending = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        self.pending += data
        while header := HEADER.match(head := bytes(self.pending[:64])):
            end = header.end() + int(header[1])
            if len(self.pending) < end:
                return
            yield bytes(memoryview(self.pending)[header.end() : end])
            del self.pending[:end]
        if len(head) == 64 or b"\n\r\n" in head or head[:16] != b"Content-Length: "[: len(head)]:
            raise ValueError("no frame begins with %r" % head)


class PagedList:
    """The list of one session as the server tells of it: `items` and `ids` go from position `first` on."""

    def __init__(self, session: str, source: Params, settings: Params) -> None:
        self.session, self.source, self.settings = session, source, settings
        self.token: Optional[str] = settings.pop("resume", None)
        self.reset({"generation": 1, "phase": "idle", "hasMore": True, "hasPrevious": False, "paused": False})

    def reset(self, state: Params) -> None:
        """Begins anew with the state that `open` answered."""
        self.loading: set[str] = set()
        self._empty(0, state["generation"])
        self._facts(state)

    def _empty(self, first: int, generation: int) -> None:
        self.first, self.generation = first, generation
        self.items, self.ids = [], []  # type: list[Any], list[Any]
        self.errors, self._shelved = {}, {}  # type: Params, Params  # The `loadFailed` to be shown, by kind of load.

    def _facts(self, params: Params) -> None:
        self.phase, self.paused = str(params["phase"]), bool(params["paused"])
        self.has_more, self.has_previous = bool(params["hasMore"]), bool(params["hasPrevious"])

    def receive(self, method: str, params: Params) -> None:
        """Takes a notification about this list."""
        kind = params.get("kind", "")
        if method in ("pageAppended", "pagePrepended"):
            if params["replaces"] or not self.items:
                self._empty(params["start"], params["generation"])
            end = len(self.items) if method == "pageAppended" else 0
            self.items[end:end] = params["items"]
            self.ids[end:end] = params["ids"]
            self.first = min(self.first, params["start"])
        elif method == "pagesDropped":
            dropped = slice(params["from"] - self.first, params["to"] - self.first + 1)
            del self.items[dropped], self.ids[dropped]
            self.first = params["to"] + 1 if params["edge"] == "start" else self.first
        elif method == "cleared":
            self._empty(0, params["generation"])
        elif method == "loadFailed":
            self.errors[kind] = params
        elif method == "loading" and params["isLoading"]:
            self.loading.add(kind)  # What it tries anew is no error any more, until it comes to nothing.
            anew = ("initial", "refresh") if kind == "initial" else (kind,)
            self._shelved[kind] = {each: self.errors.pop(each) for each in anew if each in self.errors}
        elif method == "loading":
            self.loading.discard(kind)
            before = self._shelved.pop(kind, {})
            if params["result"] != "failed":
                self.errors.pop(kind, None)
            if params["result"] in ("cancelled", "superseded"):
                self.errors.update(before)
        if "phase" in params:
            self._facts(params)
