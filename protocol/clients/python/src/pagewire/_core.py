"""A connection without its pipes, which both clients share: requests, their answers, and what the server asks."""

from __future__ import annotations

import functools
import itertools
import json
import os
import shutil
import sys
import threading
from concurrent.futures import Future
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Optional, Sequence, Union

from ._wire import JSON, Failure, Frames, Gone, Handler, PagedList, Params, frame

Fetch = Callable[[Params], Any]
PROTOCOL = "1.0"


class List(PagedList):
    """A list that can be asked, and iterated over, which loads page after page: `for`, or `async for`.

    What is asked is sent at once. What comes back is the answer, or, with an `AsyncClient`, what is to be awaited.
    """

    client: Core
    on_change: Handler
    fetch: Optional[Fetch]

    def call(self, method: str, **params: Any) -> Any:
        """Sends a request of the protocol about this list, such as `loadMore`, `loadPrevious`, `refresh`, `state`."""
        return self.client.call(method, session=self.session, **params)

    def visible(self, first: int, last: int) -> None:
        """Reports which positions can be seen, so that the pages around them are loaded."""
        report = {"session": self.session, "first": first, "last": last, "generation": self.generation}
        self.client.notify("visibleRange", **report)

    def remember(self, identity: Any) -> Any:
        """Makes `token` lead to the item with this id, in this process or a later one (`open` with `resume`)."""
        self.client.notify("setScrolledID", session=self.session, id=identity)
        state = self.client.request("state", session=self.session, resume=True)
        state.add_done_callback(self._remembered)
        return self.client.wait(state)

    def _remembered(self, state: Future[Any]) -> None:
        self.token = self.token if state.exception() else state.result()["resume"] or self.token

    def close(self) -> Any:
        self.client.lists.pop(self.session, None)
        return self.call("close")

    def _from(self, position: int, generation: int, outcome: str) -> Optional[list[Any]]:
        """The items from a position on; none, after such a `loadMore`, at the end."""
        with self.client.lock:
            if generation != self.generation:
                raise RuntimeError("the list was refreshed while it was iterated over")
            items = self.items[position - self.first :]
            return items if items or self.has_more and outcome in ("loaded", "coalesced") else None

    def __iter__(self) -> Iterator[Any]:
        at, generation, outcome = self.first, self.generation, "loaded"
        while (items := self._from(at, generation, outcome)) is not None:
            yield from items
            at += len(items)
            outcome = outcome if items else self.call("loadMore")["outcome"]

    async def __aiter__(self) -> AsyncIterator[Any]:
        at, generation, outcome = self.first, self.generation, "loaded"
        while (items := self._from(at, generation, outcome)) is not None:
            for item in items:
                yield item
            at += len(items)
            outcome = outcome if items else (await self.call("loadMore"))["outcome"]


class Core:
    """What the server writes is told to a function that `start` is given by `hello`; what goes to it, to `pipes`."""

    pipes: Any = None  # What can `start()`, `write(bytes)`, where None ends the server's input, and `kill()`.

    def __init__(self, command: Union[None, str, Sequence[str]] = None, name: str = "python") -> None:
        self.command, self.name, self.numbers, self.lock = command, name, itertools.count(1), threading.RLock()
        self.on_gone: Callable[[Gone], None] = lambda gone: None
        self.gone: Optional[Gone] = Gone("The server was not started.")
        self.lists: Dict[str, List] = {}

    # What the two clients do each in its way.
    def wait(self, future: Future[Any]) -> Any: ...
    def fetch(self, fetch: Fetch, params: Params, answer: Callable[..., None], identity: Any) -> None: ...
    def fetch_cancelled(self, identity: Any) -> None: ...

    def call(self, method: str, **params: Any) -> Any:
        """Sends a request of the protocol. Its result comes back; an error answer is raised as a `Failure`."""
        return self.wait(self.request(method, **params))

    def send(self, **message: Any) -> None:
        self.pipes.write(frame(json.dumps({"jsonrpc": "2.0", **message}, allow_nan=False)))

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification, which any request about a session can be where its answer does not matter."""
        self.send(method=method, params=params)

    def request(self, method: str, **params: Any) -> Future[Any]:
        """Sends a request. Its future has the result, or raises a `Failure` or `Gone`."""
        future: Future[Any] = Future()
        with self.lock:
            if self.gone:
                future.set_exception(self.gone)
            else:
                self.send(id=(identity := next(self.numbers)), method=method, params=params)
                self._waiting[identity] = future
        return future

    def cancel(self, future: Future[Any]) -> None:
        """Ends the wait of a `loadMore`, `loadPrevious` or `refresh`, which fails then, or has its result already."""
        for identity in [each for each, waiting in list(self._waiting.items()) if waiting is future]:
            self.notify("$/cancelRequest", id=identity)

    def hello(self, start: Callable[..., Any]) -> Future[Any]:
        """Starts a server, which `start` does, and begins to talk to it."""
        command = self.command or os.environ.get("PAGEWIRE") or shutil.which("pagewire")
        if not command:
            raise Gone("There is no pagewire server: put `pagewire` on PATH, or set PAGEWIRE to where it is.")
        self._waiting: Dict[int, Future[Any]] = {}
        frames = self._frames = Frames()  # What a former server still says is known by having other ones.
        words = [command] if isinstance(command, str) else list(command)
        self.pipes = start(words, functools.partial(self._receive, frames), functools.partial(self._ended, frames))
        self._why, self._is_up, self.gone = "", False, None
        self.pipes.start()
        return self.request("initialize", processId=os.getpid(), clientInfo={"name": self.name, "version": PROTOCOL})

    def greeted(self, answer: Params) -> None:
        version = str(answer.get("protocolVersion"))
        if version.split(".")[0] != PROTOCOL.split(".")[0]:
            raise Gone("The server speaks version %s of the protocol, and this client %s." % (version, PROTOCOL))
        self.capabilities, self._is_up = answer["capabilities"], True

    def not_greeted(self, error: Exception) -> Gone:
        why = "What was started is no pagewire server: %s." % (str(error).rstrip(".") or "it does not answer")
        self.gone = error if isinstance(error, Gone) else Gone(why)
        return self.gone

    def bye(self) -> bool:
        """Asks the server to end, if there is one."""
        self._is_up, is_there = False, not self.gone
        if is_there:
            self.send(id=0, method="shutdown")
            self.send(method="exit")
            self.pipes.write(None)
        return is_there

    def make(self, source: Params, settings: Params, on_change: Handler, fetch: Optional[Fetch]) -> List:
        each = List("%s-%d" % (self.name, next(self.numbers)), source, settings)
        each.client, each.on_change, each.fetch = self, on_change, fetch
        return each

    def opening(self, each: List) -> Future[Any]:
        """Opens a list, for the first time or, where its token leads to, again."""

        def opened(future: Future[Any]) -> None:
            if not future.exception():
                each.reset(future.result())
                self._tell(each.on_change, each, "open", future.result())
            elif is_new:
                del self.lists[each.session]

        with self.lock:
            is_new, self.lists[each.session] = each.session not in self.lists, each
            settings = {**each.settings, "resume": each.token} if each.token else each.settings
            future = self.request("open", session=each.session, source=each.source, ifExists="replace", **settings)
            future.add_done_callback(opened)  # Called at once, before what comes after the answer is looked at.
        return future

    def reopen(self, each: List) -> Any:
        """Opens a list again where its token leads to, such as after a failure of that."""
        return self.wait(self.opening(each))

    def _receive(self, frames: Frames, data: bytes) -> None:
        """Takes what the server has written."""
        try:
            for body in frames.feed(data) if frames is self._frames else ():
                self._take(JSON.decode(body.decode()))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self._why = "It wrote what is no message: %s." % error
            self.pipes.kill()

    def _tell(self, handler: Callable[..., None], *told: Any) -> None:
        try:
            handler(*told)
        except Exception:  # The handler's own fault: it is shown, and the connection goes on.
            sys.excepthook(*sys.exc_info())

    def _take(self, message: Params) -> None:
        method, params, identity = message.get("method"), message.get("params") or {}, message.get("id")
        each = self.lists.get(params.get("session", ""))
        if method is None:
            error, result = ("error" in message, message["error" if "error" in message else "result"])
            future = self._waiting.pop(identity, None)  # type: ignore[arg-type]
            if future and error:
                future.set_exception(Failure(result))
            elif future:
                future.set_result(result)
        elif method == "$/cancelRequest":
            self.fetch_cancelled(params["id"])
        elif identity is None and each:
            each.receive(method, params)
            self._tell(each.on_change, each, method, params)
        elif method == "fetchPage" and each and each.fetch:
            self.fetch(each.fetch, params, functools.partial(self._answer, self.pipes, identity), identity)
        elif identity is not None:
            self.send(id=identity, error={"code": -32601, "message": "This client has no method %s." % method})

    def _answer(self, pipes: Any, identity: Any, result: Any, error: Optional[BaseException] = None) -> None:
        body = {"result": result}
        if error:
            data = error.data if isinstance(error, Failure) else {}
            body = {"error": {"code": -32000, "message": str(error) or repr(error), "data": data}}
        pipes.write(frame(json.dumps({"jsonrpc": "2.0", "id": identity, **body}, allow_nan=False)))

    def _ended(self, frames: Frames, status: int, said: str) -> None:
        """The server is gone: what waits fails, every list is told, and so is the front end, once."""
        if frames is not self._frames:
            return
        how = "by signal %d" % -status if status < 0 else "with status %d" % status
        with self.lock:
            gone = self.gone = Gone(" ".join(filter(None, ["The pagewire server ended %s." % how, self._why, said])))
            waiting, self._waiting, was_up, self._is_up = self._waiting, {}, self._is_up, False
        for future in waiting.values():
            future.set_exception(gone)
        for each in list(self.lists.values()):
            each.loading.clear()
            self._tell(each.on_change, each, "gone", {"message": str(gone)})
        if was_up:
            self._tell(self.on_gone, gone)
