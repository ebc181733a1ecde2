"""The two clients: one that waits, and one for asyncio. Threads look after the pipes of both."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import inspect
import os
import queue
import subprocess
import threading
from concurrent.futures import Future
from typing import Any, Callable, Dict, Optional, Sequence

from ._core import Core, Fetch, List
from ._wire import Gone, Handler, Params, ignore

Data = Callable[[bytes], None]
End = Callable[[int, str], None]
SECONDS_TO_ANSWER, SECONDS_TO_END = 10, 5


class Pipes:
    """A program whose output is read and whose input is written in threads, so that neither waits for the other."""

    def __init__(self, command: Sequence[str], on_data: Data, on_end: End, **options: Any) -> None:
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        except OSError as error:
            raise Gone("The server %s cannot be started: %s." % (command[0], error.strerror)) from None
        self._on_data, self._on_end, self._said = on_data, on_end, ""  # The last line of its stderr.
        self.outgoing: queue.Queue[Optional[bytes]] = queue.Queue()
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._write, self._read)]

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def write(self, data: Optional[bytes]) -> None:
        """Queues bytes, or with None the end of the input. Never waits."""
        self.outgoing.put(data)

    def kill(self) -> None:
        self.process.kill()

    def join(self) -> None:
        """Waits until all is over, `on_end` too; a program that does not end is killed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(SECONDS_TO_END)
        self.process.kill()
        for thread in self.threads:
            thread.join(SECONDS_TO_END)

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as stdout:
            while data := os.read(stdout.fileno(), 1 << 20):
                self._on_data(data)
        self.write(None)
        self.threads[0].join(1)
        self._on_end(self.process.wait(), self._said)

    def _write(self) -> None:
        assert self.process.stdin
        with contextlib.suppress(OSError), self.process.stdin as stdin:
            for data in iter(self.outgoing.get, None):
                stdin.write(data)
                stdin.flush()
                self.outgoing.task_done()

    def _listen(self) -> None:
        if self.process.stderr:
            with self.process.stderr as stderr:
                for line in stderr:
                    self._said = line.decode(errors="replace").strip() or self._said


class Client(Core):
    """A server, as a context. Handlers (`on_change`, `on_gone`) are called in the thread that reads."""

    def wait(self, future: Future[Any]) -> Any:
        if self.pipes and threading.current_thread() is self.pipes.threads[-1]:
            raise RuntimeError("a handler cannot wait for an answer: use `request` or `notify` in it")
        return future.result()

    def start(self) -> Client:
        """Starts the server and, where there was one before, opens its lists again."""
        try:
            self.greeted(self.hello(self._pipes).result(SECONDS_TO_ANSWER))
        except Exception as error:
            self.close()
            raise self.not_greeted(error) from None
        for future in [self.opening(each) for each in list(self.lists.values())]:
            future.result()
        return self

    def open(self, source: Params, on_change: Handler = ignore, fetch: Optional[Fetch] = None, **settings: Any) -> List:
        """Opens a list. `settings` are those of the protocol; `on_change` is called with the list, a method and its
        params once `items` and the rest show what came; `fetch` answers the pages of a `client` source."""
        each = self.make(source, settings, on_change, fetch)
        self.wait(self.opening(each))
        return each

    def close(self) -> None:
        """Ends the server."""
        if self.bye():
            self.pipes.join()

    def _pipes(self, command: Sequence[str], on_data: Data, on_end: End) -> Pipes:
        def locked(data: bytes) -> None:
            with self.lock:
                on_data(data)

        return Pipes(command, locked, on_end, stderr=subprocess.PIPE)

    def fetch(self, fetch: Fetch, params: Params, answer: Callable[..., None], identity: Any) -> None:
        def work() -> None:
            try:
                answer(fetch(params))
            except Exception as error:
                answer(None, error)

        threading.Thread(target=work, daemon=True).start()

    def __enter__(self) -> Client:
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.close()


class AsyncClient(Core):
    """The same for asyncio: handlers are called in its loop, and what is asked for has to be awaited."""

    async def wait(self, future: Future[Any]) -> Any:
        wrapped = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(wrapped)
        except asyncio.CancelledError:
            self.cancel(future)
            wrapped.add_done_callback(lambda done: done.exception())  # Nobody else looks at that.
            raise

    async def start(self) -> AsyncClient:
        """Starts the server and, where there was one before, opens its lists again."""
        self._loop, self._tasks = asyncio.get_running_loop(), {}  # type: Any, Dict[Any, asyncio.Future[Any]]
        try:
            self.greeted(await asyncio.wait_for(self.wait(self.hello(self._pipes)), SECONDS_TO_ANSWER))
        except Exception as error:
            await self.close()
            raise self.not_greeted(error) from None
        for future in [self.opening(each) for each in list(self.lists.values())]:
            await self.wait(future)
        return self

    async def open(
        self, source: Params, on_change: Handler = ignore, fetch: Optional[Fetch] = None, **settings: Any
    ) -> List:
        """As for a `Client`; `fetch` may be a coroutine function, and is cancelled where its page is not needed."""
        each = self.make(source, settings, on_change, fetch)
        await self.wait(self.opening(each))
        return each

    async def close(self) -> None:
        """Ends the server."""
        if self.bye():
            await asyncio.get_running_loop().run_in_executor(None, self.pipes.join)

    def _pipes(self, command: Sequence[str], on_data: Data, on_end: End) -> Pipes:
        context = contextvars.copy_context()  # Handlers are called in that of `start`, not in a thread's.

        def soon(work: Callable[..., None], *told: Any) -> None:
            with contextlib.suppress(RuntimeError):  # The loop is over.
                self._loop.call_soon_threadsafe(functools.partial(work, *told), context=context)

        soon_data, soon_end = functools.partial(soon, on_data), functools.partial(soon, on_end)
        return Pipes(command, soon_data, soon_end, stderr=subprocess.PIPE)

    def fetch(self, fetch: Fetch, params: Params, answer: Callable[..., None], identity: Any) -> None:
        async def work() -> None:
            result = fetch(params)
            answer(await result if inspect.isawaitable(result) else result)

        def done(task: asyncio.Future[Any]) -> None:
            self._tasks.pop(identity, None)
            if task.cancelled() or task.exception():
                answer(None, Gone("cancelled") if task.cancelled() else task.exception())

        self._tasks[identity] = self._loop.create_task(work())
        self._tasks[identity].add_done_callback(done)

    def fetch_cancelled(self, identity: Any) -> None:
        if identity in self._tasks:
            self._tasks[identity].cancel()

    async def __aenter__(self) -> AsyncClient:
        return await self.start()

    async def __aexit__(self, *error: object) -> None:
        await self.close()
