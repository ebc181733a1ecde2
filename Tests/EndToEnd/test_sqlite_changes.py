"""The sqlite source while others write, where something is wrong, and at size (contract section 9)."""

import contextlib
import os
import sqlite3
import time

from sqlite_case import SQLiteCase, tagged
from support import BAD_PARAMS, CHANGED, LIMIT_EXCEEDED, LOAD_FAILED, REFUSED, UNAVAILABLE


class ChangeTests(SQLiteCase):
    """What others do to the database meanwhile."""

    def numbers(self, count=30, mode=None):
        statements = ["PRAGMA journal_mode=%s" % mode] if mode else []
        return self.database(
            *statements,
            "CREATE TABLE t(id INTEGER PRIMARY KEY)",
            ("INSERT INTO t VALUES(?)", [(10 * n,) for n in range(count)]),
        )

    def test_rows_that_come_and_go_between_pages_move_no_others(self):
        for mode in ("DELETE", "WAL"):
            with self.subTest(mode), contextlib.closing(sqlite3.connect(self.numbers(mode=mode))) as writer:
                path = writer.execute("PRAGMA database_list").fetchone()[2]
                server = self.server()
                self.open(server, path, table="t", pageSize=10)
                server.wait_loaded("s")
                with writer:
                    writer.execute("INSERT INTO t VALUES(-5), (45), (95), (155)")
                    writer.execute("DELETE FROM t WHERE id IN (0, 90, 100)")
                server.call("loadMore", {"session": "s"})
                with writer:
                    writer.execute("INSERT INTO t VALUES(1000)")
                while server.model("s").facts["hasMore"]:
                    server.call("loadMore", {"session": "s"})
                seen = [item["id"] for item in server.model("s").items]
                expected = list(range(0, 100, 10)) + [95] + list(range(110, 300, 10)) + [155, 1000]
                self.assertEqual(seen, sorted(expected))
                # A refresh shows what there is now.
                server.call("refresh", {"session": "s"})
                self.assertEqual(server.model("s").items[0]["id"], -5)

    def test_a_writer_that_never_stops(self):
        path = self.numbers(1, mode="WAL")
        writer = sqlite3.connect(path)
        self.addCleanup(writer.close)
        server = self.server()
        self.open(server, path, table="t", pageSize=50)
        server.wait_loaded("s")
        highest = 0
        for _ in range(40):
            with writer:
                writer.executemany("INSERT INTO t VALUES(?)", [(highest + n,) for n in range(1, 60)])
            highest += 59
            server.call("loadMore", {"session": "s"})
            if not server.model("s").facts["hasMore"]:
                server.call("refresh", {"session": "s", "extent": "loaded"})
        seen = [item["id"] for item in server.model("s").items]
        self.assertEqual(seen, list(range(len(seen))))

    def test_a_locked_database_is_waited_for_and_then_given_up(self):
        path = self.numbers()
        locker = sqlite3.connect(path, isolation_level=None)
        self.addCleanup(locker.close)
        locker.execute("BEGIN EXCLUSIVE")
        server = self.server()
        begun = time.monotonic()
        self.open(server, path, table="t", busyTimeoutMs=100)
        # The loop goes on meanwhile.
        self.assertEqual(len(server.call("sessions")), 1)
        told = server.wait_notification("loadFailed").params
        self.assertGreaterEqual(time.monotonic() - begun, 0.1)
        self.assertEqual(told["error"]["code"], LOAD_FAILED)
        self.assertIn("locked", told["error"]["message"])
        self.assertTrue(told["error"]["data"]["retryable"])
        locker.execute("COMMIT")
        self.assertEqual(server.call("loadMore", {"session": "s"})["count"], 30)

    def test_closing_does_not_wait_for_a_lock(self):
        path = self.numbers()
        locker = sqlite3.connect(path, isolation_level=None)
        self.addCleanup(locker.close)
        locker.execute("BEGIN EXCLUSIVE")
        server = self.server()
        self.open(server, path, table="t", busyTimeoutMs=600_000)
        server.call("close", {"session": "s"})
        # The end of the server waits for what runs, so this shows that the wait for the lock was given up.
        server.finish()

    def test_a_query_without_an_end_is_cancelled(self):
        path = self.numbers(1)
        server = self.server()
        query = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c"
        self.open(server, path, query=query)
        server.call("close", {"session": "s"})
        server.finish()

    def test_a_file_that_is_gone(self):
        path = self.numbers()
        server = self.server()
        self.open(server, path, table="t", pageSize=5)
        server.wait_loaded("s")
        os.rename(path, path + ".away")
        error = self.refused(UNAVAILABLE, server.call, "loadMore", {"session": "s"})
        self.assertIn("No such file", str(error))
        os.rename(path + ".away", path)
        self.assertEqual(server.call("loadMore", {"session": "s"})["count"], 10)

    def test_another_file_in_its_place(self):
        path, other = self.numbers(), self.numbers(3)
        server = self.server()
        self.open(server, path, table="t", pageSize=5)
        server.wait_loaded("s")
        os.rename(other, path)
        self.refused(CHANGED, server.call, "loadMore", {"session": "s"})
        server.call("refresh", {"session": "s"})
        self.assertEqual([item["id"] for item in server.model("s").items], [0, 10, 20])

    def test_a_damaged_file(self):
        path = self.database(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, v)",
            ("INSERT INTO t VALUES(?, ?)", [(n, "x" * 500) for n in range(300)]),
        )
        size = os.path.getsize(path)
        with open(path, "r+b") as stream:
            stream.seek(size // 2)
            stream.write(b"\xa5" * (size - size // 2))
        server = self.server()
        self.open(server, path, table="t", pageSize=1000)
        error = server.wait_notification("loadFailed").params["error"]
        self.assertEqual(error["code"], LOAD_FAILED)
        self.assertIn("damaged", error["message"])
        self.assertFalse(error["data"]["retryable"])

    def test_a_table_that_is_dropped(self):
        path = self.numbers()
        server = self.server()
        self.open(server, path, table="t", pageSize=5)
        server.wait_loaded("s")
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("DROP TABLE t")
        error = self.refused(LOAD_FAILED, server.call, "loadMore", {"session": "s"})
        self.assertIn("no such table", str(error))

    def test_nothing_is_ever_written(self):
        path = self.numbers()
        with open(path, "rb") as stream:
            before = stream.read()
        for query in (
            "DELETE FROM t RETURNING id",
            "INSERT INTO t VALUES(5)",
            "SELECT 1; DELETE FROM t",
            "PRAGMA user_version=3",
            "PRAGMA table_list",
            "ATTACH 'x' AS y",
            "EXPLAIN SELECT 1",
            "VACUUM",
            "",
            "-- nothing",
            "SELECT 1) UNION SELECT (2",
            "SELECT 1 /* open",
            "SELEC 1",
            "SELECT nothing FROM t",
        ):
            with self.subTest(query):
                error = self.source_error(UNAVAILABLE, path, query=query)
                self.assertFalse(error["data"]["retryable"])
        self.assertIn(
            "not authorized", self.source_error(LOAD_FAILED, path, query="SELECT load_extension('x')")["message"]
        )
        with open(path, "rb") as stream:
            self.assertEqual(stream.read(), before)


class FaultTests(SQLiteCase):
    def test_members_are_named(self):
        path = self.database("CREATE TABLE t(a)")
        server = self.server()
        for source, pointer in (
            ({}, "/source/table"),
            ({"table": 3}, "/source/table"),
            ({"table": "a\0b"}, "/source/table"),
            ({"query": 3}, "/source/query"),
            ({"table": "t", "query": "SELECT 1"}, "/source/query"),
            ({"table": "t", "params": []}, "/source/params"),
            ({"query": "SELECT ?", "params": 3}, "/source/params"),
            ({"query": "SELECT ?", "params": [[1]]}, "/source/params/0"),
            ({"query": "SELECT ?", "params": [1, {"base64": "?"}]}, "/source/params/1"),
            ({"query": "SELECT ?", "params": {"a/b": {}}}, "/source/params/a~1b"),
            ({"table": "t", "key": []}, "/source/key"),
            ({"table": "t", "key": "a"}, "/source/key"),
            ({"table": "t", "key": ["a"]}, "/source/key/0"),
            ({"table": "t", "key": [{"column": "a"}, {"column": "A"}]}, "/source/key/1/column"),
            ({"table": "t", "key": [{"column": "a", "desc": True}]}, "/source/key/0/desc"),
            ({"table": "t", "key": [{"column": "a", "descending": 1}]}, "/source/key/0/descending"),
            ({"table": "t", "columns": []}, "/source/columns"),
            ({"table": "t", "columns": ["a", 3]}, "/source/columns/1"),
            ({"table": "t", "busyTimeoutMs": -1}, "/source/busyTimeoutMs"),
            ({"table": "t", "Table": "t"}, "/source/Table"),
        ):
            with self.subTest(source):
                error = self.refused(BAD_PARAMS, server.open, "s", dict(source, type="sqlite", path=path))
                self.assert_names(error, pointer)

    def test_what_is_no_file_fails_open(self):
        server = self.server()
        for path in ("/nowhere/at.db", self.folder(), "", "/dev/null"):
            error = self.refused(UNAVAILABLE, server.open, "s", {"type": "sqlite", "path": path, "table": "t"})
            self.assertIn("path", error.data)

    def test_what_is_no_database_fails_the_first_load(self):
        for content in (b"x" * 5000, b"SQLite format 3\0" + b"\xff" * 5000):
            error = self.source_error(UNAVAILABLE, self.file(content), table="t")
            self.assertFalse(error["data"]["retryable"])

    def test_an_empty_file_is_a_database_without_tables(self):
        self.assertIn("no table", self.source_error(UNAVAILABLE, self.file(b""), table="t")["message"])

    def test_names_and_parameters_that_are_not_there(self):
        path = self.database("CREATE TABLE t(a, b)")
        for source, said in (
            ({"table": "u"}, "no table or view u"),
            ({"table": "t", "columns": ["c"]}, "no column c"),
            ({"table": "t", "key": [{"column": "c"}]}, "no column c"),
            ({"query": "SELECT a FROM t", "key": [{"column": "b"}]}, "no column b"),
            ({"query": "SELECT a, a FROM t", "key": [{"column": "a"}]}, "more than one column a"),
            ({"query": "SELECT a FROM t WHERE b = ?"}, "1 parameters, and params has 0"),
            ({"query": "SELECT a FROM t", "params": [1]}, "0 parameters, and params has 1"),
            ({"query": "SELECT a FROM t WHERE b = ?", "params": {"b": 1}}, "must be an array"),
            ({"query": "SELECT a FROM t WHERE b = :b", "params": {"c": 1}}, "no value for the query's parameter :b"),
            ({"query": "SELECT a FROM t WHERE b = :b", "params": {"b": 1, "c": 2}}, "has no parameter c"),
        ):
            with self.subTest(source):
                self.assertIn(said, self.source_error(UNAVAILABLE, path, **source)["message"])

    def test_cursors_that_are_none(self):
        path = self.database("CREATE TABLE t(a)", "INSERT INTO t VALUES(1)")
        server = self.server()
        self.open(server, path, table="t")
        server.wait_loaded("s")
        for cursor in (
            3,
            "x",
            None,
            [],
            {},
            {"after": 3},
            {"after": []},
            {"after": ["i:1", "i:2"]},
            {"after": ["1"]},
            {"after": ["i:x"]},
            {"after": ["i:99999999999999999999"]},
            {"after": ["b:?"]},
            {"after": ["i:1"], "before": ["i:1"]},
            {"after": ["i:1"], "equal": -1},
        ):
            with self.subTest(cursor):
                if cursor is not None:
                    self.refused(LOAD_FAILED, server.call, "refresh", {"session": "s", "from": cursor})
        # A value of another type is a place like any other: text comes after numbers.
        for cursor, count in (
            ({"after": ["t:1"]}, 0),
            ({"after": ["r:0.5"]}, 1),
            ({"after": ["r:inf"]}, 0),
            ({"after": [None]}, 1),
        ):
            self.assertEqual(server.call("refresh", {"session": "s", "from": cursor})["count"], count)


class SizeTests(SQLiteCase):
    def test_a_million_rows_in_their_order(self):
        path = os.path.join(self.folder(), "million.db")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, grade INTEGER, name TEXT)")
            connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) "
                "INSERT INTO t SELECT i, nullif(i * 7919 % 1009, 5), 'row ' || i FROM n"
            )
            connection.execute("CREATE INDEX by_grade ON t(grade DESC)")
            first = connection.execute("SELECT id FROM t ORDER BY grade DESC, id LIMIT 3000").fetchall()
            last = connection.execute("SELECT id FROM t ORDER BY grade, id DESC LIMIT 3000").fetchall()
            cut = connection.execute("SELECT grade, id FROM t ORDER BY grade DESC, id LIMIT 1 OFFSET 700000").fetchone()
            middle = connection.execute("SELECT id FROM t ORDER BY grade DESC, id LIMIT 3000 OFFSET 700001").fetchall()
        server = self.server()
        key = [{"column": "grade", "descending": True}]
        self.open(server, path, table="t", pageSize=1000, key=key)
        server.wait_loaded("s")

        def ids(count):
            while len(server.model("s").items) < count:
                server.call("loadMore", {"session": "s"})
            return [(item["id"],) for item in server.model("s").items]

        self.assertEqual(ids(3000), first)
        server.call("refresh", {"session": "s", "from": {"after": [tagged(value) for value in cut]}})
        self.assertEqual(ids(3000), middle)
        # The last rows have NULL, then there are none.
        server.call("refresh", {"session": "s", "from": {"before": [None, "i:1000001"]}})
        while len(server.model("s").items) < 3000:
            server.call("loadPrevious", {"session": "s"})
        self.assertEqual([(item["id"],) for item in server.model("s").items][::-1], last)

    def test_a_page_is_cut_at_its_size_and_nothing_is_lost(self):
        path = self.database(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, v)",
            ("INSERT INTO t VALUES(?, zeroblob(4500000))", [(n,) for n in range(5)]),
        )
        server = self.server()
        for source in ({"table": "t"}, {"query": "SELECT * FROM t"}):
            items = self.walk(server, path, 5, **source)
            self.assertEqual([item["id"] for item in items], list(range(5)))
            end = {"before": 5} if "query" in source else {"before": ["i:5"]}
            items = self.walk_back(server, path, 5, end, **source)
            self.assertEqual([item["id"] for item in items], list(range(5)))

    def test_a_row_too_large_is_refused(self):
        path = self.database("CREATE TABLE t(v)", "INSERT INTO t VALUES(zeroblob(70000000))")
        server = self.server()
        self.open(server, path, table="t")
        error = server.wait_notification("loadFailed").params["error"]
        self.assertEqual(error["code"], LIMIT_EXCEEDED)


class PolicyTests(SQLiteCase):
    def test_a_database_outside_of_the_root_is_refused(self):
        path = self.database("CREATE TABLE t(a)", "INSERT INTO t VALUES(1)")
        root = self.folder()
        inside = os.path.join(root, "in.db")
        with contextlib.closing(sqlite3.connect(inside)) as connection:
            connection.execute("CREATE TABLE t(a)")
        link = os.path.join(root, "link.db")
        os.symlink(path, link)
        alias = os.path.join(root, "alias.db")
        os.symlink(inside, alias)
        server = self.server("--root", root)
        for outside in (path, link, os.path.join(root, "..", os.path.relpath(path, os.path.dirname(root)))):
            self.refused(REFUSED, server.open, "s", {"type": "sqlite", "path": outside, "table": "t"})
        self.assertEqual(self.walk(server, inside, 5, table="t"), [])
        self.assertEqual(self.walk(server, alias, 5, table="t"), [])
        # A link that is turned round afterwards leads nowhere.
        self.open(server, alias, table="t")
        server.wait_loaded("s")
        os.unlink(alias)
        os.symlink(path, alias)
        self.refused(REFUSED, server.call, "refresh", {"session": "s"})
