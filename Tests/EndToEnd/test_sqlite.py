"""The sqlite source, against what Python's sqlite3 says of the same database (contract section 9)."""

import contextlib
import os
import random
import sqlite3

from sqlite_case import AWKWARD, SIZES, SQLiteCase, as_json, exact


class OrderTests(SQLiteCase):
    """Every row once, in SQLite's order, for every page size and in both directions."""

    def check(self, path, order, slots, sizes=SIZES, name="t", query=None, **source):
        """Pages through a table or query; `order` is the order as SQL, `slots` the values that its cursors hold."""
        source.update({"query": query} if query else {"table": name})
        from_ = "(%s)" % query if query else name
        expected = exact(self.oracle(path, "SELECT * FROM %s ORDER BY %s" % (from_, order)))
        cursors = self.oracle(path, "SELECT %s FROM %s ORDER BY %s" % (slots, from_, order), raw=True)
        server = self.server()
        for size in sizes:
            with self.subTest(size=size, **source):
                self.assertEqual(exact(self.walk(server, path, size, **source)), expected)
            # Where nothing lies before the place, the list goes on behind it.
            if len(cursors) < 2:
                continue
            with self.subTest(size=size, back=True, **source):
                self.assertEqual(exact(self.walk_back(server, path, size, cursors[-1], **source)), expected[:-1])
                middle = len(cursors) // 2
                found = exact(self.walk_back(server, path, size, cursors[middle], **source))
                self.assertEqual(found, expected[:middle])

    def awkward(self, declaration="id INTEGER PRIMARY KEY, v, w", options="", count=3):
        """A table with every awkward value several times, in an order that means nothing."""
        rows = [(value, number % 2) for number in range(count) for value in AWKWARD]
        rows.sort(key=lambda row: hash((repr(row[0]), 7)))
        return self.database(
            "CREATE TABLE t(%s)%s" % (declaration, options), ("INSERT INTO t(v, w) VALUES(?, ?)", rows)
        )

    def test_the_primary_key(self):
        path = self.awkward()
        self.check(path, "id", "id")

    def test_the_row_id(self):
        path = self.awkward("v, w")
        self.check(path, "rowid", "rowid")

    def test_a_declared_column_of_all_types_each_way(self):
        path = self.awkward()
        for direction in ("", " DESC"):
            key = [{"column": "v", "descending": bool(direction)}]
            self.check(path, "v%s, id" % direction, "v, id", sizes=(1, 2, 7, 100), key=key)

    def test_with_an_index_the_same(self):
        path = self.awkward()
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE INDEX i ON t(v DESC, w)")
            connection.execute("ANALYZE")
            connection.commit()
        for key, order in (
            ([("v", True), ("w", False)], "v DESC, w, id"),
            ([("v", False), ("w", True)], "v, w DESC, id"),
            ([("v", False), ("w", False)], "v, w, id"),
            ([("w", True), ("v", False)], "w DESC, v, id"),
        ):
            columns = [{"column": column, "descending": descending} for column, descending in key]
            slots = ", ".join([column for column, _ in key] + ["id"])
            self.check(path, order, slots, sizes=(1, 7, 50), key=columns)

    def test_collations_and_affinities(self):
        for declaration in (
            "v TEXT COLLATE NOCASE",
            "v TEXT",
            "v NUMERIC",
            "v REAL",
            "v INTEGER",
            "v TEXT COLLATE RTRIM",
        ):
            path = self.awkward("id INTEGER PRIMARY KEY, %s, w" % declaration)
            for direction in ("", " DESC"):
                key = [{"column": "V", "descending": bool(direction)}]
                self.check(path, "v%s, id" % direction, "v, id", sizes=(1, 5), key=key)

    def test_without_rowid(self):
        rows = [(a, b) for a in ("x", "X", "y", "", "ä") for b in (-1, 0, 2**62, 0.5, "", b"")]
        path = self.database(
            "CREATE TABLE t(a TEXT, b, PRIMARY KEY(b DESC, a)) WITHOUT ROWID", ("INSERT INTO t VALUES(?, ?)", rows)
        )
        self.check(path, "b, a", "b, a")
        self.check(path, "a DESC, b", "a, b", key=[{"column": "a", "descending": True}])

    def test_a_primary_key_finer_than_its_column(self):
        rows = [(a,) for a in ("x", "X", "y", "Y", "z")]
        path = self.database(
            "CREATE TABLE t(a TEXT COLLATE NOCASE, PRIMARY KEY(a COLLATE BINARY)) WITHOUT ROWID",
            ("INSERT INTO t VALUES(?)", rows),
        )
        self.check(path, "a COLLATE BINARY", "a")
        self.check(path, "a, a COLLATE BINARY", "a", key=[{"column": "a"}])

    def test_a_text_primary_key_with_nulls(self):
        rows = [(a,) for a in (None, "b", None, "a", None)]
        path = self.database("CREATE TABLE t(a TEXT PRIMARY KEY)", ("INSERT INTO t VALUES(?)", rows))
        self.check(path, "a, rowid", "a, rowid")

    def test_names_that_need_quotes(self):
        path = self.database(
            'CREATE TABLE "a""b; drop"("order" INTEGER, "x""y", rowid TEXT, "" INTEGER)',
            ('INSERT INTO "a""b; drop" VALUES(?, ?, ?, 1)', [(n % 3, "v", "r%d" % n) for n in range(10)]),
        )
        key = [{"column": "order", "descending": True}, {"column": 'x"y'}]
        server = self.server()
        items = self.walk(server, path, 3, table='a"b; drop', key=key)
        self.assertEqual([item["rowid"] for item in items], ["r%d" % n for n in (2, 5, 8, 1, 4, 7, 0, 3, 6, 9)])
        self.assertEqual(list(items[0]), ["order", 'x"y', "rowid", "column_4"])

    def test_a_query_with_a_key_that_is_not_unique(self):
        path = self.awkward()
        query = "SELECT w, v FROM t WHERE id > -100 ORDER BY v -- a comment"
        inner = "SELECT w, v FROM t"
        order = "v, w COLLATE BINARY, v COLLATE BINARY, typeof(w)||typeof(v)"
        expected = exact(self.oracle(path, "SELECT * FROM (%s) ORDER BY %s" % (inner, order)))
        server = self.server()
        for size in (1, 2, 7, 100):
            items = self.walk(server, path, size, query=query, key=[{"column": "v"}])
            self.assertEqual(exact(items), expected)
        self.check(
            path,
            "w DESC, w COLLATE BINARY, v COLLATE BINARY, typeof(w)||typeof(v)",
            "w, v, typeof(w)||typeof(v)",
            sizes=(1, 2, 7, 100),
            query=inner,
            key=[{"column": "w", "descending": True}],
        )

    def test_rows_that_are_the_same(self):
        path = self.database(
            "CREATE TABLE t(a, b)", ("INSERT INTO t VALUES(?, ?)", [(n // 10, n // 20 * 1.0) for n in range(60)])
        )
        self.check(
            path,
            "b DESC, a",
            "b, a, typeof(a)||typeof(b)",
            sizes=(1, 2, 3, 7, 10, 100),
            query="SELECT a, b FROM t",
            key=[{"column": "b", "descending": True}],
        )

    def test_a_view(self):
        path = self.awkward()
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE VIEW seen AS SELECT id, v FROM t WHERE w")
            connection.commit()
        slots = "id, v, typeof(id)||typeof(v)"
        self.check(path, "id DESC", slots, sizes=(1, 7, 100), name="seen", key=[{"column": "id", "descending": True}])
        server = self.server()
        for size in (1, 7, 100):
            items = self.walk(server, path, size, table="seen")
            self.assertEqual(exact(items), exact(self.oracle(path, "SELECT * FROM seen")))
        self.assertEqual(self.facts(path, table="seen")["paging"], "offset")

    def test_a_query_without_a_key_is_counted(self):
        path = self.awkward()
        query = "SELECT id, v FROM t WHERE id > :least ORDER BY v DESC, id LIMIT 40;  -- so many "
        expected = exact(self.oracle(path, query.split(";")[0], {"least": 5}))
        server = self.server()
        for size in (1, 2, 7, 39, 40, 41, 1000):
            self.assertEqual(exact(self.walk(server, path, size, query=query, params={"least": 5})), expected)
            back = self.walk_back(server, path, size, {"before": 40}, query=query, params={"least": 5})
            self.assertEqual(exact(back), expected)
        facts = self.facts(path, query=query, params={"least": 5})
        self.assertEqual(facts["paging"], "offset")
        self.assertIn("key", facts["reason"])

    def test_random_tables_and_keys(self):
        seed = int(os.environ.get("PAGEWIRE_TEST_SEED", "20"))
        draw = random.Random(seed)
        kinds = ("", "INTEGER", "REAL", "TEXT", "TEXT COLLATE NOCASE", "BLOB", "NUMERIC", "TEXT COLLATE RTRIM")
        for number in range(30):
            names = ["a", "b", "c"][: draw.randint(1, 3)]
            bare = draw.random() < 0.3
            columns = ["%s %s%s" % (name, draw.choice(kinds), " NOT NULL" if bare else "") for name in names]
            own = draw.sample(names, draw.randint(1, len(names))) if bare else []
            if own:
                columns.append("PRIMARY KEY(%s)" % ", ".join(own))
            few = draw.sample(AWKWARD, draw.randint(1, 8))
            rows = [[draw.choice(few) for _ in names] for _ in range(draw.randint(0, 60))]
            path = self.database(
                "CREATE TABLE t(%s)%s" % (", ".join(columns), " WITHOUT ROWID" if bare else ""),
                ("INSERT OR IGNORE INTO t VALUES(%s)" % ", ".join("?" * len(names)), rows),
            )
            key = [(name, draw.random() < 0.5) for name in draw.sample(names, draw.randint(1, len(names)))]
            tail = [name for name in own if name not in dict(key)] if bare else ["rowid"]
            if draw.random() < 0.5:
                with contextlib.closing(sqlite3.connect(path)) as connection:
                    wanted = ", ".join(name + draw.choice(("", " DESC")) for name, _ in key)
                    connection.execute("CREATE INDEX i ON t(%s)" % wanted)
            order = ", ".join([name + (" DESC" if descending else "") for name, descending in key] + tail)
            slots = ", ".join([name for name, _ in key] + tail)
            declared = [{"column": name, "descending": descending} for name, descending in key]
            with self.subTest(seed=seed, number=number, columns=columns):
                self.check(path, order, slots, sizes=(draw.randint(1, 9), 100), key=declared)


class RowTests(SQLiteCase):
    """What an item looks like, and which rows there are."""

    def test_every_value_exactly(self):
        path = self.database("CREATE TABLE t(v)", ("INSERT INTO t VALUES(?)", [(value,) for value in AWKWARD]))
        items = self.walk(self.server(), path, 1000, table="t")
        self.assertEqual([item["v"] for item in items], [as_json(value) for value in AWKWARD])

    def test_text_that_is_not_utf8(self):
        path = self.database("CREATE TABLE t(v TEXT, w)", "INSERT INTO t VALUES(CAST(x'61ff62' AS TEXT), 1), ('z', 2)")
        server = self.server()
        for key in (None, [{"column": "v"}]):
            source = {"key": key} if key else {}
            items = self.walk(server, path, 1, table="t", **source)
            self.assertEqual([item["v"] for item in items], ["a\ufffdb", "z"])

    def test_a_utf16_database(self):
        rows = [("ä",), ("\U0001f600",), ("z",), ("",)]
        path = self.database(
            "PRAGMA encoding='UTF-16le'", "CREATE TABLE t(v TEXT PRIMARY KEY)", ("INSERT INTO t VALUES(?)", rows)
        )
        self.assertEqual(self.walk(self.server(), path, 1, table="t"), self.oracle(path, "SELECT v FROM t ORDER BY v"))

    def test_columns_in_their_order_with_names_made_different(self):
        path = self.database("CREATE TABLE t(id INTEGER PRIMARY KEY, b, c)", "INSERT INTO t VALUES(1, 2, 3), (4, 5, 6)")
        server = self.server()
        items = self.walk(server, path, 1, table="t", columns=["C", "id", "c"])
        self.assertEqual(
            [list(item.items()) for item in items], [[("c", c), ("id", i), ("c_2", c)] for i, c in ((1, 3), (4, 6))]
        )
        items = self.walk(server, path, 1, query="SELECT b, c AS b, 7 AS b FROM t")
        self.assertEqual(items, [{"b": 2, "b_2": 3, "b_3": 7}, {"b": 5, "b_2": 6, "b_3": 7}])
        # The key need not be among the columns.
        items = self.walk(server, path, 1, table="t", columns=["c"], key=[{"column": "b", "descending": True}])
        self.assertEqual(items, [{"c": 6}, {"c": 3}])
        items = self.walk(
            server, path, 1, query="SELECT * FROM t", columns=["c"], key=[{"column": "b", "descending": True}]
        )
        self.assertEqual(items, [{"c": 6}, {"c": 3}])
        self.assertEqual(self.walk(server, path, 1, table="t", columns=["rowid"]), [{"rowid": 1}, {"rowid": 4}])

    def test_ids_and_hidden_and_generated_columns(self):
        path = self.database(
            "CREATE TABLE t(name TEXT, twice AS (name || name))", "INSERT INTO t(name) VALUES('a'), ('b'), ('c')"
        )
        server = self.server()
        self.open(server, path, table="t", members={"idPath": "/twice"})
        server.wait_loaded("s")
        self.assertEqual(server.model("s").ids, ["aa", "bb", "cc"])

    def test_no_rows(self):
        path = self.database("CREATE TABLE t(v)")
        server = self.server()
        for source in (
            {"table": "t"},
            {"query": "SELECT * FROM t"},
            {"query": "SELECT * FROM t", "key": [{"column": "v"}]},
        ):
            self.assertEqual(self.walk(server, path, 3, **source), [])

    def test_full_text_tables_by_their_row_ids(self):
        try:
            path = self.database(
                "CREATE VIRTUAL TABLE t USING fts5(v)", ("INSERT INTO t VALUES(?)", [("w%d" % n,) for n in range(20)])
            )
        except sqlite3.OperationalError:
            self.skipTest("no fts5 here")
        items = self.walk(self.server(), path, 7, table="t")
        self.assertEqual(items, [{"v": "w%d" % n} for n in range(20)])

    def test_parameters_of_every_type(self):
        path = self.database("CREATE TABLE t(v)")
        server = self.server()
        query = "SELECT ? AS a, ?3 AS c, ?2 AS b, :d AS d, typeof(?3) AS t, typeof(?2) AS u, typeof(?5) AS w, ?5 AS x, ? AS y"
        values = [2**63 - 1, 0.5, "x\0y", True, {"base64": "AP8="}, None]
        items = self.walk(server, path, 3, query=query, params=values)
        self.assertEqual(
            items,
            [
                {
                    "a": 2**63 - 1,
                    "c": "x\0y",
                    "b": 0.5,
                    "d": 1,
                    "t": "text",
                    "u": "real",
                    "w": "blob",
                    "x": "AP8=",
                    "y": None,
                }
            ],
        )
        for params in ({"a": 1, ":b": "two"}, {"$a": 1, "a": 1, "b": "two"}):
            items = self.walk(server, path, 3, query="SELECT $a AS x, :b AS y, @a AS z", params=params)
            self.assertEqual(items, [{"x": 1, "y": "two", "z": 1}])

    def test_the_key_of_an_item_and_the_state(self):
        path = self.database("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT NOT NULL)", "INSERT INTO t VALUES(3, 'x')")
        facts = self.facts(path, table="t", key=[{"column": "b", "descending": True}])
        self.assertEqual(facts["paging"], "keyset")
        self.assertEqual(facts["key"], [{"column": "b", "descending": True}, {"column": "a", "descending": False}])
        self.assertEqual(facts["table"], "t")
