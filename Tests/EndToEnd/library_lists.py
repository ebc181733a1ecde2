"""The Python client's lists, told of every message of a conversation and compared with the stricter model here."""

from session_model import require

from pagewire import PagedList


class LibraryLists:
    """A list of the library for each session of a connection."""

    def __init__(self):
        self.lists = {}
        self.models = {}

    def received(self, message, sessions):
        """Takes a message that the conversation, whose models `sessions` are, has taken before."""
        result = message.members.get("result")
        if isinstance(result, dict) and "settings" in result:
            name = result["session"]
            if sessions.get(name) is not None and self.models.get(name) is not sessions[name]:
                self.models[name], self.lists[name] = sessions[name], PagedList(name, {}, {})
                self.lists[name].reset(result)
            elif name in sessions:
                self._compare_state(self.lists[name], result)
        elif message.kind == "notification" and message.params.get("session") in self.lists:
            name = message.params["session"]
            self.lists[name].receive(message.method, message.params)
            self._compare(self.lists[name], self.models[name])

    def _compare(self, paged, model):
        facts = {"hasMore": paged.has_more, "hasPrevious": paged.has_previous, "paused": paged.paused}
        facts.update(phase=paged.phase, count=len(paged.items))
        require(facts == model.facts, "%s: the library has %r, the model %r", model.name, facts, model.facts)
        require(set(paged.loading) == set(model.loading), "%s: the library loads %r", model.name, paged.loading)
        place = (paged.first, paged.generation, len(paged.ids), paged.ids[:1], paged.ids[-1:])
        expected = (model.first, model.generation, len(model.ids), model.ids[:1], model.ids[-1:])
        require(not model.ids or place == expected, "%s: the library is at %r, not %r", model.name, place, expected)

    def _compare_state(self, paged, state):
        running = {kind for kind, is_loading in state["loading"].items() if is_loading}
        require(paged.loading == running, "the library loads %r, the state %r", paged.loading, running)
        stand = {kind for kind, error in state["error"].items() if error}
        shown = {kind for kind, error in paged.errors.items() if not error["willRetry"]}
        require(shown == stand - running, "the library shows errors of %r, the state %r", shown, stand - running)

    def finish(self):
        """Compares everything."""
        for name, paged in self.lists.items():
            same = paged.items == self.models[name].items and paged.ids == self.models[name].ids
            require(same, "%s: the library's items are not the model's", name)
