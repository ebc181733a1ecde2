"""A session as a front end sees it, built only from what the server says, and compared with each message.

Order of notifications, positions, generations, facts and decisions are checked here on every run of every test; tests
compare the model with the truth.
"""

from strict_json import ProtocolViolation

FACTS = ("count", "hasMore", "hasPrevious", "paused", "phase")
PHASES = ("items", "failedFirst", "loadingFirst", "empty", "idle")
KINDS = ("initial", "more", "previous", "refresh")
RESULTS = ("loaded", "failed", "cancelled", "superseded", "paused")
OUTCOMES = ("loaded", "ended", "coalesced", "superseded", "disabled", "paused")
STATE_MEMBERS = FACTS[:4] + (
    "session",
    "generation",
    "phase",
    "first",
    "last",
    "pages",
    "loading",
    "error",
    "scrolledID",
    "total",
    "pendingRetryInMs",
    "settings",
    "presentation",
    "source",
)


ERROR_NAMES = {
    -32700: "parseError",
    -32600: "invalidRequest",
    -32601: "methodNotFound",
    -32602: "invalidParams",
    -32603: "internalError",
    -32800: "requestCancelled",
    1001: "sessionNotFound",
    1002: "sessionExists",
    1003: "sourceUnavailable",
    1004: "loadFailed",
    1005: "sourceChanged",
    1006: "cursorCycle",
    1007: "timeout",
    1008: "limitExceeded",
    1009: "refused",
    1010: "badPage",
}


def identity(value):
    """Ids are equal when their JSON values are: `"1"` is not `1`, and true is no number."""
    return (type(value).__name__, value)


def require(condition, text, *args):
    if not condition:
        raise ProtocolViolation(text % args if args else text)


def found_id(item, path):
    """The id of an item at a JSON Pointer, or None: a string, or an integer."""
    value = item
    for part in path.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and str(int(part)) == part and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value if type(value) in (str, int) else None


def check_error_name(error):
    """Every error has a code of the list and carries its name in `data`."""
    require(error["code"] in ERROR_NAMES, "unknown error code %r", error)
    name = error.get("data", {}).get("name")
    require(name == ERROR_NAMES[error["code"]], "error %d is named %r", error["code"], name)


class Load:
    def __init__(self, generation):
        self.generation = generation
        self.latched_before = False
        self.pages = 0
        self.empty_pages = 0
        self.failures = 0
        self.gave_up = False
        self.cleared = False


class SessionModel:
    """A session as a front end sees it."""

    def __init__(self, state, previous=None):
        self.name = state["session"]
        self.settings = state["settings"]
        self.generation = state["generation"]
        if previous is not None:
            require(self.generation > previous.generation, "replaced session %s: generation went back", self.name)
        require(state["count"] == 0 and state["first"] is None and state["last"] is None, "open with items")
        require(state["hasMore"] is True and state["hasPrevious"] is False, "open: hasMore or hasPrevious")
        self.highest_number = self.generation
        self.items = []
        self.ids = []
        self.known = set()
        self.first = 0
        self.next_page = 0
        self.loading = {}
        self.latched = False
        self.facts = {name: state[name] for name in FACTS}
        self.history = []
        self.duplicates = 0
        self.scroll_to = None

    # What a front end would ask of its list.

    @property
    def last(self):
        return self.first + len(self.items) - 1

    def position_of(self, wanted):
        for index, value in enumerate(self.ids):
            if value is not None and identity(value) == identity(wanted):
                return self.first + index
        return None

    # Notifications.

    def receive(self, message):
        params = message.params
        self.history.append((message.method, params))
        handler = getattr(self, "_on_" + message.method, None)
        require(handler is not None, "unknown notification %s", message.method)
        handler(params, message)

    def _check_facts(self, params, method):
        for name in FACTS:
            require(name in params, "%s of %s lacks the fact %s", method, self.name, name)
        self.facts = {name: params[name] for name in FACTS}
        require(
            params["count"] == len(self.items), "%s: count %s, list holds %d", method, params["count"], len(self.items)
        )
        require(params["phase"] in PHASES, "%s: phase %s", method, params["phase"])
        require(
            (params["phase"] == "items") == bool(self.items),
            "%s: phase %s with %d items",
            method,
            params["phase"],
            len(self.items),
        )
        for name in ("hasMore", "hasPrevious", "paused"):
            require(isinstance(params[name], bool), "%s: %s is no boolean", method, name)

    def _on_loading(self, params, message):
        kind, generation = params["kind"], params["generation"]
        require(kind in KINDS, "loading of kind %r", kind)
        if params["isLoading"] is True:
            require("result" not in params, "loading true with a result")
            self._load_starts(kind, generation)
            return
        require(params["isLoading"] is False, "isLoading is no boolean")
        require(params.get("result") in RESULTS, "loading false with result %r", params.get("result"))
        require(kind in self.loading, "%s: loading false of %s without true", self.name, kind)
        load = self.loading.pop(kind)
        require(generation == load.generation, "loading false of another generation than true")
        result = params["result"]
        if result == "loaded":
            require(load.pages >= 1, "%s: loading ended as loaded after %d pages", self.name, load.pages)
        if result in ("cancelled", "superseded"):
            require(load.pages == load.empty_pages, "%s: loading ended as %s after a page", self.name, result)
            # What is rolled back leaves the latch as it was.
            if kind in ("initial", "more"):
                self.latched = load.latched_before
        if result == "failed":
            require(load.gave_up, "%s: loading ended as failed without loadFailed", self.name)
            if kind in ("initial", "more"):
                self.latched = True
        self._check_facts(params, "loading")

    def _load_starts(self, kind, generation):
        forward = {"initial", "more", "refresh"}
        busy = [other for other in self.loading if other == kind or {other, kind} <= forward]
        require(not busy, "%s: a load of kind %s starts while %s runs", self.name, kind, busy)
        if kind == "refresh":
            require(generation > self.highest_number, "%s: refresh number %d used before", self.name, generation)
            require(not self.loading, "%s: refresh starts before the loads it ends are over", self.name)
            self.highest_number = generation
        else:
            require(
                generation == self.generation,
                "%s: load of generation %d, list has %d",
                self.name,
                generation,
                self.generation,
            )
            require(kind != "initial" or not self.items, "%s: a first load with items loaded", self.name)
        load = self.loading[kind] = Load(generation)
        if kind in ("initial", "more"):
            load.latched_before, self.latched = self.latched, False

    def _on_cleared(self, params, message):
        require("refresh" in self.loading, "%s: cleared without a running refresh", self.name)
        load = self.loading["refresh"]
        require(
            params["generation"] == load.generation, "%s: cleared with another generation than the refresh", self.name
        )
        require(not load.cleared, "%s: cleared twice", self.name)
        load.cleared = True
        self._begin(load.generation)
        self._check_facts(params, "cleared")

    def _begin(self, generation):
        self.generation = generation
        self.items, self.ids, self.known = [], [], set()
        self.first, self.next_page, self.latched = 0, 0, False

    def _on_pageAppended(self, params, message):
        kinds = [kind for kind in self.loading if kind != "previous"]
        if not kinds and self._is_followed():
            self._grow(params, message)
            return
        require(len(kinds) == 1, "%s: pageAppended while %s load", self.name, kinds)
        kind = kinds[0]
        load = self.loading[kind]
        # A first load or a refresh goes on by itself after an empty page, as one load.
        again = load.pages > 0
        require(
            not again or (kind != "more" and load.pages == load.empty_pages), "%s: two pages of one load", self.name
        )
        load.pages += 1
        load.empty_pages += not params["items"]
        load.failures = 0
        require(
            params["generation"] == load.generation,
            "%s: page of generation %d, load has %d",
            self.name,
            params["generation"],
            load.generation,
        )
        told = params["replaces"]
        require(told is (kind == "refresh") or again, "%s: replaces %r in a load of kind %s", self.name, told, kind)
        if kind == "refresh" and not again:
            self._begin(load.generation)
        self._check_page(params)
        start = params["start"]
        expected = self.first + len(self.items) if self.items else 0
        require(start == expected, "%s: page starts at %d, list ends before %d", self.name, start, expected)
        require(
            params["page"] >= self.next_page,
            "%s: page number %d, expected %d",
            self.name,
            params["page"],
            self.next_page,
        )
        self.next_page = params["page"] + 1
        self._add(params, message, at_end=True)
        self._check_facts(params, "pageAppended")

    def _is_followed(self):
        """Whether pages may come without a load: the file is followed, and its tail is loaded."""
        return self.settings["source"].get("follow") is True and self.facts["hasMore"] is False and not self.latched

    def _grow(self, params, message):
        require(params["generation"] == self.generation, "%s: grown page of another generation", self.name)
        require(params["replaces"] is False, "%s: grown page replaces", self.name)
        require(params["items"] or params["duplicates"], "%s: grown page of nothing", self.name)
        self._check_page(params)
        expected = self.first + len(self.items) if self.items else 0
        require(params["start"] == expected, "%s: grown page starts at %d", self.name, params["start"])
        require(params["page"] >= self.next_page, "%s: grown page number %d", self.name, params["page"])
        self.next_page = params["page"] + 1
        self._add(params, message, at_end=True)
        self._check_facts(params, "pageAppended")
        require(params["hasMore"] is False, "%s: grown page with hasMore", self.name)

    def _on_pagePrepended(self, params, message):
        require("previous" in self.loading, "%s: pagePrepended without a load", self.name)
        self.loading["previous"].pages += 1
        require(params["generation"] == self.generation, "%s: page of another generation", self.name)
        self._check_page(params)
        require(
            params["start"] == self.first - len(params["items"]),
            "%s: prepended page starts at %d",
            self.name,
            params["start"],
        )
        self.first = params["start"]
        self._add(params, message, at_end=False)
        self._check_facts(params, "pagePrepended")

    def _check_page(self, params):
        items, ids = params["items"], params["ids"]
        require(isinstance(items, list) and isinstance(ids, list), "items or ids are no arrays")
        require(len(items) == len(ids), "%s: %d items, %d ids", self.name, len(items), len(ids))
        for value in ids:
            require(value is None or type(value) in (str, int), "%s: id %r", self.name, value)
        require(type(params["duplicates"]) is int and params["duplicates"] >= 0, "duplicates is no count")
        self.duplicates += params["duplicates"]
        self.scroll_to = params.get("scrollTo", self.scroll_to)

    def _add(self, params, message, at_end):
        if self.settings.get("dedupe", True):
            # The source's own keys stand in for ids, but are none: they may come twice.
            path = self.settings.get("idPath", "/id")
            for item in params["items"]:
                value = found_id(item, path)
                known = value is None or identity(value) not in self.known
                require(known, "%s: id %r twice in the list", self.name, value)
                self.known.add(identity(value))
        if at_end:
            self.items += params["items"]
            self.ids += params["ids"]
        else:
            self.items[:0] = params["items"]
            self.ids[:0] = params["ids"]

    def _on_pagesDropped(self, params, message):
        low, high = params["from"], params["to"]
        require(low <= high and params["generation"] == self.generation, "pagesDropped %r", params)
        number = high - low + 1
        if params["edge"] == "end":
            require(high == self.last, "%s: dropped %d..%d at the end, last is %d", self.name, low, high, self.last)
            del self.items[-number:], self.ids[-number:]
            # Pages that were dropped come again under their old numbers, which may be negative ones.
            self.next_page = -(2**53)
        else:
            require(low == self.first, "%s: dropped %d..%d at the start, first is %d", self.name, low, high, self.first)
            del self.items[:number], self.ids[:number]
            self.first += number
        path = self.settings.get("idPath", "/id")
        self.known = {identity(found_id(item, path)) for item in self.items}
        self._check_facts(params, "pagesDropped")

    def _on_loadFailed(self, params, message):
        kind = params["kind"]
        if kind in ("initial", "more") and kind not in self.loading and self._is_followed():
            require(params["generation"] == self.generation, "%s: loadFailed of another generation", self.name)
            require(params["attempt"] == 1 and params["willRetry"] is False, "%s: following fails for good", self.name)
            check_error_name(params["error"])
            self.latched = True
            return
        require(kind in self.loading, "%s: loadFailed of %s that does not load", self.name, kind)
        load = self.loading[kind]
        require(params["generation"] == load.generation, "%s: loadFailed of another generation", self.name)
        require(not load.gave_up, "%s: loadFailed after giving up", self.name)
        # The pages of a refresh become one event in the end, so its tries may begin anew without a word.
        again = kind == "refresh" and params["attempt"] == 1
        load.failures = 1 if again else load.failures + 1
        attempt = params["attempt"]
        require(attempt == load.failures, "%s: attempt %r, expected %d", self.name, attempt, load.failures)
        require(isinstance(params["willRetry"], bool), "willRetry is no boolean")
        require(params["willRetry"] == ("retryInMs" in params), "retryInMs goes with willRetry")
        load.gave_up = not params["willRetry"]
        error = params["error"]
        require(set(error) == {"code", "message", "data"}, "loadFailed error has members %s", sorted(error))
        check_error_name(error)

    # Answers, compared with what is known at that very moment of the stream.

    def check_state(self, state):
        for name in STATE_MEMBERS:
            require(name in state, "state lacks %s", name)
        require(
            state["generation"] == self.generation,
            "state: generation %s, list has %d",
            state["generation"],
            self.generation,
        )
        require(state["count"] == len(self.items), "state: count %s, list holds %d", state["count"], len(self.items))
        require(state["first"] == (self.first if self.items else None), "state: first %s", state["first"])
        require(state["last"] == (self.last if self.items else None), "state: last %s", state["last"])
        require(set(state["loading"]) == set(KINDS) == set(state["error"]), "state: kinds of loading and error")
        for kind in KINDS:
            require(
                state["loading"][kind] is (kind in self.loading),
                "state: loading.%s is %s, notifications say %s",
                kind,
                state["loading"][kind],
                kind in self.loading,
            )
        # A load that runs has ended the pause, which is told with its end; a pause for a loader that nobody spoke of
        # ends with the next word about what is visible, which is told nowhere.
        silent = self.loading or self.settings.get("trigger", "item") == "loader"
        for name in ("hasMore", "hasPrevious") + (() if silent else ("paused",)):
            require(
                state[name] == self.facts[name],
                "state: %s is %s, last fact said %s",
                name,
                state[name],
                self.facts[name],
            )
        require(state["phase"] in PHASES, "state: phase %s", state["phase"])
        require((state["phase"] == "items") == bool(self.items), "state: phase %s", state["phase"])

    def check_outcome(self, method, result):
        require(
            set(result) >= {"outcome", "added", "duplicates", "count", "hasMore", "hasPrevious", "generation"},
            "%s answers %r",
            method,
            result,
        )
        require(result["outcome"] in OUTCOMES, "outcome %r", result["outcome"])
        require(
            result["count"] == len(self.items), "%s: count %s, list holds %d", method, result["count"], len(self.items)
        )
        require(
            result["generation"] == self.generation,
            "%s: generation %s, list has %d",
            method,
            result["generation"],
            self.generation,
        )
        require(result["hasMore"] == self.facts["hasMore"], "%s: hasMore %s", method, result["hasMore"])
        if result["outcome"] == "loaded":
            last = self.history[-1] if self.history else None
            ended = last is not None and last[0] == "loading" and last[1]["isLoading"] is False
            require(ended, "%s: answered as loaded, but the last notification is %r", method, last)

    def check_decision(self, params, result):
        position = None
        if isinstance(params.get("position"), int):
            inside = self.items and self.first <= params["position"] <= self.last
            position = params["position"] if inside else None
        elif "id" in params:
            if not self.settings.get("dedupe", True):
                return
            position = self.position_of(params["id"])
        for member, edge in (("decision", "end"), ("previous", "start")):
            expected = self._decision(params, position, edge)
            require(
                result[member] in expected, "%s: %s is %r, expected %s", self.name, member, result[member], expected
            )
        if result["decision"] in ("stale", "unknown") or not self.items:
            require(
                result["position"] is None, "%s: position %r with %s", self.name, result["position"], result["decision"]
            )
        else:
            require(
                result["position"] == position, "%s: position %r, expected %r", self.name, result["position"], position
            )

    def _decision(self, params, position, edge):
        generation = params.get("generation")
        if generation is not None and generation < self.generation:
            return ("stale",)
        if generation is not None and generation > self.generation:
            # Nothing of that generation is known yet; that it is `unknown` has a test of its own.
            return ("unknown", "stale") + (() if self.items else ("loading",) if self.loading else ("empty",))
        if not self.items:
            return ("loading",) if self.loading else ("empty",)
        if position is None:
            return ("unknown",)
        if self.settings.get("trigger", "item") != "item":
            return ("idle",)
        if not self.settings.get("canLoadMore", True):
            return ("disabled",)
        distance = self.last - position if edge == "end" else position - self.first
        if distance > max(0, self.settings.get("prefetchThreshold", 3)):
            return ("idle",)
        if "refresh" in self.loading:
            return ("refreshing",)
        if ("more" if edge == "end" else "previous") in self.loading or (edge == "end" and "initial" in self.loading):
            return ("loading",)
        if not self.facts["hasMore" if edge == "end" else "hasPrevious"]:
            return ("ended",)
        if edge == "start":
            return ("latched", "paused", "started")
        if self.latched:
            return ("latched", "started") if self.settings.get("rearmOnAppear") else ("latched",)
        return ("paused",) if self.facts["paused"] else ("started",)
