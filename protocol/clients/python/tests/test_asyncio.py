"""The client for asyncio, against the release binary."""

import asyncio
import os
import signal

import pytest
from conftest import NO_SERVERS

from pagewire import AsyncClient, Failure, Gone

SYNTHETIC = {"type": "synthetic", "count": 45}


async def until(condition):
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not within 30 s")


async def test_every_item_once():
    async with AsyncClient() as client:
        paged = await client.open({"type": "synthetic", "count": 5000}, pageSize=500, maxItems=1000)
        assert [item["id"] async for item in paged] == list(range(5000))
        assert [item async for item in await client.open({"type": "items", "items": []})] == []


async def test_lists_at_the_same_time():
    async with AsyncClient() as client:

        async def count(number):
            paged = await client.open({"type": "synthetic", "count": number, "latencyMs": 1})
            return len([item async for item in paged])

        assert await asyncio.gather(*map(count, range(100, 130))) == list(range(100, 130))


async def test_handlers_are_called_in_the_loop_and_in_order():
    told = []
    async with AsyncClient() as client:
        paged = await client.open(
            SYNTHETIC, on_change=lambda paged, method, params: told.append((method, asyncio.get_running_loop()))
        )
        await paged.call("loadMore")
    assert [method for method, _ in told[:4]] == ["open", "loading", "pageAppended", "loading"]
    assert {loop for _, loop in told} == {asyncio.get_running_loop()}


async def test_pages_of_a_coroutine():
    async def fetch(params):
        await asyncio.sleep(0.01)
        return {"items": [params["page"]], "next": params["page"] + 1 if params["page"] < 5 else None}

    async with AsyncClient() as client:
        assert [item async for item in await client.open({"type": "client"}, fetch=fetch)] == [0, 1, 2, 3, 4, 5]
        plain = await client.open({"type": "client"}, fetch=lambda params: {"items": ["plain"], "next": None})
        assert [item async for item in plain] == ["plain"]


async def test_a_coroutine_that_fails():
    async def fetch(params):
        raise OSError("The shelf is stuck.")

    async with AsyncClient() as client:
        for bad in (fetch, lambda params: {"items": [object()]}):
            with pytest.raises(Failure):
                [item async for item in await client.open({"type": "client"}, fetch=bad, retry={"retries": 0})]


async def test_a_page_that_is_not_needed_any_more_is_cancelled():
    states = []

    async def fetch(params):
        states.append("begun")
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            states.append("cancelled")
            raise

    async with AsyncClient() as client:
        paged = await client.open({"type": "client"}, fetch=fetch)
        await until(lambda: states)
        await paged.close()
        await until(lambda: states == ["begun", "cancelled"])
        assert await client.call("sessions") == []


async def test_cancelling_a_task_ends_the_wait_in_the_server():
    async with AsyncClient() as client:
        slow = await client.open({"type": "synthetic", "latencyMs": 600_000}, autoload=False)
        task = asyncio.ensure_future(slow.call("loadMore"))
        await until(lambda: slow.loading)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: not slow.loading)


async def test_a_server_that_is_killed():
    told = []
    async with AsyncClient() as client:
        client.on_gone = told.append
        paged = await client.open({"type": "synthetic", "count": 1000})
        while len(paged.items) < 100:
            await paged.call("loadMore")
        await paged.remember(77)
        waiting = asyncio.ensure_future(client.call("state", session=paged.session))
        os.kill(client.pipes.process.pid, signal.SIGKILL)
        with pytest.raises(Gone):
            await waiting
            await client.call("sessions")
        await until(lambda: told)
        assert len(paged.items) == 100
        await client.start()
        await until(lambda: 77 in paged.ids)
        assert paged.has_previous and len(told) == 1


async def test_a_source_that_is_gone_when_the_server_comes_back(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("one\n")
    async with AsyncClient() as client:
        paged = await client.open({"type": "file", "path": str(path)})
        other = await client.open(SYNTHETIC)
        path.unlink()
        client.pipes.kill()
        await until(lambda: client.gone)
        with pytest.raises(Failure, match="file.txt"):
            await client.start()
        await until(lambda: other.items)
        path.write_text("two\n")
        await client.reopen(paged)
        assert [item["text"] async for item in paged] == ["two"]


@pytest.mark.parametrize("name", NO_SERVERS)
async def test_what_is_no_server(program, name):
    text, message = NO_SERVERS[name]
    with pytest.raises(Gone) as caught:
        async with AsyncClient(program(text)):
            pass
    assert message in str(caught.value)


async def test_no_server_at_all(tmp_path):
    with pytest.raises(Gone, match="cannot be started"):
        await AsyncClient([str(tmp_path / "none"), "--stdio"]).start()
