"""What holds for a whole conversation: one answer to each request, and each message fits its session's model."""

import json

from session_model import STATE_MEMBERS, SessionModel, check_error_name, require


class Conversation:
    """All sessions of one connection, and the requests in flight in both directions."""

    WAITING = ("loadMore", "loadPrevious", "refresh")

    def __init__(self):
        self.sessions = {}
        self.pending = {}
        self.server_requests = set()
        self.number = 0
        self.progress = {}

    def sent(self, raw_id, method, params):
        self.number += 1
        require(raw_id not in self.pending, "test bug: id %s is in flight", raw_id)
        self.pending[raw_id] = (self.number, method, params if isinstance(params, dict) else {})

    def received(self, message):
        if message.kind == "response":
            self._response(message)
        elif message.kind == "request":
            self._request(message)
        elif message.method == "$/cancelRequest":
            require(set(message.params) == {"id"}, "cancelRequest with %r", message.params)
        elif message.method == "$/progress":
            self._progress(**message.params)
        else:
            self._notification(message)

    def _progress(self, token, value):
        """`begin` once, then reports that only grow, then `end` once; `progress` has what was said last of each token."""
        token, kind = json.dumps(token), value["kind"]
        last = self.progress.get(token)
        is_new = last is None or last["kind"] == "end"
        require(is_new == (kind == "begin"), "%s of %s after %r", kind, token, last)
        if kind == "report":
            require(last["percentage"] < value["percentage"] <= 100, "%r after %r", value, last)
        self.progress[token] = value

    def _request(self, message):
        require(message.raw["id"] not in self.server_requests, "server request id %s twice", message.raw["id"])
        self.server_requests.add(message.raw["id"])
        if message.method != "fetchPage":
            return
        params = message.params
        members = {"session", "generation", "kind", "cursor", "page", "offset", "limit", "params"}
        require(members <= set(params), "fetchPage lacks %s", members - set(params))
        require(params["session"] in self.sessions, "fetchPage for %r, which is not open", params["session"])
        model = self.sessions[params["session"]]
        # A page that the window had dropped is asked for as it was first, so its kind may be of the other direction.
        loads = [model.loading.get(params["kind"])] if params["kind"] in model.loading else list(model.loading.values())
        windowed = model.settings.get("maxItems") is not None
        require(
            params["kind"] in model.loading or (loads and windowed), "fetchPage of kind %s, no load", params["kind"]
        )
        require(params["generation"] == loads[0].generation, "fetchPage of another generation")

    def _notification(self, message):
        name = message.params.get("session")
        require(name in self.sessions, "%s for %r, which is not open", message.method, name)
        self.sessions[name].receive(message)

    def _response(self, message):
        raw_id = message.raw["id"]
        require(raw_id in self.pending, "answer to %s, which nobody asked: %r", raw_id, message)
        number, method, params = self.pending.pop(raw_id)
        name = params.get("session")
        if method in ("close", "open") and "result" in message.members and isinstance(name, str):
            self._session_ends(name, number)
        if "error" in message.members:
            check_error_name(message["error"])
            return
        result = message["result"]
        if method == "open":
            require(set(STATE_MEMBERS) <= set(result), "open lacks %s", set(STATE_MEMBERS) - set(result))
            self.sessions[name] = SessionModel(result, self.sessions.get(name))
        elif method == "close":
            require(result is None, "close answers %r", result)
            self.sessions.pop(name, None)
        elif method == "sessions":
            told = {entry["session"]: entry["count"] for entry in result}
            known = {each: len(model.items) for each, model in self.sessions.items()}
            require(told == known, "sessions says %r, notifications %r", told, known)
        elif name in self.sessions:
            model = self.sessions[name]
            if method == "state":
                model.check_state(result)
            elif method in self.WAITING:
                model.check_outcome(method, result)
            elif method == "itemAppeared":
                model.check_decision(params, result)

    def _session_ends(self, name, number):
        for raw_id, (other, method, params) in self.pending.items():
            waits = other < number and method in self.WAITING and params.get("session") == name
            require(not waits, "%s of %s is unanswered after its session ended", method, raw_id)
