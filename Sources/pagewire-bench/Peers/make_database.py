"""A table with so many rows, ten to a value of the key, so that pages begin within them. argv: the path, the rows."""

import sqlite3
import sys

connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode=OFF")
connection.execute("PRAGMA synchronous=OFF")
connection.execute("BEGIN")
connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, made INTEGER, name TEXT)")
connection.execute(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
    "INSERT INTO t SELECT i, i / 10, 'row ' || i FROM n",
    (int(sys.argv[2]),),
)
connection.execute("CREATE INDEX by_made ON t(made)")
connection.execute("COMMIT")
