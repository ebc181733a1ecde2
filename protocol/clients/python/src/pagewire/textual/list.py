"""A Textual widget that shows a list of the server's. What it decides is how things look; what is loaded is not."""

from __future__ import annotations

import contextlib
import json
import textwrap
from typing import Any, Callable, ClassVar, Optional, Tuple
from typing import List as List_

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from .. import AsyncClient, List, PagewireError

Rows = List_[Tuple[str, str]]  # The kind of each row, and its text.
SETTINGS = {"pageSize": 100, "maxItems": 1000, "prefetchThreshold": 40}
REMEMBER_AFTER_SECONDS = 0.3


def line_of(item: Any) -> str:
    """An item as one line: the text of a line, the title of what has one, or its JSON."""
    if isinstance(item, dict):
        item = next((item[name] for name in ("text", "title", "name") if isinstance(item.get(name), str)), item)
    return item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)


def printable(text: str) -> str:
    """What a terminal may be sent: it would take control characters, and lone surrogates, for more than text."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


class PagewireList(ScrollView, can_focus=True):
    """Shows the items of a source, one a line, with as few of them in memory as the window of the session holds."""

    DEFAULT_CSS = """
    PagewireList { height: 1fr; scrollbar-gutter: stable; overflow-x: hidden; }
    PagewireList > .pagewire--cursor { background: $primary; color: $text; text-style: bold; }
    PagewireList > .pagewire--notice { color: $text-muted; text-style: italic; }
    PagewireList > .pagewire--problem { background: $error; color: $text; text-style: bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"pagewire--cursor", "pagewire--notice", "pagewire--problem"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "go(-1)", "up", show=False),
        Binding("down,j", "go(1)", "down", show=False),
        Binding("pageup", "page(-1)", "screen up", show=False),
        Binding("pagedown,space", "page(1)", "screen down", show=False),
        Binding("home,g", "edge('start')", "first"),
        Binding("end,G", "edge('end')", "last"),
        Binding("r", "refresh_list", "refresh"),
        Binding("l", "retry", "try again"),
        Binding("enter", "select", "choose", show=False),
        Binding("R", "reconnect", "restart", show=False),
    ]

    class Remembered(Message):
        """There is a new token, which leads back to where the cursor is."""

        def __init__(self, token: str) -> None:
            super().__init__()
            self.token = token

    class Selected(Message):
        """Enter was pressed on an item."""

        def __init__(self, item: Any, position: int) -> None:
            super().__init__()
            self.item, self.position = item, position

    def __init__(
        self,
        client: AsyncClient,
        source: dict[str, Any],
        *,
        token: Optional[str] = None,
        line: Callable[[Any], str] = line_of,
        id: Optional[str] = None,
        **settings: Any,
    ) -> None:
        super().__init__(id=id)
        self.client, self.source, self.line = client, source, line
        self.settings = {**SETTINGS, **settings, **({"resume": token} if token else {})}
        self.paged: Optional[List] = None
        self._first, self._before, self._after, self._over = 0, [], [], []  # type: int, Rows, Rows, Rows
        self._is_connecting = False
        self.problem = ""  # Why there is no session: no server, or none that opens the source.
        self.cursor = 0  # A position.
        self._edge = "end" if source.get("from") == "end" else ""  # The edge to stay at while more comes in there.
        self._hold: Optional[int] = None  # The row at which the cursor stays, after it has come back to its item.
        self._is_scrolling = False
        self._reported: Optional[tuple[int, int, int]] = None
        self._timer: Optional[Timer] = None
        self._remembered: Any = None

    @property
    def _room(self) -> Size:
        return self.scrollable_content_region.size

    # The session.

    def on_mount(self) -> None:
        self.call_after_refresh(self.connect)  # The first page is to find a size.

    def on_unmount(self) -> None:
        if self.paged and not self.client.gone:
            self.client.lists.pop(self.paged.session, None)
            self._ask("close")

    def connect(self) -> None:
        """Starts the server and opens the list, or whatever of it is to be done."""
        if not self._is_connecting:
            self._is_connecting = True
            self.run_worker(self._connect())

    async def _connect(self) -> None:
        self.problem = ""
        self._show()
        try:
            if self.client.gone:
                await self.client.start()
            elif self.paged:
                await self.client.reopen(self.paged)
            if not self.paged:
                self.paged = await self.client.open(self.source, on_change=self._changed, **self.settings)
        except PagewireError as error:
            self.problem = str(error)
        self._is_connecting = False
        self._show()

    def _ask(self, method: str) -> None:
        """Sends a request of which notifications tell all there is to know."""
        if self.paged and not self.client.gone:
            self.client.notify(method, session=self.paged.session)

    def _changed(self, paged: List, method: str, params: dict[str, Any]) -> None:
        self.paged = paged
        if method == "gone":
            self.problem = params["message"]
        elif method == "open":
            self._hold, self._reported = self._row_of(self.cursor) - self.scroll_offset.y, None
        is_new = method == "pageAppended" and params["count"] == len(params["items"])
        if is_new and "scrollTo" in params:
            if self._hold is None:
                self._hold = self._row_of(self.cursor) - self.scroll_offset.y
            self.cursor = params["scrollTo"]["position"]
            self._show()
        elif is_new:
            self.cursor, self._hold = params["start"], None
            self._show(cursor_row=self._room.height)
        else:
            self._show()

    def _minded(self) -> None:
        """The cursor may be somewhere else: soon the server is told, and a token had that leads back there."""
        self._timer = self._timer or self.set_timer(REMEMBER_AFTER_SECONDS, self._remember)

    async def _remember(self) -> None:
        self._timer = None
        paged, at = self.paged, self.cursor
        if paged and not self.client.gone and 0 <= at - paged.first < len(paged.ids):
            identity = paged.ids[at - paged.first]
            if identity is not None and identity != self._remembered:
                with contextlib.suppress(PagewireError):
                    await paged.remember(identity)
                    self._remembered = identity
                    self.post_message(self.Remembered(paged.token or ""))

    # What is shown.

    def _rows(self) -> tuple[Rows, Rows, Rows]:
        """The rows before the items, those after them, and those that lie over the screen's last rows."""
        paged, problem = self.paged, self._wrapped("problem", self.problem, "R: try again")
        if not paged or not paged.items:
            return [], problem or self._whole(paged), []
        after = self._load("initial", "l") + self._load("more", "l")
        if paged.paused and not paged.loading:
            after = self._wrapped("notice", "Nothing new was found.", "l: go on")
        return self._load("previous", "l"), [] if problem else after, problem or self._load("refresh", "r")

    def _whole(self, paged: Optional[List]) -> Rows:
        """What stands in place of the items where there are none."""
        if not paged:
            return self._wrapped("notice", "Starting the server\u2026")
        load = self._load("initial", "l") or self._load("refresh", "r") or self._load("more", "l")
        if not load and paged.phase == "empty" and not paged.paused:
            return self._wrapped("notice", "No items.")
        return load or self._wrapped("notice", "Nothing was found yet.", "l: go on")

    def _load(self, kind: str, key: str) -> Rows:
        """What is to be said of a load: nothing, where there is none."""
        error = self.paged.errors.get(kind) if self.paged else None
        if error and error["willRetry"]:
            return self._wrapped("problem", error["error"]["message"] + "  Loading again\u2026", key + ": now")
        if error:
            return self._wrapped("problem", error["error"]["message"], key + ": try again")
        is_loading = self.paged and kind in self.paged.loading
        doing = "Refreshing\u2026" if kind == "refresh" else "Loading\u2026"
        return self._wrapped("notice", doing) if is_loading else []

    def _wrapped(self, kind: str, text: str, hint: str = "") -> Rows:
        mark = "\u2717 " if kind == "problem" else ""
        full = printable(mark + text + ("  (%s)" % hint if hint else "")) if text else ""
        return [(kind, line) for line in textwrap.wrap(full, max(10, self._room.width))]

    def _row_of(self, position: int) -> int:
        return position - self._first + len(self._before)

    def _show(self, cursor_row: Optional[int] = None) -> None:
        """Shows what there is now; the cursor comes to this row, else what is on the screen stays there."""
        cursor_row = self._hold if cursor_row is None else cursor_row
        items, first = (self.paged.items, self.paged.first) if self.paged else ([], 0)
        top = self._first - len(self._before) + self.scroll_offset.y
        (self._before, self._after, self._over), self._first = self._rows(), first
        last = max(first, first + len(items) - 1)
        if self._edge and items:
            self.cursor = first if self._edge == "start" else last
        self.cursor = min(max(self.cursor, first), last)
        self.virtual_size = Size(self._room.width, len(self._before) + len(items) + len(self._after))
        row = self._row_of(top) if cursor_row is None else self._row_of(self.cursor) - cursor_row
        if self._edge:
            row = 0 if self._edge == "start" else self.max_scroll_y
        self._scroll(row)
        self._report()

    def _scroll(self, row: int) -> None:
        self._is_scrolling = True
        self.scroll_to(y=row, animate=False, immediate=True, force=True)
        self._is_scrolling = False
        self.refresh()

    def _report(self) -> None:
        """Tells the server what can be seen, if that is something else than before."""
        paged = self.paged
        if not paged or not paged.items or self.client.gone or not self._room.height:
            return
        top = max(0, self.scroll_offset.y - len(self._before))
        bottom = self.scroll_offset.y - len(self._before) + self._room.height - 1
        if top < len(paged.items) and bottom >= 0:
            visible = (paged.first + top, paged.first + min(bottom, len(paged.items) - 1))
            self.cursor = min(max(self.cursor, visible[0]), visible[1])
            if self._reported != (paged.generation, *visible):
                self._reported = (paged.generation, *visible)
                paged.visible(*visible)
                self._minded()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if not self._is_scrolling:  # A person did it, with the wheel or the bar.
            self._edge, self._hold = "", None
        self._report()

    def on_resize(self) -> None:
        self._show()

    def render_line(self, y: int) -> Strip:
        row = self.scroll_offset.y + y
        at, items = row - len(self._before), self.paged.items if self.paged else []
        name, text, over = "", "", y - self._room.height + len(self._over)
        if over >= 0:
            kind, text = self._over[over]
            name = "pagewire--" + kind
        elif at < 0:
            kind, text = self._before[row]
            name = "pagewire--" + kind
        elif at < len(items):
            text = self.line(items[at])
            name = "pagewire--cursor" if self._first + at == self.cursor else ""
        elif at - len(items) < len(self._after):
            kind, text = self._after[at - len(items)]
            name = "pagewire--" + kind
        style = self.get_component_rich_style(name) if name else self.rich_style
        return Strip([Segment(printable(text[: self._room.width * 4]), style)]).crop_extend(0, self._room.width, style)

    # What the keys do.

    def _move(self, cursor: int) -> None:
        """Puts the cursor on a position, and that on the screen."""
        self._edge, self._hold = "", None
        count = len(self.paged.items) if self.paged else 0
        self.cursor = min(max(cursor, self._first), max(self._first, self._first + count - 1))
        row, top = self._row_of(self.cursor), self.scroll_offset.y
        if self.cursor == self._first:
            row = 0  # With what stands before the items.
        elif self.cursor == self._first + count - 1:
            row += len(self._after)
        self._scroll(min(row, max(top, row - self._room.height + 1)))
        self._minded()

    def action_go(self, by: int) -> None:
        self._move(self.cursor + by)

    def action_page(self, by: int) -> None:
        self._move(self.cursor + by * max(1, self._room.height - 1))

    def action_edge(self, edge: str) -> None:
        self._move(self._first if edge == "start" else self._first + (len(self.paged.items) if self.paged else 0))
        self._edge = edge
        self._show()

    def action_refresh_list(self) -> None:
        if self.problem:
            self.connect()
        else:
            self._ask("refresh")

    def action_retry(self) -> None:
        """The way on after an error or a pause: the same page is tried again, and waiting for that ends."""
        if self.problem or not self.paged:
            self.connect()
        elif self.paged.items and "refresh" in self.paged.errors and not {"more", "previous"} & set(self.paged.errors):
            self._ask("refresh")
        else:
            self._ask("loadPrevious" if "previous" in self.paged.errors else "loadMore")

    def action_select(self) -> None:
        if self.paged and 0 <= self.cursor - self._first < len(self.paged.items):
            self.post_message(self.Selected(self.paged.items[self.cursor - self._first], self.cursor))
        else:
            self.action_retry()

    def action_reconnect(self) -> None:
        if self.problem:
            self.connect()

    def on_click(self, event: events.Click) -> None:
        at = self.scroll_offset.y + event.y - len(self._before)
        if 0 <= at < len(self.paged.items if self.paged else []):
            self._move(self._first + at)
        else:
            self.action_retry()
