"""The http source against servers that are not ours, each started from PyPI: the items are those that the server has.

Where their packages are missing the tests are skipped, unless PAGEWIRE_REAL_SERVERS is set, as it is by `.ci/run`.
"""

import importlib.util
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from pagewire_client import RPCError
from support import BAD_PAGE, CYCLE, LOAD_FAILED
from test_http import HTTPCase

SERVERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "servers")
ROWS = list(range(1, 24))
# Every one up to beyond the end of the lists here.
SIZES = (*range(1, 26), 100)


def needs(*modules):
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(
        missing and not os.environ.get("PAGEWIRE_REAL_SERVERS"), "not installed: " + ", ".join(missing)
    )


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class RealServerCase(HTTPCase):
    """Starts one server for all tests of a class: `command` gets its port."""

    environment = {}

    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.origin = "http://127.0.0.1:%d" % port
        # What it says is of interest only where it does not come up.
        output = tempfile.TemporaryFile()
        cls.addClassCleanup(output.close)
        command = [sys.executable] + cls.command(port)
        # A group of its own: some are programs that start the server.
        cls.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=dict(os.environ, **cls.environment),
            start_new_session=True,
        )
        cls.addClassCleanup(cls.process.wait)
        cls.addClassCleanup(os.killpg, cls.process.pid, signal.SIGKILL)
        deadline = time.monotonic() + 120
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if cls.process.poll() is not None or time.monotonic() > deadline:
                    output.seek(0)
                    raise AssertionError("%s does not come up: %s" % (command, output.read().decode(errors="replace")))
                time.sleep(0.1)

    def assert_ids(self, path, expected, sizes=SIZES, idPath="/id", **members):
        """The list is the server's, in its order, in pages of any size, and each id comes once."""
        for size in sizes:
            with self.subTest(path=path, size=size):
                self.read_all(self.origin, path, pageSize=size, idPath=idPath, **members)
                self.assertEqual(self.pagewire.model("s").ids, expected)
                dropped = [
                    message.params["duplicates"]
                    for message in self.pagewire.notifications("s")
                    if message.method == "pageAppended"
                ]
                self.assertEqual(sum(dropped), 0)

    def assert_auto(self, path, expected=ROWS, **members):
        """So it is where the answers say how to go on; `path` takes the size."""
        for size in SIZES:
            self.assert_ids(path % size, expected, sizes=(size,), **members)


@needs("datasette")
class DatasetteTests(RealServerCase):
    @classmethod
    def command(cls, port):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.database = os.path.join(folder.name, "demo.db")
        with sqlite3.connect(cls.database) as database:
            database.execute("create table items(id integer primary key, name text, grp text, big integer)")
            database.executemany(
                "insert into items values(?,?,?,?)",
                [
                    (number, "item %d" % number, None if number % 7 == 0 else "g%d" % (number % 3), 9007199254740993 + number)
                    for number in ROWS
                ],
            )
            database.execute("create table pairs(a text, b text, id integer, primary key(a,b))")
            database.executemany(
                "insert into pairs values(?,?,?)",
                [("a,%d" % (number // 10), "b/%d ä" % (number % 10), number) for number in ROWS],
            )
        return ["-m", "datasette", "serve", cls.database, "--host", "127.0.0.1", "--port", str(port)]

    def test_next_url_and_link(self):
        next_url = {"strategy": "nextUrl", "from": "/next_url", "sizeParam": "_size"}
        self.assert_ids("/demo/items.json?_shape=objects", ROWS, paging=next_url)
        link = {"strategy": "link", "sizeParam": "_size"}
        self.assert_ids("/demo/items.json?_shape=array", ROWS, paging=link)

    def test_auto(self):
        self.assert_auto("/demo/items.json?_shape=objects&_size=%d")
        self.assert_auto("/demo/items.json?_shape=array&_size=%d")

    def test_tokens_with_awkward_characters(self):
        """Compound keys, a sort column with NULLs, and integers that no double holds."""
        cursor = {"strategy": "cursor", "from": "/next", "to": {"query": "_next"}, "sizeTo": {"query": "_size"}}
        self.assert_ids("/demo/pairs.json?_shape=objects", ROWS, paging=cursor)
        with sqlite3.connect(self.database) as database:
            sorted_ids = [row[0] for row in database.execute("select id from items order by grp, id")]
        path = "/demo/items.json?_shape=objects&_sort=grp"
        self.assert_ids(path, sorted_ids, paging=cursor)
        self.assertEqual({item["big"] - item["id"] for item in self.pagewire.model("s").items}, {9007199254740993})


@needs("django", "rest_framework", "rest_framework_json_api")
class RESTFrameworkTests(RealServerCase):
    @classmethod
    def command(cls, port):
        return [os.path.join(SERVERS, "drf_app.py"), str(port)]

    def test_page_numbers(self):
        """It answers 404 past the end."""
        paging = {"strategy": "page", "sizeParam": "page_size"}
        self.assert_ids("/page/", ROWS, paging=paging)
        self.assert_ids("/page/", ROWS, sizes=(5, 23), paging=paging, total="/count")
        self.assert_ids("/page/", ROWS, sizes=(4,), paging={"strategy": "page"})

    def test_limit_and_offset(self):
        self.assert_ids("/offset/", ROWS, paging={"strategy": "offset", "sizeParam": "limit"}, total="/count")
        self.assert_ids("/offset/", ROWS, sizes=(5,), paging={"strategy": "offset"})

    def test_next_links_of_each_paginator(self):
        self.assert_ids("/page/", ROWS, paging={"strategy": "nextUrl", "sizeParam": "page_size"})
        self.assert_ids("/offset/", ROWS, paging={"strategy": "nextUrl", "sizeParam": "limit"})

    def test_cursors(self):
        """They hold offsets inside of ties, and lead back as well."""
        paging = {"strategy": "nextUrl", "previousFrom": "/previous", "sizeParam": "page_size"}
        self.assert_ids("/cursor/", ROWS, paging=paging)

    def test_link_header(self):
        paging = {"strategy": "link", "sizeParam": "page_size"}
        self.assert_ids("/link/", ROWS, paging=paging, total={"header": "X-Total-Count"})

    def test_auto(self):
        for path in ("/page/?page_size=%d", "/offset/?limit=%d", "/cursor/?page_size=%d", "/link/?page_size=%d"):
            self.assert_auto(path)

    def test_json_api(self):
        """It answers nobody who does not name its media type, and writes the brackets of `page[number]` encoded."""
        members = {"headers": {"Accept": "application/vnd.api+json"}}
        expected = [str(row) for row in ROWS]
        for name, size in (("page", "page[size]"), ("offset", "page[limit]")):
            path = "/json-api/%s/" % name
            links = {"strategy": "nextUrl", "from": "/links/next", "previousFrom": "/links/prev", "sizeParam": size}
            self.assert_ids(path, expected, paging=links, **members)
            self.assert_auto(path + "?" + size.replace("[", "%%5B").replace("]", "%%5D") + "=%d", expected, **members)
        numbers = {"strategy": "page", "param": "page[number]", "sizeParam": "page[size]"}
        self.assert_ids("/json-api/page/", expected, paging=numbers, total="/meta/pagination/count", **members)
        counts = {"strategy": "offset", "param": "page[offset]", "sizeParam": "page[limit]"}
        self.assert_ids("/json-api/offset/", expected, paging=counts, **members)
        error = self.failure(self.origin, LOAD_FAILED, "/json-api/page/")
        self.assertEqual((error["data"]["status"], error["data"]["retryable"]), (406, False))

    def test_the_way_back(self):
        for path, paging, start in (
            ("/page/", {"strategy": "nextUrl", "previousFrom": "/previous"}, "?page=5"),
            ("/link/", {"strategy": "link"}, "?page=5"),
            ("/page/", {"strategy": "page"}, 5),
            ("/offset/", {"strategy": "offset", "sizeParam": "limit"}, 11),
            ("/json-api/page/", {"strategy": "nextUrl", "from": "/links/next", "previousFrom": "/links/prev"}, "?page%5Bnumber%5D=5"),
        ):
            with self.subTest(path=path, paging=paging):
                members = {"idPath": "/attributes/name", "headers": {"Accept": "*/*"}} if "json-api" in path else {}
                server = self.open_http(self.origin, path, pageSize=3, paging=paging, startAt=start, **members)
                server.wait_loaded("s")
                while server.call("loadPrevious", {"session": "s"})["outcome"] == "loaded":
                    pass
                self.assertEqual(self.scroll_to_end(server).ids, ["n%d" % row for row in ROWS] if members else ROWS)

    def test_throttling(self):
        server = self.open_http(self.origin, "/throttled/", pageSize=3, paging={"strategy": "page"})
        server.wait_loaded("s")
        with self.assertRaises(RPCError):
            for _ in range(3):
                server.call("loadMore", {"session": "s"})
        error = server.wait_notification("loadFailed").params["error"]
        self.assertEqual((error["code"], error["data"]["status"], error["data"]["retryable"]), (LOAD_FAILED, 429, True))
        self.assertTrue(0 < error["data"]["retryAfterMs"] <= 60_000)

    def test_retry_after_is_kept(self):
        """Four requests a second are allowed. Nothing else would be tried again before the time of this test is over."""
        retry = {"retries": 3, "initialDelayMs": 600_000, "maxDelayMs": 600_000}
        started = time.monotonic()
        server = self.open_http(self.origin, "/quick/", pageSize=2, paging={"strategy": "page", "sizeParam": "page_size"}, retry=retry)
        server.wait_loaded("s")
        while server.call("loadMore", {"session": "s"})["outcome"] == "loaded":
            pass
        self.assertEqual(server.model("s").ids, ROWS)
        # Thirteen pages: two of the pauses at least were waited for.
        self.assertGreater(time.monotonic() - started, 2)
        failures = [each.params for each in server.notifications("s") if each.method == "loadFailed"]
        self.assertGreaterEqual(len(failures), 2)
        for failure in failures:
            self.assertEqual((failure["error"]["data"]["status"], failure["willRetry"]), (429, True))
            self.assertEqual(failure["retryInMs"], failure["error"]["data"]["retryAfterMs"])


@needs("fastapi_pagination", "sqlalchemy", "sqlakeyset", "strawberry", "uvicorn")
class FastAPITests(RealServerCase):
    @classmethod
    def command(cls, port):
        return [os.path.join(SERVERS, "fastapi_app.py"), str(port)]

    def test_pages(self):
        self.assert_ids("/page", ROWS, paging={"strategy": "page", "sizeParam": "size"})
        self.assert_ids("/page", ROWS, sizes=(5, 23), paging={"strategy": "page", "sizeParam": "size"}, total="/total")

    def test_limit_and_offset(self):
        self.assert_ids("/offset", ROWS, paging={"strategy": "offset", "sizeParam": "limit"})

    def test_relative_links_in_the_body_and_in_a_header(self):
        paging = {"strategy": "nextUrl", "from": "/links/next", "previousFrom": "/links/prev", "sizeParam": "size"}
        self.assert_ids("/links", ROWS, paging=paging)
        self.assert_ids("/header", ROWS, paging={"strategy": "link", "sizeParam": "size"})

    def test_auto_takes_links_and_counts_and_refuses_to_guess(self):
        for path in ("/links?size=%d", "/header?size=%d", "/page?size=%d", "/offset?limit=%d"):
            self.assert_auto(path)
        # All on one page.
        self.assert_ids("/page", ROWS, sizes=(4,))
        error = self.failure(self.origin, BAD_PAGE, "/cursor?size=4")
        self.assertTrue(error["data"]["evidence"], error)

    def test_cursors_that_come_encoded(self):
        paging = {"strategy": "cursor", "from": "/next_page", "to": {"query": "cursor"}, "sizeTo": {"query": "size"}}
        self.assert_ids("/cursor", ROWS, paging=paging)

    def test_cursors_lead_back_too(self):
        paging = {
            "strategy": "cursor",
            "from": "/next_page",
            "to": {"query": "cursor"},
            "previousFrom": "/previous_page",
            "sizeTo": {"query": "size"},
        }
        server = self.open_http(self.origin, "/cursor", pageSize=4, paging=paging)
        server.wait_loaded("s")
        for _ in range(2):
            server.call("loadMore", {"session": "s"})
        server.call("setScrolledID", {"session": "s", "id": 11})
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        # A later list begins at that page, and goes back from there.
        again = self.open_http(self.origin, "/cursor", pageSize=4, paging=paging, resume=token)
        again.wait_loaded("s")
        again.barrier()
        self.assertEqual(again.model("s").ids, ROWS[8:12])
        while again.call("loadPrevious", {"session": "s"})["outcome"] == "loaded":
            pass
        self.assertEqual(self.scroll_to_end(again).ids, ROWS)

    def test_a_graphql_connection(self):
        query = """query ($first: Int, $after: String) { items(first: $first, after: $after) {
            edges { node { id name } } pageInfo { hasNextPage endCursor } } }"""
        paging = {"strategy": "graphql", "connection": "/data/items"}
        names = ["n%d" % number for number in ROWS]
        self.assert_ids("/graphql/", names, idPath="/name", paging=paging, body={"query": query})
        error = self.failure(
            self.origin, LOAD_FAILED, "/graphql/", pageSize=1000, paging=paging, body={"query": query}
        )
        self.assertIn("first", error["message"])


@needs("mlflow", "flask", "flask_cors", "alembic", "aiohttp", "pandas")
class MLflowTests(RealServerCase):
    """Tokens in a body: of its experiments, and of the runs of one."""

    environment = {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}

    @classmethod
    def command(cls, port):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        return [
            *("-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"),
            *("--backend-store-uri", "sqlite:///" + os.path.join(folder.name, "mlflow.db")),
            *("--default-artifact-root", os.path.join(folder.name, "artifacts")),
        ]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for number in range(22):
            cls.post("experiments/create", name="e%d" % number)
        cls.empty = cls.post("experiments/create", name="empty")["experiment_id"]
        for number in ROWS:
            cls.post("runs/create", experiment_id="0", start_time=number)
        found = cls.post("experiments/search", max_results=1000)["experiments"]
        cls.experiments = [each["experiment_id"] for each in found]
        assert len(set(cls.experiments)) == 24
        cls.runs = [each["info"]["run_id"] for each in cls.post("runs/search", experiment_ids=["0"])["runs"]]
        assert len(set(cls.runs)) == len(ROWS)

    @classmethod
    def post(cls, method, **body):
        request = urllib.request.Request(
            cls.origin + "/api/2.0/mlflow/" + method, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    QUERY = {
        "strategy": "cursor",
        "from": "/next_page_token",
        "to": {"query": "page_token"},
        "sizeTo": {"query": "max_results"},
    }
    BODY = dict(QUERY, to={"body": "/page_token"}, sizeTo={"body": "/max_results"})
    EXPERIMENTS = "/api/2.0/mlflow/experiments/search"
    RUNS = "/api/2.0/mlflow/runs/search"

    def test_tokens_in_the_query(self):
        self.assert_ids(self.EXPERIMENTS, self.experiments, idPath="/experiment_id", paging=self.QUERY)

    def test_tokens_in_the_body(self):
        members = {"method": "POST", "body": {"experiment_ids": ["0"]}, "paging": self.BODY, "idPath": "/info/run_id"}
        self.assert_ids(self.RUNS, self.runs, **members)
        self.assert_ids(self.RUNS, [], sizes=(3,), **dict(members, body={"experiment_ids": [self.empty]}))

    def test_auto_refuses_to_guess(self):
        error = self.failure(self.origin, BAD_PAGE, self.EXPERIMENTS + "?max_results=5")
        self.assertIn("/next_page_token", error["message"])
        self.assert_ids(self.EXPERIMENTS + "?max_results=24", self.experiments, sizes=(5,), idPath="/experiment_id")

    def test_a_parameter_that_it_ignores_is_noticed(self):
        """It gives the first page again and again."""
        paging = dict(self.QUERY, to={"query": "cursor"})
        members = {"pageSize": 5, "paging": paging, "idPath": "/experiment_id"}
        error = self.later_failure(self.origin, path=self.EXPERIMENTS, **members)
        self.assertEqual(error["code"], CYCLE)
        self.assertEqual(self.pagewire.model("s").ids, self.experiments[:5])

    def test_a_token_that_is_none(self):
        error = self.failure(self.origin, LOAD_FAILED, self.EXPERIMENTS, paging=self.QUERY, startAt="zzz")
        self.assertEqual((error["data"]["status"], error["data"]["retryable"]), (400, False))
        self.assertEqual(error["data"]["cause"]["error_code"], "INVALID_PARAMETER_VALUE")


if __name__ == "__main__":
    unittest.main()
