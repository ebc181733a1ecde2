"""The front-end conformance kit, played to the Textual front end."""

import asyncio
import pathlib
import queue
import sys

import pytest
from test_textual import running

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "conformance"))
import kit

WORDS = {
    "loader": "Loading|Refreshing",
    "error": "\u2717 .*try again",
    "empty": "No items",
    "paused": "go on",
    "gone": "server ended.*R: try again",
    "wrongVersion": "speaks version",
}
KEYS = {"refresh": "r", "retry": "l", "toStart": "home", "toEnd": "end", "restart": "R"}


@pytest.mark.parametrize("name", kit.names())
async def test_scenario(name, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    loop, servers, screens = asyncio.get_running_loop(), queue.Queue(), queue.Queue()

    def start(run):
        servers.put(run.server)
        shown.append(screens.get(timeout=30))

    def do(action):
        """From the thread in which the kit plays, in the loop of the app."""
        return asyncio.run_coroutine_threadsafe(action(shown[0]), loop).result()

    async def text(screen):
        return "\n".join(screen.rows())

    def press(key):
        return lambda: do(lambda screen: screen.press(key))

    shown, actions = [], {action: press(key) for action, key in KEYS.items()}
    actions["quit"] = lambda: do(lambda screen: screen.app.client.close())
    playing = asyncio.ensure_future(asyncio.to_thread(kit.play, name, start, lambda: do(text), WORDS, actions))
    server = await asyncio.to_thread(servers.get, timeout=30)
    async with running({"type": "client"}, server, size=(100, 40)) as screen:
        screens.put(screen)
        await playing
