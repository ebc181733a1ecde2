"""The http source against servers that are not ours, each started from PyPI: the items are those that the server has.

Where their packages are missing the tests are skipped, unless PAGEWIRE_REAL_SERVERS is set, as it is by `.ci/run`.
"""

import importlib.util
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from pagewire_client import RPCError
from support import BAD_PAGE, LOAD_FAILED
from test_http import HTTPCase

SERVERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "servers")
SIZES = (1, 2, 3, 7, 22, 23, 24, 100)
ROWS = list(range(1, 24))


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

    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.origin = "http://127.0.0.1:%d" % port
        # What it says is of interest only where it does not come up.
        output = tempfile.TemporaryFile()
        cls.addClassCleanup(output.close)
        command = [sys.executable] + cls.command(port)
        cls.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        cls.addClassCleanup(cls.process.wait)
        cls.addClassCleanup(cls.process.kill)
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
                    for number in range(1, 61)
                ],
            )
            database.execute("create table pairs(a text, b text, id integer, primary key(a,b))")
            database.executemany(
                "insert into pairs values(?,?,?)",
                [("a,%d" % (number // 10), "b/%d ä" % (number % 10), number) for number in range(40)],
            )
        return ["-m", "datasette", "serve", cls.database, "--host", "127.0.0.1", "--port", str(port)]

    def test_next_url_and_link(self):
        expected = list(range(1, 61))
        path = "/demo/items.json?_shape=objects"
        next_url = {"strategy": "nextUrl", "from": "/next_url", "sizeParam": "_size"}
        self.assert_ids(path, expected, sizes=(7, 30, 59, 60, 61), paging=next_url)
        for shape in ("objects", "array"):
            self.assert_ids("/demo/items.json?_size=7&_shape=" + shape, expected, sizes=(7,))
        link = {"strategy": "link", "sizeParam": "_size"}
        self.assert_ids("/demo/items.json?_shape=array", expected, sizes=(1, 7, 60, 1000), paging=link)

    def test_tokens_with_awkward_characters(self):
        """Compound keys, a sort column with NULLs, and integers that no double holds."""
        cursor = {"strategy": "cursor", "from": "/next", "to": {"query": "_next"}, "sizeTo": {"query": "_size"}}
        self.assert_ids("/demo/pairs.json?_shape=objects", list(range(40)), sizes=(3, 39), paging=cursor)
        with sqlite3.connect(self.database) as database:
            sorted_ids = [row[0] for row in database.execute("select id from items order by grp, id")]
        path = "/demo/items.json?_shape=objects&_sort=grp"
        self.read_all(self.origin, path, pageSize=7, paging=cursor)
        self.assertEqual(sorted(self.pagewire.model("s").ids), sorted(sorted_ids))
        self.assertEqual({item["big"] - item["id"] for item in self.pagewire.model("s").items}, {9007199254740993})


@needs("django", "rest_framework")
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
        self.assert_ids("/offset/", ROWS, sizes=(4, 23), paging={"strategy": "nextUrl", "sizeParam": "limit"})

    def test_cursors(self):
        """They hold offsets inside of ties, and lead back as well."""
        paging = {"strategy": "nextUrl", "previousFrom": "/previous", "sizeParam": "page_size"}
        self.assert_ids("/cursor/", ROWS, paging=paging)

    def test_link_header(self):
        paging = {"strategy": "link", "sizeParam": "page_size"}
        self.assert_ids("/link/", ROWS, paging=paging, total={"header": "X-Total-Count"})

    def test_auto(self):
        for path in ("/page/", "/offset/", "/cursor/", "/link/"):
            self.assert_ids(path, ROWS, sizes=(3,))

    def test_the_way_back(self):
        for path, paging, start in (
            ("/page/", {"strategy": "nextUrl", "previousFrom": "/previous"}, "?page=5"),
            ("/link/", {"strategy": "link"}, "?page=5"),
            ("/page/", {"strategy": "page"}, 5),
            ("/offset/", {"strategy": "offset", "sizeParam": "limit"}, 11),
        ):
            with self.subTest(path=path, paging=paging):
                server = self.open_http(self.origin, path, pageSize=3, paging=paging, startAt=start)
                server.wait_loaded("s")
                while server.call("loadPrevious", {"session": "s"})["outcome"] == "loaded":
                    pass
                self.assertEqual(self.scroll_to_end(server).ids, ROWS)

    def test_throttling(self):
        server = self.open_http(self.origin, "/throttled/", pageSize=3, paging={"strategy": "page"})
        server.wait_loaded("s")
        with self.assertRaises(RPCError):
            for _ in range(3):
                server.call("loadMore", {"session": "s"})
        error = server.wait_notification("loadFailed").params["error"]
        self.assertEqual((error["code"], error["data"]["status"], error["data"]["retryable"]), (LOAD_FAILED, 429, True))
        self.assertTrue(0 < error["data"]["retryAfterMs"] <= 60_000)


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

    def test_auto_takes_links_and_refuses_to_guess(self):
        for path in ("/links?size=4", "/header?size=4", "/page"):
            self.assert_ids(path, ROWS, sizes=(4,))
        for path in ("/page?size=4", "/offset?limit=4", "/cursor?size=4"):
            error = self.failure(self.origin, BAD_PAGE, path)
            self.assertTrue(error["data"]["evidence"], error)

    def test_cursors_that_come_encoded(self):
        paging = {"strategy": "cursor", "from": "/next_page", "to": {"query": "cursor"}, "sizeTo": {"query": "size"}}
        self.assert_ids("/cursor", ROWS, paging=paging)

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


if __name__ == "__main__":
    unittest.main()
