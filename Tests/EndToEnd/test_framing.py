"""Framing: what is accepted, what is refused, and that what follows works again (contract section 1)."""

import random
import unittest

from pagewire_client import Server
from strict_json import dumps, frame
from support import PARSE_ERROR, EndToEndCase, talk


def ping(raw_id="1"):
    return '{"jsonrpc":"2.0","id":%s,"method":"sessions"}' % raw_id


BODY = ping().encode()
LENGTH = str(len(BODY)).encode()

ACCEPTED = {
    "exact": b"Content-Length: %s\r\n\r\n",
    "lower case": b"content-length: %s\r\n\r\n",
    "upper case": b"CONTENT-LENGTH: %s\r\n\r\n",
    "mixed case": b"cOnTeNt-LeNgTh: %s\r\n\r\n",
    "no blank": b"Content-Length:%s\r\n\r\n",
    "two blanks": b"Content-Length:  %s\r\n\r\n",
    "tab": b"Content-Length:\t%s\r\n\r\n",
    "blanks after": b"Content-Length: %s \t \r\n\r\n",
    "line feeds": b"Content-Length: %s\n\n",
    "line feed, then CRLF": b"Content-Length: %s\n\r\n",
    "CRLF, then line feed": b"Content-Length: %s\r\n\n",
    "type after": b"Content-Length: %s\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
    "type first": b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %s\r\n\r\n",
    "utf8 without hyphen": b"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: %s\r\n\r\n",
    "charset in capitals": b"Content-Type: text/plain; CHARSET=UTF-8\r\nContent-Length: %s\r\n\r\n",
    "charset in quotes": b'Content-Type: text/plain; charset="utf-8"\r\nContent-Length: %s\r\n\r\n',
    "charset without blank": b"Content-Type: text/plain;charset=utf-8\r\nContent-Length: %s\r\n\r\n",
    "charset after another parameter": b"Content-Type: a/b; version=1; charset=utf-8\r\nContent-Length: %s\r\n\r\n",
    "type of Vim": b"Content-Length: %s\r\nContent-Type: application/vim-jsonrpc; charset=utf-8\r\n\r\n",
    "type without charset": b"Content-Type: application/json\r\nContent-Length: %s\r\n\r\n",
    "type in lower case": b"content-type: application/json; charset=utf-8\r\nContent-Length: %s\r\n\r\n",
    "other headers": b"X-One: 1\r\nContent-Length: %s\r\nX-Two: a: b\r\n\r\n",
    "empty header value": b"X-Empty:\r\nContent-Length: %s\r\n\r\n",
    "blank lines before": b"\r\n\r\n\r\nContent-Length: %s\r\n\r\n",
    "line feeds before": b"\n\nContent-Length: %s\r\n\r\n",
    "length twice, alike": b"Content-Length: %s\r\nContent-Length: %s\r\n\r\n",
}

REFUSED_HEADERS = {
    "no length": b"X-Other: 1\r\n\r\n",
    "type alone": b"Content-Type: application/json\r\n\r\n",
    "negative": b"Content-Length: -1\r\n\r\n",
    "negative, long": b"Content-Length: -99999999999999999999999\r\n\r\n",
    "word": b"Content-Length: many\r\n\r\n",
    "nothing": b"Content-Length:\r\n\r\n",
    "blanks": b"Content-Length:   \r\n\r\n",
    "rubbish after": b"Content-Length: 5x\r\n\r\n",
    "two numbers": b"Content-Length: 5 5\r\n\r\n",
    "fraction": b"Content-Length: 5.0\r\n\r\n",
    "exponent": b"Content-Length: 1e3\r\n\r\n",
    "hexadecimal": b"Content-Length: 0x10\r\n\r\n",
    "plus": b"Content-Length: +5\r\n\r\n",
    "over the limit": b"Content-Length: 67108865\r\n\r\n",
    "a terabyte": b"Content-Length: 1099511627776\r\n\r\n",
    "over 64 bits": b"Content-Length: 18446744073709551617\r\n\r\n",
    "near 64 bits": b"Content-Length: 9223372036854775807\r\n\r\n",
    "400 digits": b"Content-Length: " + b"9" * 400 + b"\r\n\r\n",
    "two that differ": b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
    "two that differ, apart": b"Content-Length: 5\r\nX: y\r\ncontent-length: 6\r\n\r\n",
    "no colon": b"GET / HTTP/1.1\r\n\r\n",
    "shell prompt": b"bash-5.2$ \r\n\r\n",
    "header block too long": b"X-Long: " + b"a" * 9000 + b"\r\nX-Other: 5\r\n\r\n",
    "endless header line": b"a" * 100_000 + b"\r\n\r\n",
    "too many headers": b"X: y\r\n" * 2000 + b"\r\n",
    "binary": b"\x00\xff\xfe\x80\x00\r\n\r\n",
}

REFUSED_BODIES = {
    "empty": b"",
    "blank": b" ",
    "word": b"hello",
    "cut": b'{"jsonrpc":"2.0","id":1',
    "two values": BODY + b"{}",
    "trailing comma": b'{"jsonrpc":"2.0","id":1,"method":"sessions",}',
    "single quotes": b"{'jsonrpc':'2.0','id':1,'method':'sessions'}",
    "comment": b'{"jsonrpc":"2.0","id":1,"method":"sessions"} // x',
    "byte order mark": b"\xef\xbb\xbf" + BODY,
    "UTF-16": BODY.decode().encode("utf-16-le"),
    "NaN": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":NaN}}',
    "leading zero": b'{"jsonrpc":"2.0","id":01,"method":"sessions"}',
    "bare control character": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":"a\x01b"}}',
    "NUL": b"\0" * 50,
    "invalid UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":"\xff"}}',
    "overlong UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":"\xc0\xaf"}}',
    "surrogate in UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":"\xed\xa0\x80"}}',
    "beyond Unicode": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":"\xf4\x90\x80\x80"}}',
    "UTF-8 cut at the end": b'"\xe2\x82',
    "bad escape": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":"\\x"}}',
    "deep arrays": b"[" * 100_000 + b"]" * 100_000,
    "deep, unclosed": b"[" * 100_000,
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "deep in ignored params": b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":%s}}'
    % (b"[" * 2000 + b"]" * 2000),
}


class FramingTests(EndToEndCase):
    def assert_parse_error(self, messages):
        self.assertEqual(len(messages), 1, messages)
        self.assertEqual(messages[0].raw["id"], "null")
        self.assertEqual(messages[0]["error"]["code"], PARSE_ERROR, messages[0])

    def test_every_accepted_form_of_the_header_alone_and_followed_by_another_frame(self):
        for name, header in ACCEPTED.items():
            with self.subTest(name):
                data = header.replace(b"%s", LENGTH) + BODY
                answers, status = talk(data + frame(ping("2")) + data)
                self.assertEqual([each[0].text for each in answers], self.pongs("1", "2", "1"))
                self.assertEqual(status, 0)

    def pongs(self, *ids):
        return ['{"jsonrpc":"2.0","id":%s,"result":[]}' % each for each in ids]

    def test_a_header_without_usable_length_is_one_parse_error_and_reading_goes_on(self):
        for name, header in REFUSED_HEADERS.items():
            with self.subTest(name):
                answers, status = talk(header + frame(ping("2")) + frame(ping("3")))
                self.assert_parse_error(answers[0])
                self.assertEqual([each[0].text for each in answers[1:]], self.pongs("2", "3"))
                self.assertEqual(status, 0)

    def test_after_a_bad_header_its_body_is_skipped_up_to_the_next_header_line(self):
        for name, header in REFUSED_HEADERS.items():
            with self.subTest(name):
                answers, _ = talk(header + BODY + b"\r\n" + frame(ping("2")) + frame(ping("3")))
                self.assert_parse_error(answers[0])
                self.assertEqual([each[0].text for each in answers[1:]], self.pongs("2", "3"))

    def test_a_body_that_runs_into_the_next_header_does_not_deafen_the_server(self):
        for name, header in REFUSED_HEADERS.items():
            with self.subTest(name):
                answers, _ = talk(header + BODY + frame(ping("2")) + frame(ping("3")) + frame(ping("4")))
                self.assert_parse_error(answers[0])
                self.assertEqual(answers[-1][0].text, self.pongs("4")[0])

    def test_a_bad_body_is_one_parse_error_and_the_next_frame_is_read_as_usual(self):
        for name, body in REFUSED_BODIES.items():
            with self.subTest(name):
                answers, status = talk(frame(ping("1")) + frame(body) + frame(ping("2")))
                self.assertEqual(len(answers), 3, answers)
                self.assert_parse_error(answers[1])
                self.assertEqual([answers[0][0].text, answers[2][0].text], self.pongs("1", "2"))
                self.assertEqual(status, 0)

    def test_another_charset_skips_the_body_and_is_answered(self):
        for charset in ("utf-16", "utf-16le", "latin1", "iso-8859-1", "us-ascii", '"utf-16"', "utf-88"):
            with self.subTest(charset):
                header = "Content-Type: application/json; charset=%s\r\nContent-Length: %d\r\n\r\n" % (
                    charset,
                    len(BODY),
                )
                answers, status = talk(header.encode() + BODY + frame(ping("2")))
                self.assertEqual(len(answers), 2)
                self.assert_parse_error(answers[0])
                self.assertEqual(answers[1][0].text, self.pongs("2")[0])
                self.assertEqual(status, 0)

    def test_length_counts_bytes_not_characters(self):
        for text in ("é", "日本語", "\U0001f600", "\u2028"):
            server = self.server()
            raw_id = dumps(text * 50)
            self.assertEqual(server.wait_response(server.request("sessions", raw_id=raw_id)).raw["id"], raw_id)
            self.assertEqual(server.barrier(), [])

    def test_a_frame_of_exactly_the_limit_is_read_and_one_more_byte_is_not(self):
        head, tail = b'{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":"', b'"}}'
        fill = 64 * 1024 * 1024 - len(head) - len(tail)
        answers, _ = talk(frame(head + b"a" * fill + tail) + frame(ping("2")))
        self.assertEqual([each[0].text for each in answers], self.pongs("1", "2"))
        answers, _ = talk(frame(head + b"a" * (fill + 1) + tail) + b"\r\n" + frame(ping("2")))
        self.assert_parse_error(answers[0])
        self.assertEqual(answers[-1][0].text, self.pongs("2")[0])

    def test_nesting_below_the_limit_is_read(self):
        body = '{"jsonrpc":"2.0","id":1,"method":"sessions","params":{"x":%s}}' % ("[" * 900 + "]" * 900)
        answers, _ = talk(frame(body))
        self.assertEqual(answers[0][0].text, self.pongs("1")[0])

    def test_a_declared_length_costs_no_memory(self):
        server = self.server()
        server.barrier()
        before = memory_kib(server)
        server.send_raw(b"Content-Length: 67108864\r\n\r\n" + b" " * 1000)
        server.consumed()
        grown = memory_kib(server) - before
        self.assertLess(grown, 8 * 1024)
        server.send_raw(b" " * (67108864 - 1000))
        server.until(lambda: any(m.raw.get("id") == "null" for m in server.log), "the parse error")

    def server(self, *arguments, **options):
        # Parse errors have the id null, which nobody asked for: these tests look at the stream themselves.
        return super().server(*arguments, check=False, **options)


def memory_kib(server):
    with open("/proc/%d/status" % server.process.pid) as stream:
        return int(next(line for line in stream if line.startswith("VmRSS")).split()[1])


class ChunkingTests(EndToEndCase):
    """The same bytes in any pieces give the same answers."""

    def script(self, session):
        """Messages whose answers do not depend on time; the last one's answer comes last."""
        source = {"type": "synthetic", "count": 7}
        opened = {"session": session, "source": source, "pageSize": 3, "autoload": False, "presentation": {"é": "日本"}}
        messages = [
            {"id": 1, "method": "open", "params": opened},
            {"method": "setScrolledID", "params": {"session": session, "id": 1}},
            {"id": "ü", "method": "state", "params": {"session": session}},
            {"id": 3, "method": "itemAppeared", "params": {"session": session, "position": 0}},
            {"id": 4, "method": "nosuch"},
            {"id": 5, "method": "loadMore", "params": {"session": session}},
        ]
        return b"".join(frame(dumps(dict(message, jsonrpc="2.0"))) for message in messages)

    def play(self, server, session, pieces):
        """Sends the pieces, each read on its own, and gives what came back, apart from the name of the session."""
        since = server.mark()
        for piece in pieces[:-1]:
            server.send_raw(piece)
            server.consumed()
        server.send_raw(pieces[-1])
        server.until(lambda: any(m.raw.get("id") == "5" for m in server.log[since:]), "the answer to loadMore")
        return [message.text.replace(session, "session") for message in server.log[since:]]

    def test_a_session_cut_at_every_byte_gives_the_same(self):
        server = self.server(check=False)
        whole = self.play(server, "s0000", [self.script("s0000")])
        self.assertEqual(len(whole), 8)
        for cut in range(1, len(self.script("s0000"))):
            session = "s%04d" % cut
            data = self.script(session)
            got = self.play(server, session, [data[:cut], data[cut:]])
            self.assertEqual(got, whole, "cut at byte %d" % cut)

    def test_a_session_byte_by_byte_gives_the_same(self):
        server = self.server(check=False)
        whole = self.play(server, "s0000", [self.script("s0000")])
        data = self.script("s0001")
        self.assertEqual(self.play(server, "s0001", [data[i : i + 1] for i in range(len(data))]), whole)

    def test_a_session_in_random_pieces_gives_the_same(self):
        seed = 20261130
        drawn = random.Random(seed)
        server = self.server(check=False)
        whole = self.play(server, "s0000", [self.script("s0000")])
        for round_number in range(1, 200):
            session = "s%04d" % round_number
            data = self.script(session)
            cuts = sorted(drawn.sample(range(1, len(data)), drawn.randrange(1, 12)))
            pieces = [data[a:b] for a, b in zip([0] + cuts, cuts + [len(data)])]
            self.assertEqual(self.play(server, session, pieces), whole, "seed %d round %d" % (seed, round_number))

    def test_every_accepted_header_cut_at_every_byte(self):
        server = self.server(check=False)
        for name, header in ACCEPTED.items():
            data = header.replace(b"%s", LENGTH) + BODY
            for cut in range(1, len(data)):
                since = server.mark()
                server.send_raw(data[:cut])
                server.consumed()
                server.send_raw(data[cut:])
                server.until(lambda: len(server.log) > since, "%s cut at %d" % (name, cut))
                self.assertEqual(server.log[since].text, '{"jsonrpc":"2.0","id":1,"result":[]}')

    def test_a_bad_header_cut_at_every_byte_is_still_one_error(self):
        server = self.server(check=False)
        for header in (b"Content-Length: -1\r\n\r\n", b"Content-Length: 5\r\nContent-Length: 6\n\n", b"junk\r\n\r\n"):
            data = header + b"rubbish\n" + frame(ping("2"))
            for cut in range(1, len(data)):
                since = server.mark()
                server.send_raw(data[:cut])
                server.consumed()
                server.send_raw(data[cut:])
                server.until(lambda: len(server.log) >= since + 2, "%r cut at %d" % (header, cut))
                self.assertEqual([m.raw["id"] for m in server.log[since:]], ["null", "2"])

    def test_a_thousand_joined_frames_are_answered_in_order(self):
        data = b"".join(frame(ping(str(number))) for number in range(1000))
        answers, _ = talk(data)
        self.assertEqual([each[0].raw["id"] for each in answers], [str(number) for number in range(1000)])


class HostileBytesTests(EndToEndCase):
    """Any bytes at all: never a trap, never a hang, and good requests work again."""

    def test_random_bytes_then_good_requests(self):
        for seed in range(60):
            drawn = random.Random(seed)
            alphabet = bytes(range(256)) if seed % 2 else b'Content-Lgh: 0123456789\r\n{}[]",:'
            noise = bytes(drawn.choice(alphabet) for _ in range(drawn.randrange(1, 4000)))
            self.assert_recovers(noise, seed)

    def test_mutated_sessions_then_good_requests(self):
        script = ChunkingTests().script("s0000")
        for seed in range(150):
            drawn = random.Random(seed)
            data = bytearray(script * 2)
            for _ in range(drawn.randrange(1, 8)):
                at = drawn.randrange(len(data))
                kind = drawn.randrange(4)
                if kind == 0:
                    data[at] = drawn.randrange(256)
                elif kind == 1:
                    del data[at : at + drawn.randrange(1, 30)]
                elif kind == 2:
                    data[at:at] = data[drawn.randrange(len(data)) :][: drawn.randrange(1, 60)]
                else:
                    data[at:at] = bytes([drawn.choice(b'0123456789-"{}[]\\:,\r\n')])
            self.assert_recovers(bytes(data), seed)

    def assert_recovers(self, noise, seed):
        # A mutated length may swallow what follows, 99,999 bytes at most in these inputs being worth the trouble.
        filler = b"".join(frame(ping('"filler"')) + b"\r\n" for _ in range(1200))
        answers, status = talk(noise + b"\r\n" + filler + frame(ping('"good"')))
        with self.subTest(seed=seed, noise=noise[:200]):
            self.assertIn(status, (0, 1))
            big = [run for run in digits_after_length(noise) if run > len(filler)]
            if not big and b'"exit"' not in noise:
                self.assertEqual(answers[-1][0].raw["id"], '"good"')
            for each in answers:
                for message in each:
                    if message.kind == "response" and message.raw["id"] == "null":
                        self.assertIn("error", message.members)


def digits_after_length(data):
    """Every number that could be taken for a length."""
    found, run = [], b""
    for byte in data + b" ":
        if 48 <= byte <= 57:
            run += bytes([byte])
        else:
            if run:
                found.append(int(run))
            run = b""
    return found


class OutputPurityTests(EndToEndCase):
    def test_answers_come_in_one_form_only(self):
        # Every byte is checked by the reader of the test client; here a session with every kind of message.
        server = self.server()
        server.open(
            "s",
            {"type": "synthetic", "count": 5, "fail": [{"page": 1, "times": 1}]},
            pageSize=2,
            retry={"retries": 1, "initialDelayMs": 1},
        )
        server.wait_loaded("s")
        self.assertEqual(server.call("loadMore", {"session": "s"})["outcome"], "loaded")
        with self.assertRaises(Exception):
            server.call("nosuch")
        self.assertIsInstance(server, Server)


if __name__ == "__main__":
    unittest.main()
