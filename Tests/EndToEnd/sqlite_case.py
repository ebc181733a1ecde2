"""What the tests of the sqlite source share: databases, what Python's sqlite3 says of them, and walks through pages."""

import base64
import contextlib
import json
import math
import os
import sqlite3

from support import NO_RETRY, EndToEndCase

SIZES = (1, 2, 7, 100, 1000, 5000)
# What a keyset can stumble over: NULLs, types side by side, what compares as equal, what no JSON number can hold.
AWKWARD = (
    None,
    0,
    -1,
    1,
    2**53 + 1,
    2**53,
    2**63 - 1,
    -(2**63),
    0.5,
    -0.5,
    1.0,
    1e300,
    5e-324,
    0.1 + 0.2,
    math.inf,
    -math.inf,
    "",
    "a",
    "A",
    "b",
    "ä",
    "1",
    "a\0b",
    "quote \" and ' and \\",
    "\U0001f600",
    b"",
    b"\0",
    b"a",
    b"\xff\xfe",
)


def as_json(value):
    """A value as an item shows it."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def tagged(value):
    """A value as a cursor holds it."""
    if isinstance(value, bytes):
        return "b:" + base64.b64encode(value).decode("ascii")
    if isinstance(value, float):
        return "r:%r" % value
    return value if value is None else ("i:%d" if isinstance(value, int) else "t:%s") % value


def exact(items):
    """Items so that 1 and 1.0 differ, and the order of members counts."""
    return [json.dumps(item) for item in items]


class SQLiteCase(EndToEndCase):
    def database(self, *statements, name="data.db"):
        path = os.path.join(self.folder(), name)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                if isinstance(statement, tuple):
                    connection.executemany(*statement)
                else:
                    connection.execute(statement)
            connection.commit()
        return path

    def oracle(self, path, query, parameters=(), raw=False):
        """The rows that SQLite gives, as items or as cursors before them."""
        with contextlib.closing(sqlite3.connect(path)) as connection:
            cursor = connection.execute(query, parameters)
            if raw:
                cursors = []
                for row in cursor:
                    values = [tagged(value) for value in row]
                    same = sum(1 for each in cursors if each["before"] == values)
                    cursors.append({"before": values, "equal": same})
                return cursors
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, map(as_json, row))) for row in cursor]

    def open(self, server, path, session="s", pageSize=100, members=None, **source):
        members = dict({"retry": NO_RETRY, "dedupe": False}, **(members or {}))
        state = server.open(session, dict(source, type="sqlite", path=path), pageSize=pageSize, **members)
        return state

    def walk(self, server, path, size, **source):
        """All items in pages of that size, from the first to the last."""
        session = "walk%d" % server.mark()
        self.open(server, path, session, size, **source)
        server.wait_loaded(session)
        while server.model(session).facts["hasMore"]:
            server.call("loadMore", {"session": session})
        items = list(server.model(session).items)
        server.call("close", {"session": session})
        return items

    def walk_back(self, server, path, size, cursor, **source):
        """All items before a cursor, in pages of that size, from the last page to the first."""
        session = "back%d" % server.mark()
        self.open(server, path, session, size, members={"startAt": cursor}, **source)
        server.wait_loaded(session)
        while server.call("state", {"session": session})["hasPrevious"]:
            server.call("loadPrevious", {"session": session})
        items = list(server.model(session).items)
        server.call("close", {"session": session})
        return items

    def source_error(self, code, path, **source):
        server = self.server()
        self.open(server, path, **source)
        error = server.wait_notification("loadFailed").params["error"]
        self.assertEqual(error["code"], code, error)
        return error

    def facts(self, path, **source):
        server = self.server()
        self.open(server, path, **source)
        server.wait_loaded("s")
        return server.call("state", {"session": "s"})["source"]
