"""Comma- and tab-separated files against Python's csv module, whatever stands in them (specification, section 15.3)."""

import csv
import io
import random
import unittest

from support import BAD_PAGE, BAD_PARAMS, NO_RETRY, EndToEndCase


class CSVCase(EndToEndCase):
    def read(self, text, name="table.csv", pageSize=3, server=None, session="s", **source):
        """The items of a file with this text, and the error that ended it, if one did."""
        self.path = self.file(text.encode() if isinstance(text, str) else text, name)
        server = server or self.server()
        server.open(session, dict(source, type="file", path=self.path), pageSize=pageSize, retry=NO_RETRY)
        server.wait_loaded(session)
        model = server.model(session)
        while model.facts["hasMore"]:
            try:
                server.call("loadMore", {"session": session})
            except Exception as error:
                return model.items, error
        return model.items, None


def parsed(text, delimiter=","):
    """What Python's csv module makes of it, without empty records."""
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


def is_closed(text, delimiter):
    """Whether no quotes are open at the end: a record that is added there is one of its own."""
    return parsed(text + "\nend%send\n" % delimiter, delimiter)[-1:] == [["end", "end"]]


class RandomTests(CSVCase):
    def test_random_texts_are_read_as_python_reads_them(self):
        """Any order of quotes, delimiters and line ends, of which only lone carriage returns are left out: see below."""
        server = self.server()
        done = 0
        for seed in range(160):
            chance = random.Random(seed)
            delimiter, name = chance.choice(((",", "t.csv"), ("\t", "t.tsv")))
            pieces = ["a", "b c", '"', '"', '""', delimiter, delimiter, "\n", "\r\n", "é", "日本", "\u2028", "'", ";"]
            text = "".join(chance.choice(pieces) for _ in range(chance.randrange(60)))
            if not is_closed(text, delimiter) or text.endswith("\r"):
                continue
            size = chance.choice((1, 2, 100))
            items, error = self.read(text, name, size, server, "s%d" % seed, header=False)
            self.assertIsNone(error, "seed %d" % seed)
            self.assertEqual(items, parsed(text, delimiter), "seed %d: %r" % (seed, text))
            done += 1
        self.assertGreater(done, 60)

    def test_random_tables_written_by_python_come_back(self):
        server = self.server()
        for seed in range(40):
            chance = random.Random(seed)
            names = ["key", "name", 'with "quotes"', "with, comma", "line\nend"][: chance.randrange(1, 6)]
            quoting = chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
            # Python writes a lone carriage return without quotes, and would not read it again itself.
            letters = 'xyzé ,;"\n\'' + ("\r" if quoting == csv.QUOTE_ALL else "")
            rows = [
                ["".join(chance.choices(letters, k=chance.choice((0, 1, 5, 200)))) for _ in names]
                for _ in range(chance.randrange(1, 40))
            ]
            out = io.StringIO(newline="")
            ends = chance.choice(("\n", "\r\n"))
            csv.writer(out, lineterminator=ends, quoting=quoting).writerows([names] + rows)
            text = chance.choice(("", "\ufeff")) + out.getvalue()
            items, error = self.read(text, "t.csv", chance.choice((1, 3, 50)), server, "s%d" % seed)
            self.assertIsNone(error)
            self.assertEqual(items, [dict(zip(names, row)) for row in rows], "seed %d" % seed)

    def test_ragged_rows_are_read_as_python_reads_them(self):
        server = self.server()
        for seed in range(40):
            chance = random.Random(seed)
            names = ["a", "b", "c"]
            rows = [[str(chance.randrange(9)) for _ in range(chance.randrange(1, 6))] for _ in range(20)]
            text = "\n".join(",".join(row) for row in [names] + rows)
            items, error = self.read(text, "t.csv", 7, server, "s%d" % seed)
            self.assertIsNone(error)
            for item, expected in zip(items, csv.DictReader(io.StringIO(text), restkey="rest")):
                rest = expected.pop("rest", [])
                self.assertEqual({name: item[name] for name in names}, expected)
                self.assertEqual([item["column_%d" % (4 + n)] for n in range(len(rest))], rest)
                self.assertEqual(len(item), 3 + len(rest))
            self.assertEqual(len(items), len(rows))

    def test_a_lone_carriage_return_is_a_character(self):
        """Python ends a record there; here only a line feed does, as for all other text (section 15.3)."""
        items, _ = self.read("a\rb,c\r\nd\n", header=False)
        self.assertEqual(items, [["a\rb", "c"], ["d"]])


class QuoteTests(CSVCase):
    def test_a_stray_quote_takes_in_no_more_than_a_record_may_have(self):
        good = "".join("%d,x\n" % n for n in range(10))
        rest = "".join("%d,y\n" % n for n in range(300_000))
        items, error = self.read("id,v\n" + good + '11,"oops\n' + rest, pageSize=10)
        self.assertEqual(len(items), 10)
        self.assertEqual(error.data["name"], "limitExceeded")
        self.assertEqual(error.data["offset"], len("id,v\n" + good))
        self.assertEqual(error.data["limit"], 1 << 20)
        # With the format that the message names, all of it can still be seen.
        self.assertIn('format "lines"', str(error))
        lines, error = self.read("id,v\n" + good + '11,"oops\n12,y\n', format="lines")
        self.assertEqual([each["text"] for each in lines][-2:], ['11,"oops', "12,y"])

    def test_quotes_that_never_close_are_named(self):
        items, error = self.read('id,v\n1,x\n2,"y\n3,z\n', pageSize=1)
        self.assertEqual(items, [{"id": "1", "v": "x"}])
        self.assertEqual((error.code, error.data["offset"]), (BAD_PAGE, len('id,v\n1,x\n2,')))

    def test_a_byte_order_mark_before_a_quoted_name(self):
        items, _ = self.read('\ufeff"id",n\n1,2\n')
        self.assertEqual(items, [{"id": "1", "n": "2"}])


class BackwardTests(CSVCase):
    """Whether a byte lies between quotes shows only to who reads from the start, so there is no way back into a table."""

    AMBIGUOUS = 'a,"b\nc","d\ne",f\n'

    def test_places_that_need_the_way_back_are_refused(self):
        server = self.server()
        path = self.file(self.AMBIGUOUS.encode(), "t.csv")
        for place in ("end", {"offset": 4}, {"line": 2}, {"fraction": 0.5}):
            for name in ("t.csv", "t.tsv"):
                error = self.refused(BAD_PARAMS, server.open, "s", {"type": "file", "path": path, "from": place})
                self.assert_names(error, "/source/from")

    def test_the_first_page_is_the_start(self):
        server = self.server()
        path = self.file(self.AMBIGUOUS.encode() * 20, "t.csv")
        server.open("s", {"type": "file", "path": path, "header": False}, pageSize=3)
        server.wait_loaded("s")
        self.assertFalse(server.model("s").facts["hasPrevious"])
        self.assertEqual(server.call("loadPrevious", {"session": "s"})["outcome"], "ended")

    def test_dropped_pages_come_again_by_the_places_where_they_began(self):
        rows = [["%d" % n, "x\ny" * (n % 3), 'q"%d' % n] for n in range(400)]
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows(rows)
        server = self.server()
        path = self.file(out.getvalue().encode(), "t.csv")
        server.open("s", {"type": "file", "path": path, "header": False}, pageSize=10, maxItems=50)
        server.wait_loaded("s")
        model = server.model("s")
        self.scroll_to_end(server)
        self.assertGreater(model.first, 0)
        while model.facts["hasPrevious"]:
            server.call("loadPrevious", {"session": "s"})
            server.call("visibleRange", {"session": "s", "first": model.first, "last": model.first})
            server.until(lambda: not model.loading, "the load ends")
            server.barrier()
        self.assertEqual(model.items[:50], rows[: len(model.items[:50])])


if __name__ == "__main__":
    unittest.main()
