"""Reads what the server wrote without letting anything slip: frames in their one form, JSON in its strict one."""

import json
import os
import sys
import threading

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "protocol", "clients", "python", "src")
sys.path.insert(0, LIBRARY)

from pagewire import Frames, frame  # noqa: E402,F401 (frame is used by tests)

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
threading.stack_size(64 * 1024 * 1024)

BLANKS = " \t\r\n"


class ProtocolViolation(AssertionError):
    """The server wrote something that the protocol forbids."""


def _no_constant(name):
    raise ProtocolViolation("not JSON: " + name)


_decoder = json.JSONDecoder(parse_constant=_no_constant)


def _skip(text, at):
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def _value(text, at):
    at = _skip(text, at)
    try:
        value, end = _decoder.raw_decode(text, at)
    except (ValueError, IndexError) as error:
        raise ProtocolViolation("not JSON at %d: %s in %r" % (at, error, text[max(0, at - 40) : at + 40]))
    return value, text[at:end], _skip(text, end)


def object_members(text):
    """The members of the one object in `text`, each as (value, exact text)."""
    at = _skip(text, 0)
    if text[at : at + 1] != "{":
        raise ProtocolViolation("not an object: %r" % text[:80])
    at = _skip(text, at + 1)
    members = {}
    if text[at : at + 1] == "}":
        at += 1
    else:
        while True:
            key, _, at = _value(text, at)
            if not isinstance(key, str) or text[at : at + 1] != ":":
                raise ProtocolViolation("no member at %d in %r" % (at, text[:80]))
            value, raw, at = _value(text, at + 1)
            if key in members:
                raise ProtocolViolation("member %r twice in %r" % (key, text[:200]))
            members[key] = (value, raw)
            at += 1
            if text[at - 1 : at] == "}":
                break
            if text[at - 1 : at] != ",":
                raise ProtocolViolation("no comma at %d in %r" % (at - 1, text[:80]))
            at = _skip(text, at)
    if _skip(text, at) != len(text):
        raise ProtocolViolation("text after the value: %r" % text[at : at + 80])
    return members


def array_elements(text):
    """The exact text of each element of the array in `text`."""
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        raise ProtocolViolation("not an array: %r" % text[:80])
    at = _skip(text, at + 1)
    elements = []
    if text[at : at + 1] == "]":
        return elements
    while True:
        _, raw, at = _value(text, at)
        elements.append(raw)
        if text[at : at + 1] == "]":
            return elements
        at = _skip(text, at + 1)


def dumps(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class StrictFrames:
    """Cuts a byte stream into bodies; anything but `Content-Length: N\\r\\n\\r\\n` and N bytes is a violation."""

    def __init__(self):
        self.frames = Frames()

    def feed(self, data):
        try:
            return list(self.frames.feed(data))
        except ValueError as error:
            raise ProtocolViolation("stdout holds something that is no frame: %s" % error)

    def finish(self):
        if self.frames.pending:
            raise ProtocolViolation("stdout ended inside a frame: %r" % bytes(self.frames.pending[:80]))


def batch_or_message(body):
    """The texts of the messages in a body: one, or those of a batch."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolViolation("not UTF-8: %s" % error)
    if not text.startswith("["):
        return [text]
    elements = array_elements(text)
    if not elements:
        raise ProtocolViolation("an empty batch was written")
    return elements


class Message:
    """One message from the server. `raw` holds the exact text of each top-level member."""

    def __init__(self, text):
        self.text = text
        members = object_members(text)
        self.raw = {key: raw for key, (_, raw) in members.items()}
        self.members = {key: value for key, (value, _) in members.items()}
        self._check_shape()

    def _check_shape(self):
        keys = set(self.members)
        if self.members.get("jsonrpc") != "2.0":
            raise ProtocolViolation("jsonrpc is not 2.0: " + self.text[:200])
        if "method" in keys:
            self.kind = "request" if "id" in keys else "notification"
            allowed = {"jsonrpc", "method", "params"} | ({"id"} if "id" in keys else set())
            if not isinstance(self.members["method"], str) or not isinstance(self.members.get("params"), dict):
                raise ProtocolViolation("method or params have the wrong type: " + self.text[:200])
            if "id" in keys and not isinstance(self.members["id"], (str, int)):
                raise ProtocolViolation("id of a server request: " + self.text[:200])
        else:
            self.kind = "response"
            allowed = {"jsonrpc", "id", "error" if "error" in keys else "result"}
            if "error" in keys:
                self._check_error(self.members["error"])
        if keys != allowed:
            raise ProtocolViolation("members %s, expected %s: %s" % (sorted(keys), sorted(allowed), self.text[:200]))

    def _check_error(self, error):
        if not isinstance(error, dict) or not set(error) <= {"code", "message", "data"}:
            raise ProtocolViolation("error has the wrong members: " + self.text[:300])
        if not isinstance(error.get("code"), int) or not isinstance(error.get("message"), str):
            raise ProtocolViolation("error without code or message: " + self.text[:300])
        if not error["message"]:
            raise ProtocolViolation("error without a sentence: " + self.text[:300])

    def __getitem__(self, key):
        return self.members[key]

    def get(self, key, otherwise=None):
        return self.members.get(key, otherwise)

    @property
    def method(self):
        return self.members.get("method")

    @property
    def params(self):
        return self.members.get("params")

    def __repr__(self):
        return self.text if len(self.text) < 300 else self.text[:300] + "..."
