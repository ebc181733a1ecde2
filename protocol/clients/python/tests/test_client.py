"""The client that waits, against the release binary."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import NO_SERVERS

from pagewire import Client, Failure, Gone

SYNTHETIC = {"type": "synthetic", "count": 45}
LIMIT = 30


@pytest.fixture
def client():
    with Client() as client:
        yield client


def until(condition):
    deadline = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < deadline, "not within %d s" % LIMIT
        time.sleep(0.01)


def test_every_item_once(client):
    with_window = client.open({"type": "synthetic", "count": 20_000}, pageSize=500, maxItems=1000)
    assert [item["id"] for item in with_window] == list(range(20_000))
    assert len(with_window.items) <= 1500


def test_an_empty_list(client):
    empty = client.open({"type": "items", "items": []})
    assert list(empty) == [] and empty.phase == "empty"


def test_what_does_not_page_ends_the_loop(client):
    assert len(list(client.open(SYNTHETIC, canLoadMore=False))) == 20
    paused = client.open({"type": "synthetic", "count": 45, "emptyPages": [1]}, maxEmptyPages=1)
    assert len(list(paused)) == 20 and paused.paused
    assert len(list(paused)) == 45


def test_a_failed_load_is_raised_and_can_be_tried_again(client):
    source = {"type": "synthetic", "count": 45, "fail": [{"page": 1, "times": 1, "message": "The shelf is stuck."}]}
    stuck = client.open(source, retry={"retries": 0})
    with pytest.raises(Failure, match="The shelf is stuck.") as caught:
        list(stuck)
    assert caught.value.code == 1004 and stuck.errors["more"]["error"]["message"] == "The shelf is stuck."
    assert len(list(stuck)) == 45 and stuck.errors == {}


def test_a_list_that_is_refreshed_is_another(client):
    paged = client.open(SYNTHETIC)
    with pytest.raises(RuntimeError, match="refreshed"):
        for number, _ in enumerate(paged):
            if number == 5:
                paged.call("refresh")
    assert paged.generation == 2


def test_items_of_any_kind_come_exactly(client, tmp_path):
    lines = [
        '{"id":1.0,"a":"\\u2028 \u2028"}',
        '{"b":  12345678901234567890123 ,"b":2}',
        "1E400",
        '"\\ud800"',
        "9" * 5000,
    ]
    path = tmp_path / "items.jsonl"
    path.write_bytes("\r\n".join(lines).encode())
    source = {"type": "file", "path": str(path)}
    assert list(client.open(source, itemsAs="text")) == lines
    values = list(client.open(source))
    assert values[0] == {"id": 1.0, "a": "\u2028 \u2028"} and values[1] == {"b": 2}
    assert values[3] == "\ud800" and values[4] == "9" * 5000, "what Python makes no number of stays text"


def test_lines_keep_what_is_no_line_end(client, tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes("a\u2028b\r\nc\rd\n\ne".encode())
    assert [item["text"] for item in client.open({"type": "file", "path": str(path)})] == ["a\u2028b", "c\rd", "", "e"]


def test_deep_items_and_big_frames(client, tmp_path):
    path = tmp_path / "deep.jsonl"
    path.write_text("[" * 900 + "]" * 900 + "\n" + json.dumps("x" * 16_000_000) + "\n")
    deep, big = client.open({"type": "file", "path": str(path)})
    assert len(big) == 16_000_000 and isinstance(deep[0], list)
    echoed = client.open({"type": "items", "items": ["y" * 20_000_000]})
    assert [len(item) for item in echoed] == [20_000_000]


def test_pages_of_a_function(client):
    def fetch(params):
        first = params["cursor"] or 0
        last = min(first + params["limit"], 26)
        return {"items": [chr(97 + at) for at in range(first, last)], "next": last if last < 26 else None}

    assert "".join(client.open({"type": "client"}, fetch=fetch, pageSize=10)) == "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    "fault, message",
    [
        (OSError("The shelf is stuck."), "The shelf is stuck."),
        (Failure({"code": -32000, "message": "No.", "data": {"retryable": False}}), "No."),
        ({"items": [float("nan")]}, "JSON"),
        ({"items": [object()]}, "JSON"),
        ({"items": "none"}, "items"),
    ],
)
def test_a_function_that_fails(client, fault, message):
    def fetch(params):
        if isinstance(fault, Exception):
            raise fault
        return fault

    with pytest.raises(Failure, match=message):
        list(client.open({"type": "client"}, fetch=fetch, retry={"retries": 0}))


def test_a_slow_function_holds_up_nobody_else(client):
    release = threading.Event()

    def fetch(params):
        assert release.wait(LIMIT)
        return {"items": ["late"], "next": None}

    slow = client.open({"type": "client"}, fetch=fetch)
    assert len(list(client.open(SYNTHETIC))) == 45
    assert slow.items == []
    release.set()
    assert list(slow) == ["late"]


def test_many_threads_and_lists_share_a_server(client):
    found = {}

    def read(number):
        found[number] = len(list(client.open({"type": "synthetic", "count": 100 + number, "latencyMs": 1})))

    threads = [threading.Thread(target=read, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert found == {number: 100 + number for number in range(20)}


def test_requests_overlap_and_can_be_cancelled(client):
    slow = client.open({"type": "synthetic", "latencyMs": 60_000}, autoload=False)
    waiting = [client.request("loadMore", session=slow.session) for _ in range(2)]
    client.cancel(waiting[0])
    with pytest.raises(Failure) as caught:
        waiting[0].result(LIMIT)
    assert caught.value.code == -32800 and not waiting[1].done()
    slow.close()
    with pytest.raises(Failure):
        waiting[1].result(LIMIT)


def test_a_handler_is_told_in_order_and_may_not_wait(client, capsys):
    told = []

    def on_change(paged, method, params):
        told.append((method, params.get("isLoading")))
        if method == "pageAppended":
            client.call("sessions")

    paged = client.open(SYNTHETIC, on_change=on_change)
    paged.call("loadMore")
    assert told[:4] == [("open", None), ("loading", True), ("pageAppended", None), ("loading", False)]
    assert "a handler cannot wait" in capsys.readouterr().err
    assert len(client.call("sessions")) == 1, "and the connection goes on"


def test_a_closed_list_is_closed(client):
    paged = client.open(SYNTHETIC)
    paged.close()
    assert client.call("sessions") == [] and client.lists == {}
    with pytest.raises(Failure) as caught:
        paged.call("state")
    assert caught.value.code == 1001


def test_a_refused_source_leaves_nothing_behind(client):
    with pytest.raises(Failure, match="nowhere.txt") as caught:
        client.open({"type": "file", "path": "nowhere.txt"})
    assert caught.value.code == 1003 and client.lists == {}
    with pytest.raises(Failure) as caught:
        client.open({"type": "file", "path": "x", "form": "lines"})
    assert caught.value.data["pointer"] == "/source/form"
    assert len(list(client.open(SYNTHETIC))) == 45


def test_a_server_that_is_killed(client):
    told, changes = [], []
    client.on_gone = told.append
    paged = client.open(
        {"type": "synthetic", "count": 1000}, on_change=lambda paged, method, params: changes.append(method)
    )
    for number, item in enumerate(paged):
        if number == 150:
            break
    paged.remember(150)
    waiting = client.request("loadMore", session=client.open({"type": "synthetic", "latencyMs": 60_000}).session)
    os.kill(client.pipes.process.pid, signal.SIGKILL)
    with pytest.raises(Gone, match="The pagewire server ended by signal 9."):
        waiting.result(LIMIT)
    until(lambda: told)
    with pytest.raises(Gone):
        client.call("sessions")
    assert len(told) == 1 and changes[-1] == "gone" and paged.items[150] == item, "what was there is still shown"
    client.start()
    until(lambda: paged.items and "initial" not in paged.loading)
    assert item in paged.items and paged.has_previous, "it comes back where it was"
    assert len(client.lists) == 2 == len(client.call("sessions"))


def test_a_place_is_found_again_by_another_process():
    with Client() as client:
        paged = client.open({"type": "synthetic", "count": 1000}, autoload=False)
        for _ in range(5):
            paged.call("loadMore")
        paged.remember(77)
        assert paged.token
    with Client() as client:
        again = client.open({"type": "synthetic", "count": 1000}, autoload=False, resume=paged.token)
        again.call("loadMore")
        assert 77 in again.ids and again.has_previous


def test_a_list_without_items_has_no_place_and_keeps_the_one_it_had(client):
    paged = client.open(SYNTHETIC, autoload=False, resume="an old token")
    paged.remember(None)
    assert paged.token == "an old token"


@pytest.mark.parametrize("name", NO_SERVERS)
def test_what_is_no_server(program, name):
    text, message = NO_SERVERS[name]
    client = Client(program(text))
    with pytest.raises(Gone) as caught:
        client.start()
    assert message in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(Gone):
        client.call("sessions")
    client.close()


def test_no_server_at_all(monkeypatch, tmp_path):
    monkeypatch.delenv("PAGEWIRE")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Gone, match="There is no pagewire server"):
        Client().start()
    with pytest.raises(Gone, match="cannot be started: No such file or directory"):
        Client(str(tmp_path / "none")).start()
    with pytest.raises(Gone, match="cannot be started: Permission denied"):
        Client(str(tmp_path)).start()


def test_a_client_that_was_not_started():
    with pytest.raises(Gone, match="not started"):
        Client().call("sessions")
    Client().close()


def test_a_handler_that_fails_keeps_nothing_from_the_others(capsys):
    told = []

    def broken(*_):
        raise LookupError("This handler is broken.")

    with Client() as client:
        client.on_gone = told.append
        lists = [client.open(SYNTHETIC, on_change=broken)]
        lists.append(client.open(SYNTHETIC, on_change=lambda paged, method, params: told.append(method)))
        assert [len(list(paged)) for paged in lists] == [45, 45]
        client.pipes.kill()
        until(lambda: client.gone in told)
        assert "gone" in told
    assert "This handler is broken." in capsys.readouterr().err


@pytest.mark.parametrize("message", ["[]", "7", '{"id":1}', '{"method":"loading","params":[7]}'])
def test_a_server_that_writes_json_that_is_no_message(program, message):
    text = "import sys; sys.stdin.buffer.readline(); print('Content-Length: %d\\r\\n\\r\\n%s', end='', flush=True)"
    client = Client(program((text + "; sys.stdin.read()") % (len(message), message)))
    with pytest.raises(Gone) as caught:
        client.start()
    assert "It wrote what is no message" in str(caught.value)


def test_a_server_on_the_path(monkeypatch, tmp_path, binary):
    (tmp_path / "pagewire").symlink_to(binary)
    monkeypatch.delenv("PAGEWIRE")
    monkeypatch.setenv("PATH", str(tmp_path))
    with Client() as client:
        assert "synthetic" in client.capabilities["sources"]


def test_a_server_that_is_silent_is_given_up(program, monkeypatch):
    monkeypatch.setattr("pagewire._client.SECONDS_TO_ANSWER", 0.2)
    monkeypatch.setattr("pagewire._client.SECONDS_TO_END", 0.2)
    client = Client(program("import time; time.sleep(600)"))
    with pytest.raises(Gone, match="it does not answer"):
        client.start()
    assert client.pipes.process.poll() is not None


def test_the_end_is_quick_and_leaves_nothing():
    client = Client().start()
    client.open({"type": "synthetic", "latencyMs": 600_000})
    client.close()
    client.close()
    assert client.pipes.process.poll() == 0 and not any(thread.is_alive() for thread in client.pipes.threads)


def test_a_program_that_ends_takes_its_server_along():
    text = "import os, pagewire; print(pagewire.Client().start().pipes.process.pid, flush=True); os._exit(1)"
    pid = int(subprocess.run([sys.executable, "-c", text], capture_output=True, timeout=LIMIT, check=False).stdout)
    until(lambda: not os.path.exists("/proc/%d/stat" % pid))
