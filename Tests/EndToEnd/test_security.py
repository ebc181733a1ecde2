"""Attacks, each of which protocol/security.md says to be without effect; those on single sources lie with their tests."""

import json
import os
import re
import stat
import sys

from scripted_http import Reply
from support import BAD_PAGE, BAD_PARAMS, LOAD_FAILED, NO_RETRY, REFUSED, UNAVAILABLE
from support import EndToEndCase, children
from test_command import CommandCase
from test_http import HTTPCase

SECRET = "s3cr3t-of-this-test"
PAGE = {"strategy": "page", "param": "page"}


class RequestForgeryTests(HTTPCase):
    """A front end, or an answer, that wants the server to ask somewhere else."""

    def test_only_http_is_asked(self):
        server = self.server()
        path = self.file(SECRET)
        for url in ("file://" + path, "FILE://" + path, "gopher://127.0.0.1/", "dict://127.0.0.1:11211/stat", "ftp://127.0.0.1/",
                    "javascript:1", "data:,x", "//127.0.0.1/", path):
            error = self.refused(BAD_PARAMS, server.open, "s", {"type": "http", "url": url, "paging": PAGE})
            self.assertEqual(error.data["pointer"], "/source/url")

    def test_a_redirect_to_another_scheme_or_host_is_not_followed(self):
        other = self.http(lambda request: [1])
        for target in ("file:///etc/passwd", "gopher://127.0.0.1/", other.origin + "/items", "//127.0.0.2/items",
                       other.origin.replace("127.0.0.1", "localhost")):
            http = self.http(lambda request, target=target: Reply("", status=302, headers=[("Location", target)]))
            is_http = not target.startswith(("file:", "gopher:"))
            error = self.failure(http, LOAD_FAILED if is_http else BAD_PAGE, paging=PAGE, headers={"Authorization": SECRET})
            self.assertNotIn(SECRET, json.dumps(error))
            self.pagewire.finish()
        self.assertEqual(other.requests, [])

    def test_a_next_page_elsewhere_is_not_asked(self):
        other = self.http(lambda request: [1])
        for target in ("file:///etc/passwd", other.origin + "/", "http://user:word@127.0.0.1:1/", "//127.0.0.2/"):
            http = self.http(lambda request, target=target: {"items": [1], "next": target})
            error = self.later_failure(http, paging={"strategy": "nextUrl"}, headers={"Authorization": SECRET})
            self.assertNotIn(SECRET, json.dumps(error))
            self.assertEqual(len(http.requests), 1)
            self.pagewire.finish()
        self.assertEqual(other.requests, [])

    def test_no_type_that_is_not_allowed_can_be_reached(self):
        """Neither by `open`, nor by the source that a refresh brings, nor as a provider's name."""
        server = self.server("--allow", "items,client")
        server.open("s", {"type": "items", "items": [1]})
        server.wait_loaded("s")
        for source in ({"type": "file", "path": "/etc/passwd"}, {"type": "http", "url": "http://127.0.0.1/", "paging": PAGE},
                       {"type": "command", "argv": ["id"]}, {"type": "sqlite", "path": "/x", "table": "t"}, {"type": "sh"},
                       {"type": "../../bin/sh"}, {"type": "squares"}):
            self.refused(REFUSED, server.open, "t", source)
            error = self.refused(REFUSED, server.call, "refresh", {"session": "s", "source": source})
            self.assertIn("--allow", str(error))
        self.assertEqual(server.model("s").items, [1])


class InjectionTests(HTTPCase):
    """What goes into a request line, a header or a URL is data there, and nothing else."""

    def test_line_breaks_in_what_a_header_is_made_of(self):
        server = self.server()
        for headers in ({"X": "a\r\nX-Evil: 1"}, {"X": "a\nX-Evil: 1"}, {"X": "a\u0000b"}, {"X\r\nX-Evil": "1"}, {"X: 1\nY": "2"}, {"": "1"}):
            source = {"type": "http", "url": "http://127.0.0.1:1/", "paging": PAGE, "headers": headers}
            error = self.refused(BAD_PARAMS, server.open, "s", source)
            self.assertTrue(error.data["pointer"].startswith("/source/headers"), error.data)

    def test_line_breaks_in_a_variable_that_a_header_takes(self):
        environment = dict(os.environ, PAGEWIRE_TEST_EVIL="a\r\nX-Evil: 1")
        server = self.server(environment=environment)
        headers = {"X": {"env": "PAGEWIRE_TEST_EVIL"}}
        source = {"type": "http", "url": "http://127.0.0.1:1/", "paging": PAGE, "headers": headers}
        error = self.refused(BAD_PARAMS, server.open, "s", source)
        self.assertNotIn("X-Evil", str(error) + json.dumps(error.data))

    def test_a_cursor_of_the_server_stays_a_cursor(self):
        evil = "x HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET /evil?a=b&page=9#c"
        seen = []

        def script(request):
            seen.append(request)
            return {"items": [len(seen)], "next": evil if len(seen) == 1 else None}

        paging = {"strategy": "cursor", "from": "/next", "to": {"query": "cursor"}}
        self.assertEqual(self.read_all(self.http(script), paging=paging, items="/items"), [1, 2])
        self.assertEqual([request.path for request in seen], ["/items", "/items"])
        self.assertEqual(seen[1].query, {"cursor": evil})
        self.assertNotIn("X-Evil", seen[1].headers)

    def test_a_cursor_that_goes_into_a_header_brings_none_of_its_own(self):
        http = self.http(lambda request: {"items": [1], "next": "a\r\nX-Evil: 1"})
        paging = {"strategy": "cursor", "from": "/next", "to": {"header": "X-Cursor"}}
        self.assertEqual(self.later_failure(http, paging=paging, items="/items")["code"], BAD_PAGE)
        self.assertEqual(len(http.requests), 1)


class ArgumentTests(CommandCase):
    """What a front end or a program names as a place goes into the arguments it was meant for, as one argument."""

    EVIL = "; touch evil $(id) `id` {limit} -rf"

    def test_a_cursor_stays_one_argument_and_is_not_filled_in_again(self):
        program = self.file(
            "import json, sys\nprint(json.dumps({'items': [sys.argv[1:]], 'next': None if sys.argv[2] else %r}))" % self.EVIL
        )
        argv = [sys.executable, program, "--limit={limit}", "{cursor}"]
        found = self.all_items(argv, source={"mode": "page"}, pageSize=7)
        self.assertEqual(found[0][0], "--limit=7")
        self.assertEqual(found[1][1], self.EVIL)

    def test_a_session_or_an_id_names_no_file(self):
        server = self.server()
        for name in ("../../etc/passwd", "a\u0000b", "$(id)", "-rf", "\u001b]0;x\u0007"):
            state = server.open(name, {"type": "items", "items": [1]})
            self.assertEqual(state["session"], name)
            server.wait_loaded(name)
        self.assertEqual(children(server.process.pid), [])


class SecretTests(HTTPCase):
    """Nothing that was given as a secret comes out again, whoever asks."""

    def test_neither_a_token_nor_an_error_nor_the_log_has_them(self):
        recording = os.path.join(self.folder(), "recording.jsonl")
        log = os.path.join(self.folder(), "log")
        environment = dict(os.environ, PAGEWIRE_TEST_SECRET=SECRET)
        server = self.server("--record", recording, "--log", log, "--log-level", "debug", environment=environment)
        http = self.http(lambda request: {"items": [request.number("page")]})
        headers = {"Authorization": "Bearer " + SECRET, "X": {"env": "PAGEWIRE_TEST_SECRET"}}
        self.open_http(http, server=server, paging=PAGE, headers=headers, pageSize=1)
        server.wait_loaded("s")
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        self.assertEqual(http.requests[0].headers["X"], SECRET)
        # A source that is refused repeats what it was given nowhere either.
        bad = {"type": "http", "url": http.origin, "paging": PAGE, "headers": {"A": SECRET, "B": 7}}
        error = self.refused(BAD_PARAMS, server.open, "t", bad)
        command = {"type": "command", "argv": ["sh", "-c", "exit 3"], "env": {"WORD": SECRET}}
        server.open("u", command, retry=NO_RETRY)
        server.wait_notification("loadFailed", session="u")
        server.finish()
        self.assertNotIn(SECRET, token)
        with open(recording) as stream:
            told = stream.read()
        with open(log) as stream:
            told += stream.read()
        told += str(error) + json.dumps(error.data) + json.dumps([message.members for message in server.log])
        self.assertNotIn(SECRET, told)

    def test_a_recording_is_for_its_owner(self):
        path = os.path.join(self.folder(), "recording")
        before = os.umask(0)
        try:
            server = self.server("--record", path)
        finally:
            os.umask(before)
        server.open("s", {"type": "items", "items": [1]})
        server.wait_loaded("s")
        server.finish()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)


class LogTests(EndToEndCase):
    def test_what_a_client_sends_forges_no_line_of_the_log(self):
        log = os.path.join(self.folder(), "log")
        server = self.server("--log", log, "--log-level", "debug")
        evil = "x\nerror: forged\r\n\u001b[2J\u001b]0;owned\u0007\u009b2J\u2028"
        for method in (evil, "open", "itemAppeared"):
            self.refused(-32601 if method == evil else BAD_PARAMS, server.call, method, {"session": 5, evil: evil})
        server.open(evil, {"type": "items", "items": [evil]})
        server.wait_loaded(evil)
        self.refused(UNAVAILABLE, server.open, "t", {"type": "file", "path": "/nosuch/" + evil.replace("\u0000", "")})
        server.finish()
        with open(log, "rb") as stream:
            text = stream.read()
        self.assertNotIn(b"\nerror: forged", text)
        self.assertEqual(re.findall(rb"[\x00-\x09\x0b-\x1f\x7f]", text), [])


if __name__ == "__main__":
    import unittest

    unittest.main()
