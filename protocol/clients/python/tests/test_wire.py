"""Frames, exact text and lists, without a server."""

import json

import pytest

from pagewire import Failure, Frames, PagedList, frame

BODIES = [b"{}", b"", '{"a":"\u2028 \u00e9"}'.encode(), b"x" * 70_000]
STREAM = b"".join(frame(body) for body in BODIES)


def fed(pieces):
    frames = Frames()
    bodies = [body for piece in pieces for body in frames.feed(piece)]
    assert frames.pending == b""
    return bodies


def test_a_stream_may_be_cut_anywhere():
    assert fed([STREAM]) == BODIES
    assert fed([STREAM[at : at + 1] for at in range(len(STREAM))]) == BODIES
    for cut in range(len(STREAM) - 70_000):
        assert fed([STREAM[:cut], STREAM[cut:]]) == BODIES


@pytest.mark.parametrize(
    "bad",
    [
        b"content-length: 2\r\n\r\n{}",
        b"Content-Length:2\r\n\r\n{}",
        b"Content-Length: 02\r\n\r\n{}",
        b"Content-Length: \r\n\r\n",
    ]
    + [b"Content-Length: -2\r\n\r\n{}", b"Content-Length: 2\n\n{}" + b" " * 64, b"Content-Length: " + b"1" * 64, b"{}"]
    + [b"\r\nContent-Length: 2\r\n\r\n{}", b"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}"],
)
def test_a_frame_has_one_form(bad):
    for pieces in ([bad], [frame("{}") + bad], [bad[at : at + 1] for at in range(len(bad))]):
        with pytest.raises(ValueError):
            fed(pieces)


def test_half_a_frame_is_none():
    frames = Frames()
    assert list(frames.feed(frame("{}") + b"Content-Length: 5\r\n\r\n{")) == [b"{}"]
    assert frames.pending


def page(items, start, **members):
    facts = {"phase": "items", "hasMore": True, "hasPrevious": False, "paused": False}
    return {"generation": 1, "start": start, "items": items, "ids": items, "replaces": False, **facts, **members}


def loading(kind, **members):
    facts = {"phase": "items", "hasMore": True, "hasPrevious": False, "paused": False} if members else {}
    return {"kind": kind, "isLoading": not members, **facts, **members}


def new_list():
    paged = PagedList("s", {}, {})
    paged.receive("pageAppended", page(["c", "d"], 0))
    return paged


def test_a_list_grows_and_shrinks_at_both_ends():
    paged = new_list()
    paged.receive("pagePrepended", page(["a", "b"], -2))
    paged.receive("pageAppended", page(["e"], 2))
    assert (paged.first, paged.items) == (-2, ["a", "b", "c", "d", "e"])
    paged.receive("pagesDropped", {**page([], 0), "edge": "start", "from": -2, "to": -1})
    paged.receive("pagesDropped", {**page([], 0), "edge": "end", "from": 2, "to": 2})
    assert (paged.first, paged.items, paged.ids) == (0, ["c", "d"], ["c", "d"])
    paged.receive("pageAppended", page(["z"], 0, replaces=True, generation=2))
    assert (paged.first, paged.items, paged.generation) == (0, ["z"], 2)
    paged.receive(
        "cleared", {"generation": 3, "phase": "loadingFirst", "hasMore": True, "hasPrevious": False, "paused": False}
    )
    assert (paged.items, paged.generation, paged.phase) == ([], 3, "loadingFirst")


@pytest.mark.parametrize(
    "result, stands",
    [("failed", "new"), ("loaded", None), ("paused", None), ("cancelled", "old"), ("superseded", "old")],
)
def test_an_error_is_taken_down_while_its_load_runs_and_put_back_if_that_came_to_nothing(result, stands):
    paged = new_list()
    paged.receive("loading", loading("more"))
    paged.receive("loadFailed", {"kind": "more", "error": "old"})
    paged.receive("loading", loading("more", result="failed"))
    paged.receive("loading", loading("more"))
    assert (paged.errors, paged.loading) == ({}, {"more"})
    paged.receive("loadFailed", {"kind": "more", "error": "new"})
    paged.receive("loading", loading("more", result=result))
    assert (paged.errors.get("more") or {"error": None})["error"] == stands
    assert paged.loading == set()


@pytest.mark.parametrize("event", ["pageAppended", "cleared"])
def test_a_new_list_has_no_errors(event):
    paged = new_list()
    paged.receive("loadFailed", {"kind": "more", "error": "old"})
    paged.receive("loading", loading("refresh"))
    paged.receive(event, page(["n"], 0, replaces=True, generation=2))
    paged.receive("loading", loading("refresh", result="loaded"))
    assert paged.errors == {}


def test_what_a_later_version_adds_is_ignored():
    paged = new_list()
    paged.receive("itemPainted", {"kind": "more", "colour": "green"})
    paged.receive("loading", loading("more"))
    paged.receive("loading", loading("more", result="postponed"))
    assert (paged.errors, paged.loading, len(paged.items)) == ({}, set(), 2)


def test_a_failure_is_a_sentence():
    failure = Failure({"code": 1003, "message": "There is no such file."})
    assert (str(failure), failure.code, failure.data) == ("There is no such file.", 1003, {})


def test_messages_are_ascii_so_that_lone_surrogates_survive():
    assert json.loads(json.dumps("\ud800")) == "\ud800"
