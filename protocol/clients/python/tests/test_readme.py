"""The programs of the README run as they stand."""

import pathlib
import re
import sqlite3
import subprocess
import sys

README = pathlib.Path(__file__).parents[1] / "README.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.S)


def run(program, folder):
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ten_lines_print_a_file(tmp_path):
    text = README.read_text("utf-8")
    (tmp_path / "README.md").write_text(text, "utf-8")
    assert run(PROGRAMS[0], tmp_path) == text


def test_asyncio_prints_a_table(tmp_path):
    with sqlite3.connect(tmp_path / "music.db") as database:
        database.execute("create table tracks (id integer primary key, title text)")
        database.executemany(
            "insert into tracks (title) values (?)", [("Track %d" % number,) for number in range(1200)]
        )
    database.close()
    printed = run(PROGRAMS[1], tmp_path).splitlines()
    assert len(printed) == 1200 and printed[-1] == "{'id': 1200, 'title': 'Track 1199'}"


def test_pages_of_your_own(tmp_path):
    before = """
from types import SimpleNamespace
from pagewire import Client
def my_search(after, limit):
    first = after or 0
    cursor = first + limit if first + limit < 50 else None
    return SimpleNamespace(rows=[{"key": n} for n in range(first, min(50, first + limit))], cursor=cursor)
client = Client().start()
"""
    last = PROGRAMS[2].strip().splitlines()[-1]
    program = before + PROGRAMS[2].replace(last, "print(sum(1 for _ in %s))\nclient.close()" % last)
    assert run(program, tmp_path) == "50\n"
