"""The Textual front end, driven by Textual's pilot, against the release binary."""

import fcntl
import json
import os
import pty
import select
import signal
import stat
import struct
import subprocess
import sys
import termios

import pytest
from conftest import NO_SERVERS

from pagewire.textual import PagewireApp, main
from pagewire.textual.app import Place, source_of
from pagewire.textual.list import printable

ROWS = 14
LOOKS = int(os.environ.get("LOOKS", "1500"))


class Screen:
    """A running app: what is on its screen, and what a person does."""

    def __init__(self, app, pilot):
        self.app, self.pilot, self.list = app, pilot, app.list

    def rows(self):
        """The rows of the list, as text."""
        with self.app._context():
            strips = self.app.screen._compositor.render_strips()
        return [strip.crop(0, self.list._room.width).text.rstrip() for strip in strips][1:-1]

    def cursor(self):
        row = self.list._row_of(self.list.cursor) - self.list.scroll_offset.y
        return self.rows()[row] if 0 <= row < ROWS else None

    async def until(self, condition, what=""):
        for _ in range(LOOKS):
            if condition():
                return
            await self.pilot.pause(0.02)
        shown = "\n".join(self.rows())
        raise AssertionError("not within 30 s: %s; the cursor is at %r in\n%s" % (what, self.cursor(), shown))

    async def shows(self, text):
        await self.until(lambda: any(text in row for row in self.rows()), "%r on the screen" % text)

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.pilot.pause()

    @property
    def paged(self):
        return self.list.paged


@pytest.fixture(autouse=True)
def state_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def running(source, command=None, is_fresh=False, size=(60, ROWS + 2), **settings):
    """An app in a terminal of this size, as a context."""

    class Running:
        async def __aenter__(self):
            app = PagewireApp(source, command, is_fresh, **settings)
            self.context = app.run_test(size=size)
            return Screen(app, await self.context.__aenter__())

        async def __aexit__(self, *error):
            await self.context.__aexit__(*error)

    return Running()


def synthetic(count=1000, **members):
    return {"type": "synthetic", "count": count, **members}


async def test_a_list_loads_as_it_is_scrolled():
    async with running(synthetic(300), pageSize=20, prefetchThreshold=3) as screen:
        await screen.shows("Item 13")
        assert screen.rows()[0].startswith("Item 0") and len(screen.paged.items) == 20
        await screen.press("down", "down", "j", "k", "pagedown")
        assert screen.cursor() == "Item 15" and len(screen.paged.items) == 20
        await screen.press("down")
        await screen.until(lambda: len(screen.paged.items) == 40)
        await screen.press("end")
        await screen.shows("Item 299")
        await screen.until(lambda: screen.cursor() == "Item 299" and not screen.paged.has_more)
        await screen.press("home")
        await screen.until(lambda: screen.cursor() == "Item 0" and screen.rows()[0].startswith("Item 0"))


async def test_a_loader_is_shown_exactly_while_a_page_loads():
    release = {"type": "synthetic", "count": 60, "latencyMs": 700}
    async with running(release, pageSize=20, prefetchThreshold=0) as screen:
        await screen.shows("Loading\u2026")
        await screen.shows("Item 0")
        assert not any("Loading" in row for row in screen.rows())
        await screen.press("end")
        await screen.shows("Loading\u2026")
        assert screen.rows()[-1].startswith("Loading") and screen.rows()[-2].startswith("Item ")
        await screen.until(lambda: not screen.paged.has_more and not screen.paged.loading)
        await screen.shows("Item 59")
        assert not any("Loading" in row for row in screen.rows())


async def test_an_empty_list_says_so():
    async with running({"type": "items", "items": []}) as screen:
        await screen.shows("No items.")
        await screen.press("down", "end", "home", "enter", "r")
        await screen.shows("No items.")


async def test_an_error_of_the_first_page_is_shown_in_its_place_and_retried():
    fail = [{"page": 0, "times": 2, "message": "The shelf is stuck."}]
    async with running(synthetic(fail=fail), retry={"retries": 0}) as screen:
        await screen.shows("\u2717 The shelf is stuck.  (l: try again)")
        await screen.press("enter")
        await screen.until(lambda: screen.paged.errors and not screen.paged.loading)
        await screen.shows("The shelf is stuck.")
        await screen.press("l")
        await screen.shows("Item 0")
        assert not any("\u2717" in row for row in screen.rows())


async def test_an_error_at_the_end_keeps_the_items_and_is_retried():
    fail = [{"page": 1, "times": 1, "message": "The shelf is stuck."}]
    async with running(synthetic(30, fail=fail), pageSize=20, retry={"retries": 0}) as screen:
        await screen.press("end")
        await screen.shows("The shelf is stuck.")
        assert screen.rows()[-2].startswith("Item 19"), "the error stands below the last item"
        await screen.press("l")
        await screen.shows("Item 29")
        assert screen.paged.errors == {}


async def test_an_error_that_is_retried_by_itself_says_so():
    fail = [{"page": 1, "times": 1, "message": "The shelf is stuck."}]
    retry = {"retries": 1, "initialDelayMs": 600_000, "maxDelayMs": 600_000}
    async with running(synthetic(30, fail=fail), pageSize=20, retry=retry) as screen:
        await screen.press("end")
        await screen.shows("The shelf is stuck.  Loading again\u2026  (l: now)")
        await screen.press("l")
        await screen.shows("Item 29")


async def test_a_pause_offers_to_go_on():
    async with running(synthetic(30, emptyPages=[1]), pageSize=20, maxEmptyPages=1) as screen:
        await screen.press("end")
        await screen.shows("Nothing new was found.  (l: go on)")
        await screen.press("l")
        await screen.shows("Item 29")


async def test_a_refresh_shows_what_is_new_and_a_failed_one_keeps_the_list(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("".join("line %d\n" % number for number in range(500)))
    async with running({"type": "file", "path": str(path)}) as screen:
        await screen.shows("line 0")
        path.write_text("".join("new %d\n" % number for number in range(500)))
        await screen.press("pagedown", "r")
        await screen.shows("new 0")
        assert screen.paged.generation == 2 and not any("line" in row for row in screen.rows())
        path.unlink()
        await screen.press("pagedown", "r")
        await screen.shows("\u2717 ")
        assert any("new " in row for row in screen.rows()), "the items stay"
        path.write_text("back\n")
        await screen.press("r")
        await screen.shows("back")


async def test_a_refresh_comes_back_to_the_item_under_the_cursor():
    async with running(synthetic(insertAtHeadPerPage=3), pageSize=50) as screen:
        await screen.shows("Item 0")
        await screen.press(*["down"] * 20)
        await screen.until(lambda: screen.list._remembered == 20)
        await screen.press("r")
        await screen.until(lambda: screen.paged.generation == 2 and screen.cursor() == "Item 20")


async def test_a_million_items_with_few_in_memory():
    async with running(synthetic(1_000_000), pageSize=1000) as screen:
        await screen.shows("Item 0")
        sizes, changed = [], screen.paged.on_change
        screen.paged.on_change = lambda *told: (sizes.append(len(screen.paged.items)), changed(*told))
        await screen.press("end")
        await screen.until(lambda: screen.paged.first > 50_000)
        await screen.press("up")
        assert max(sizes) <= 3000 and len(sizes) > 100
        await screen.until(lambda: not screen.paged.loading)
        first = int(screen.cursor().split()[1])
        await screen.press(*["pageup"] * 100)
        await screen.until(lambda: int(screen.cursor().split()[1]) == first - 100 * (ROWS - 1))


async def test_what_comes_before_moves_nothing_on_the_screen():
    async with running(synthetic(1000, start=500), pageSize=20, prefetchThreshold=2, maxItems=100) as screen:
        await screen.until(lambda: screen.paged and screen.paged.first < 0)
        assert screen.rows()[0].startswith("Item 500"), "the page before was added above the screen"
        await screen.press("up")
        assert screen.cursor() == "Item 499"
        while screen.cursor() != "Item 0":
            await screen.press("pageup")
            numbers = [int(row.split()[1]) for row in screen.rows() if row.startswith("Item")]
            assert numbers == list(range(numbers[0], numbers[0] + ROWS)), "nothing is lost or comes twice"
        assert len(screen.paged.items) <= 140


async def test_a_log_is_opened_at_its_end_followed_and_scrolled_back(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("".join("line %d\n" % number for number in range(5000)))
    source = {"type": "file", "path": str(path), "from": "end", "follow": True}
    async with running(source) as screen:
        await screen.shows("line 4999")
        assert screen.rows()[-1].startswith("line 4999")
        with path.open("a") as stream:
            stream.write("news\n")
        await screen.shows("news")
        assert screen.rows()[-1].startswith("news"), "the end stays in view"
        await screen.press("up", *["pageup"] * 40)
        await screen.shows("line %d" % (4999 - 40 * (ROWS - 1)))
        with path.open("a") as stream:
            stream.write("more news\n")
        await screen.press("home")
        await screen.shows("line 0")
        await screen.press("end")
        await screen.shows("more news")


async def test_the_place_is_found_again_after_a_restart_of_the_program(tmp_path):
    async with running(synthetic(10_000)) as screen:
        await screen.shows("Item 0")
        await screen.press(*["pagedown"] * 30)
        place = 30 * (ROWS - 1)
        await screen.until(lambda: screen.list._remembered == place and screen.app.place.read() == screen.paged.token)
    assert stat.S_IMODE(screen.app.place.path.parent.stat().st_mode) == 0o700
    async with running(synthetic(10_000)) as screen:
        await screen.until(lambda: screen.paged and screen.paged.items and screen.cursor() == "Item %d" % place)
        await screen.press("up")
        await screen.until(lambda: screen.cursor() == "Item %d" % (place - 1))
    async with running(synthetic(10_000), is_fresh=True) as screen:
        await screen.until(lambda: screen.paged and screen.paged.items and screen.cursor() == "Item 0")
    async with running(synthetic(9999)) as screen:
        await screen.until(lambda: screen.paged and screen.paged.items and screen.cursor() == "Item 0")


async def test_a_server_that_is_killed_is_started_again_in_place():
    async with running(synthetic(10_000)) as screen:
        await screen.shows("Item 0")
        await screen.press(*["pagedown"] * 30, "up", "up")
        place = 30 * (ROWS - 1) - 2
        await screen.until(lambda: screen.list._remembered == place)
        before = screen.rows()
        os.kill(screen.app.client.pipes.process.pid, signal.SIGKILL)
        await screen.shows("\u2717 The pagewire server ended by signal 9.  (R: try again)")
        assert screen.rows()[:-1] == before[:-1], "what was there can still be read"
        await screen.press("down", "up", "end", "home", "r")
        await screen.until(lambda: not screen.app.client.gone and screen.paged.items and not screen.paged.loading)
        assert not any("\u2717" in row for row in screen.rows())


async def test_restarting_comes_back_to_the_same_screen():
    async with running(synthetic(10_000)) as screen:
        await screen.shows("Item 0")
        await screen.press(*["pagedown"] * 30, "up", "up")
        await screen.until(lambda: screen.list._remembered == 30 * (ROWS - 1) - 2)
        before = screen.rows()
        screen.app.client.pipes.kill()
        await screen.shows("\u2717")
        await screen.press("R")
        await screen.until(lambda: screen.rows() == before, "the screen as it was")


@pytest.mark.parametrize("name", NO_SERVERS)
async def test_what_is_no_server_is_said_and_can_be_put_right(program, binary, name):
    path = program(NO_SERVERS[name][0], "pagewire")
    async with running(synthetic(), path, size=(110, ROWS + 2)) as screen:
        await screen.shows("again)")
        assert NO_SERVERS[name][1] in " ".join(row.strip() for row in screen.rows())
        await screen.press("down", "r", "l", "enter")
        await screen.shows("again)")
        os.remove(path)
        os.symlink(binary, path)
        await screen.press("R")
        await screen.shows("Item 0")


async def test_no_server_at_all(tmp_path):
    async with running(synthetic(), str(tmp_path / "none"), size=(120, 9)) as screen:
        await screen.shows("cannot be started")


async def test_a_refused_source_is_said_and_can_be_put_right(tmp_path):
    path = tmp_path / "later.txt"
    async with running({"type": "file", "path": str(path)}, size=(120, ROWS + 2)) as screen:
        await screen.shows("later.txt")
        assert screen.rows()[0].startswith("\u2717")
        path.write_text("here\n")
        await screen.press("r")
        await screen.shows("here")
        assert len(await screen.app.client.call("sessions")) == 1


async def test_several_lists_share_a_server_and_a_removed_one_closes_its_session():
    from pagewire.textual import PagewireList

    async with running(synthetic()) as screen:
        await screen.shows("Item 0")
        other = PagewireList(screen.app.client, synthetic(50), id="other")
        await screen.app.mount(other)
        await screen.until(lambda: other.paged and other.paged.items)
        assert len(await screen.app.client.call("sessions")) == 2
        await other.remove()
        assert len(await screen.app.client.call("sessions")) == 1


async def test_text_that_would_take_over_the_terminal_is_shown_harmlessly(tmp_path):
    path = tmp_path / "evil.jsonl"
    items = [
        "\x1b[2J\x1b]0;owned\x07",
        "\ud800",
        "a\u2028b\r\nc\td",
        "\u202egnp.exe",
        "\u4f60\u597d" * 40,
        {"text": "x" * 5000},
        None,
    ]
    path.write_text("\n".join(map(json.dumps, items)))
    async with running({"type": "file", "path": str(path)}) as screen:
        await screen.shows("null")
        text = "".join(screen.rows())
        assert text.isprintable() and "\x1b" not in text
        text.encode()
        assert "a\N{REPLACEMENT CHARACTER}b" in text
    assert printable("\u00e9\u4f60 ok") == "\u00e9\u4f60 ok"


async def test_the_mouse_moves_the_view_and_the_cursor_follows():
    async with running(synthetic()) as screen:
        await screen.shows("Item 0")
        await screen.until(lambda: screen.list.show_vertical_scrollbar)
        screen.list.scroll_to(y=50, animate=False)
        await screen.until(lambda: screen.cursor() == "Item 50")
        await screen.pilot.click(screen.list, offset=(3, 5))
        await screen.until(lambda: screen.cursor() == "Item 55")


async def test_a_terminal_that_changes_its_size():
    async with running(synthetic(), pageSize=20, prefetchThreshold=3) as screen:
        await screen.shows("Item 0")
        await screen.pilot.resize_terminal(30, 42)
        await screen.until(lambda: any(row.startswith("Item 39") for row in screen.rows()), "rows that are visible now")
        await screen.pilot.resize_terminal(20, 4)
        await screen.until(lambda: len(screen.rows()) == 2)


def test_what_the_command_line_names(capsys):
    assert source_of("a.log") == {"type": "file", "path": "a.log"}
    assert source_of("https://example.org/x") == {"type": "http", "url": "https://example.org/x"}
    assert source_of('{"type":"synthetic"}') == {"type": "synthetic"}
    for bad in (["{"], [], ["a", "--", "b"]):
        with pytest.raises(SystemExit) as caught:
            main(bad)
        assert caught.value.code == 2
    assert "no valid JSON" in capsys.readouterr().err


def test_a_place_that_cannot_be_kept_is_no_reason_to_stop(monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    place = Place(synthetic())
    place.write("token")
    assert place.read() is None


def test_the_program_in_a_terminal(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("".join("line %d\n" % number for number in range(5000)))
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [os.path.join(os.path.dirname(sys.executable), "pagewire-textual"), str(path)]
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=environment)
    os.close(inside)

    def shown(text):
        seen = b""
        while text not in seen:
            assert select.select([terminal], [], [], 30)[0], seen
            seen += os.read(terminal, 65536)

    shown(b"line 19")
    os.write(terminal, b"G")
    shown(b"line 4999")
    os.write(terminal, b"q")
    assert process.wait(30) == 0
    os.close(terminal)
