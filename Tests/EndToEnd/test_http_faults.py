"""The http source against what went wrong with other clients (Tests/source-faults.md), and its secrets and limits."""

import json
import os
import socket
import threading
import time
import urllib.parse

from pagewire_client import RPCError
from scripted_http import Reply
from support import BAD_PAGE, BAD_PARAMS, CYCLE, LIMIT_EXCEEDED, LOAD_FAILED, TIMEOUT, UNAVAILABLE
from test_http import ITEMS, PAGE, TOTAL, HTTPCase, cut

CURSOR = {"strategy": "cursor", "from": "/next", "to": {"query": "c"}}


class LoopTests(HTTPCase):
    def test_a_member_that_names_the_present_page_is_no_way_on(self):
        def script(request):
            page = request.number("page", 1)
            return {"page": page, "items": cut((page - 1) * 5, 5)}

        http = self.http(script)
        paging = {"strategy": "cursor", "from": "/page", "to": {"query": "page"}}
        self.assertEqual(self.later_failure(http, paging=paging)["code"], CYCLE)
        self.assertEqual(self.pagewire.model("s").items, cut(0, 5))
        self.assertEqual(len(http.requests), 2)

    def test_a_last_page_that_leads_back_to_the_first(self):
        """The first page's URL was told by no page, and is known all the same."""

        def script(request):
            start = request.number("start", 0)
            after = "?start=%d" % (start + 10) if start + 10 < TOTAL else "/items"
            link = [("Link", "<%s>; rel=next" % after)]
            # Without ids, nothing else would keep them from coming twice.
            return Reply([each["name"] for each in cut(start, 10)], headers=link)

        names = [each["name"] for each in ITEMS]
        for paging in ({"strategy": "link"}, "auto"):
            http = self.http(script)
            self.assertEqual(self.later_failure(http, paging=paging)["code"], CYCLE)
            self.assertEqual(self.pagewire.model("s").items, names)
            self.assertEqual(len(http.requests), 3)
            stop = {"repeatedCursor": "stop"}
            self.assertEqual(self.read_all(self.http(script), paging=paging, end=stop), names)

    def test_a_first_page_that_names_itself(self):
        """Where that means that there may be more later, it is asked for again, and elsewhere it is the last."""
        http = self.http(lambda request: {"items": ["x"], "next": "/items"})
        members = {"paging": {"strategy": "nextUrl"}, "idPath": "/none"}
        self.assertEqual(self.read_all(http, end={"repeatedCursor": "stop"}, **members), ["x"])
        self.assertEqual(len(http.requests), 1)
        server = self.open_http(http, end={"repeatedCursor": "poll"}, **members)
        server.wait_loaded("s")
        for _ in range(3):
            self.assertTrue(server.call("loadMore", {"session": "s"})["hasMore"])

    def test_a_page_behind_the_last_that_is_the_first_again(self):
        def script(request):
            page, size = request.number("page"), 10
            return {"items": cut((page - 1) * size, size) or cut(0, size)}

        http = self.http(script)
        self.assert_paused(http, ITEMS, paging=PAGE)

    def test_an_offset_that_begins_again(self):
        """A store that forgot what lay behind the offset: nothing is doubled, and it does not go on for ever."""

        def script(request):
            start = request.number("offset")
            return {"items": cut(start, 5) if start <= 10 else cut(start % 15, 5)}

        http = self.http(script)
        self.assert_paused(http, ITEMS[:15], paging={"strategy": "offset"})

    def assert_paused(self, http, items, **members):
        """All that is asked for by scrolling comes once, and then it waits to be told to go on."""
        server = self.open_http(http, **members)
        server.wait_loaded("s")
        model = server.model("s")
        while not model.facts["paused"]:
            server.call("itemAppeared", {"session": "s", "position": model.last})
            server.until(lambda: not model.loading, "loads end")
            self.assertLess(len(http.requests), 20)
        self.assertEqual(model.items, items)

    def test_no_request_is_made_twice(self):
        def script(request):
            start = request.number("c", request.number("offset", 4 * (request.number("page", 1) - 1)))
            after = start + 4 if start + 4 < TOTAL else None
            return {"items": cut(start, 4), "next": after, "link": after and "?c=%d" % after}

        for paging in (CURSOR, PAGE, {"strategy": "offset"}, {"strategy": "nextUrl", "from": "/link"}):
            http = self.http(script)
            self.assertEqual(self.read_all(http, paging=paging), ITEMS)
            targets = [request.target for request in http.requests]
            self.assertEqual(len(set(targets)), len(targets))


class ItemTests(HTTPCase):
    def test_a_total_on_the_first_page_alone(self):
        def script(request):
            start = request.number("offset")
            return dict({"total": TOTAL} if start == 0 else {}, items=cut(start, 4))

        self.assertEqual(self.read_all(self.http(script), paging={"strategy": "offset"}, total="/total"), ITEMS)
        self.assertEqual(self.pagewire.call("state", {"session": "s"})["total"], TOTAL)

    def test_query_headers_and_body_go_with_every_page(self):
        def script(request):
            start = int(request.query.get("c") or json.loads(request.body).get("c") or 0)
            after = start + 4 if start + 4 < TOTAL else None
            return {"items": cut(start, 4), "next": after}

        for paging in (CURSOR, dict(CURSOR, to={"body": "/c"})):
            http = self.http(script)
            members = {"query": {"filter": "a b"}, "headers": {"X-F": "1"}, "body": {"q": "x"}, "method": "POST"}
            self.assertEqual(self.read_all(http, paging=paging, **members), ITEMS)
            self.assertEqual(len(http.requests), 6)
            for request in http.requests:
                sent = (request.method, request.query["filter"], request.headers["X-F"], json.loads(request.body)["q"])
                self.assertEqual(sent, ("POST", "a b", "1", "x"))

    def test_a_cursor_arrives_character_by_character(self):
        cursors = ["a+b/c==", "%3D", "ä €\U0001f600", "a&b=c#d?e", " ", "\"'<>\\", "100%", "{x}", "+"]

        def script(request):
            at = request.query.get("c")
            number = 0 if at is None else cursors.index(at) + 1
            return {"items": [number], "next": cursors[number] if number < len(cursors) else None}

        self.assertEqual(self.read_all(self.http(script), paging=CURSOR), list(range(len(cursors) + 1)))

    def test_page_info_that_contradicts_itself(self):
        paging = {"strategy": "graphql", "connection": "/data/items"}
        query = {"query": "q"}

        def answer(more, cursor):
            info = {"hasNextPage": more, "endCursor": cursor}
            return lambda request: {"data": {"items": {"nodes": [{"id": len(request.body)}], "pageInfo": info}}}

        for more, cursor in ((True, None), (False, "x"), (False, None), (True, "")):
            http = self.http(answer(more, cursor))
            self.assertEqual(len(self.read_all(http, paging=paging, body=query)), 1)
            self.assertEqual(len(http.requests), 1)
        http = self.http(answer(True, "x"))
        self.assertEqual(self.later_failure(http, paging=paging, body=query)["code"], CYCLE)
        self.assertEqual(len(http.requests), 2)

    def test_a_cursor_that_has_run_out(self):
        expired = threading.Event()

        def script(request):
            start = request.number("c", 0)
            if start and expired.is_set():
                return Reply({"reason": "Expired"}, status=410)
            return {"items": cut(start, 10), "next": start + 10 if start + 10 < TOTAL else None}

        server = self.open_http(self.http(script), paging=CURSOR)
        server.wait_loaded("s")
        server.call("loadMore", {"session": "s"})
        expired.set()
        error = self.refused(LOAD_FAILED, server.call, "loadMore", {"session": "s"})
        self.assertEqual((error.data["status"], error.data["retryable"]), (410, False))
        self.assertIn("refresh", str(error))
        server.barrier()
        self.assertEqual(server.model("s").items, ITEMS[:20])
        expired.clear()
        server.call("refresh", {"session": "s"})
        self.assertEqual(self.scroll_to_end(server).items, ITEMS)


class WayBackTests(HTTPCase):
    """Tokens that lead to the page before."""

    def script(self, request):
        if "before" in request.query or "X-Before" in request.headers:
            end = int(request.query.get("before") or request.headers["X-Before"])
            start = max(0, end - 4)
        else:
            start = int(request.query.get("c", "0"))
            end = min(TOTAL, start + 4)
        after = {"next": str(end)} if end < TOTAL else {}
        headers = [("X-Prev", str(start))] if start else []
        return Reply(dict(after, items=cut(start, end - start), previous=start or None), headers=headers)

    def assert_way_back(self, start, first, **paging):
        http = self.http(self.script)
        server = self.open_http(http, pageSize=4, paging=dict(CURSOR, **paging), startAt=start)
        server.wait_loaded("s")
        server.barrier()
        model = server.model("s")
        self.assertEqual(model.items, first)
        while server.call("loadPrevious", {"session": "s"})["outcome"] == "loaded":
            pass
        self.assertEqual(self.scroll_to_end(server).items, ITEMS)
        return http

    def test_from_the_body_and_from_a_header_into_the_query_or_a_header(self):
        for place in ("/previous", {"header": "x-prev"}):
            for target in ({"query": "before"}, {"header": "X-Before"}):
                http = self.assert_way_back("9", cut(9, 4), previousFrom=place, previousTo=target)
                # One cursor at a time.
                for request in http.requests:
                    self.assertFalse("c" in request.query and "before" in request.query, request.target)

    def test_tokens_that_name_any_page(self):
        """As those of paginators whose answers name both neighbours by tokens of one kind."""

        def script(request):
            start = request.number("c", 0)
            near = {"next": start + 4 if start + 4 < TOTAL else None, "previous": max(0, start - 4) if start else None}
            return dict(near, items=cut(start, 4))

        self.script = script
        self.assert_way_back(12, cut(12, 4), previousFrom="/previous")

    def test_a_list_cannot_begin_with_a_page_that_does_not_say_what_follows(self):
        http = self.http(lambda request: {"items": [{"id": 1}]})
        paging = dict(CURSOR, previousFrom="/previous", previousTo={"query": "before"})
        self.failure(http, BAD_PAGE, paging=paging, startAt={"before": "9"})
        self.assertEqual(http.requests[0].query, {"before": "9"})

    def test_pages_that_were_dropped_come_back_at_both_ends(self):
        paging = dict(CURSOR, previousFrom="/previous", previousTo={"query": "before"})
        http = self.http(self.script)
        members = {"pageSize": 4, "maxItems": 8, "prefetchThreshold": 0, "startAt": "11"}
        server = self.open_http(http, paging=paging, **members)
        server.wait_loaded("s")
        server.barrier()
        model = server.model("s")
        for edge, hasMore in (("first", "hasPrevious"), ("last", "hasMore"), ("first", "hasPrevious")):
            seen = {}
            for _ in range(40):
                seen.update({position: item for position, item in zip(range(model.first, model.last + 1), model.items)})
                if not model.facts[hasMore]:
                    break
                place = getattr(model, edge)
                server.call("visibleRange", {"session": "s", "first": place, "last": place})
                server.until(lambda: not model.loading, "loads end")
                server.barrier()
            self.assertFalse(model.facts[hasMore])
            self.assertLessEqual(len(model.items), 12)
        self.assertEqual([seen[position] for position in sorted(seen)], ITEMS)
        self.assertEqual(model.items[:4], ITEMS[:4])


class SecretTests(HTTPCase):
    """What comes from the environment is sent, and shown nowhere."""

    VALUES = {"PW_QUERY": "q+/= Zz9 secret", "PW_BODY": 'b"\\ secret', "PW_URL_KEY": "u-secret", "PW_HEADER": "h-secret"}

    def test_values_of_the_environment_in_url_query_body_and_headers(self):
        def script(request):
            start = request.number("start", 0)
            # The API repeats what it was sent, as many do.
            sent = {"start": str(start + 4), "key": request.query["key"]}
            url = request.path + "?" + "&".join(self.quote(name, text, start) for name, text in sent.items())
            return {"items": cut(start, 4), "next": url if start + 4 < TOTAL else None}

        http = self.http(script)
        recording = os.path.join(self.folder(), "recording.jsonl")
        environment = dict(os.environ, PW_URL=http.origin + "/hook/u-secret?a=1", **self.VALUES)
        server = self.server("--record", recording, "--log-level", "debug", environment=environment)
        source = {
            "type": "http",
            "method": "POST",
            "url": {"env": "PW_URL"},
            "query": {"key": {"env": "PW_QUERY"}},
            "headers": {"X-K": {"env": "PW_HEADER"}},
            "body": {"auth": {}},
            "bodyEnv": {"/auth/key": "PW_BODY"},
            "paging": {"strategy": "nextUrl"},
        }
        server.open("s", source, pageSize=4, retry={"retries": 0})
        server.wait_loaded("s")
        self.assertEqual(self.scroll_to_end(server).items, ITEMS)
        self.assertEqual(len(http.requests), 6)
        for request in http.requests:
            self.assertEqual(request.path, "/hook/u-secret")
            self.assertEqual(request.query["key"], self.VALUES["PW_QUERY"])
            self.assertEqual(json.loads(request.body), {"auth": {"key": self.VALUES["PW_BODY"]}})
            self.assertEqual(request.headers["X-K"], "h-secret")
        state = server.call("state", {"session": "s", "resume": True})
        self.assertEqual(state["settings"]["source"]["query"], source["query"])
        self.assertTrue(state["source"]["url"].startswith(http.origin))
        # A place that was kept leads on in a later process.
        server.call("setScrolledID", {"session": "s", "id": 13})
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        self.assert_hidden(server, recording)
        again = self.server(environment=environment)
        again.open("s", source, pageSize=4, resume=token)
        page = again.wait_notification("pageAppended").params
        self.assertEqual((page["resumed"], page["items"]), (True, cut(12, 4)))

    @staticmethod
    def quote(name, text, start):
        """As different servers write the same value."""
        if start % 8:
            return name + "=" + urllib.parse.quote_plus(text)
        return name + "=" + urllib.parse.quote(text, safe="/" if start % 16 else "").lower().replace("zz9", "Zz9")

    def assert_hidden(self, server, recording):
        server.finish()
        with open(recording) as stream:
            recorded = stream.read()
        messages = json.dumps([message.members for message in server.log if message.members.get("method") != "pageAppended"])
        for text in (messages, server.stderr_text(), recorded):
            for word in ("secret", "Zz9", "hook"):
                self.assertNotIn(word, text)

    def test_errors_do_not_show_them(self):
        table = [
            lambda request: Reply({"you sent": request.target}, status=400),
            lambda request: Reply({"you sent": request.body.decode()}, status=500),
            lambda request: Reply("<p>" + request.target),
            lambda request: Reply({"items": [1], "next": request.query["key"], "has_more": request.target}),
            lambda request: Reply({"items": [1], "next_token": request.query["key"]}),
            lambda request: Reply({"items": [1], "next": request.target}),
            lambda request: Reply(status=302, headers=[("Location", "http://127.0.0.1:1/?" + request.raw_query)]),
            lambda request: Reply(status=302, headers=[("Location", request.target)]),
            lambda request: Reply(raw=lambda stream: None),
        ]
        for number, script in enumerate(table):
            with self.subTest(number):
                http = self.http(script)
                recording = os.path.join(self.folder(), "recording.jsonl")
                environment = dict(os.environ, PW_URL=http.origin + "/hook/u-secret", **self.VALUES)
                server = self.server("--record", recording, "--log-level", "debug", environment=environment)
                source = {
                    "type": "http",
                    "url": {"env": "PW_URL"},
                    "query": {"key": {"env": "PW_QUERY"}},
                    "body": {},
                    "bodyEnv": {"/key": "PW_BODY"},
                }
                server.open("s", source, retry={"retries": 0})
                server.wait_loaded("s")
                try:
                    # In a cycle each is answered, so that there must be a bound.
                    for _ in range(4):
                        server.call("loadMore", {"session": "s"})
                except RPCError:
                    pass
                self.assertTrue(any(message.method == "loadFailed" for message in server.notifications("s")))
                server.call("state", {"session": "s", "resume": True})
                self.assert_hidden(server, recording)

    def test_a_user_and_password_in_a_url_are_refused_and_not_recorded(self):
        recording = os.path.join(self.folder(), "recording.jsonl")
        server = self.server("--record", recording, "--log-level", "debug")
        for url in ("http://hook:secret@127.0.0.1/x@y", "http://Zz9@127.0.0.1/"):
            error = self.refused(BAD_PARAMS, server.open, "s", {"type": "http", "url": url})
            self.assert_names(error, "/source/url")
        self.refused(UNAVAILABLE, server.open, "s", {"type": "http", "url": "http://127.0.0.1/a@b", "query": {"k": {"env": "PW_NONE"}}})
        self.assert_hidden(server, recording)
        with open(recording) as stream:
            self.assertIn("http://127.0.0.1/a@b", stream.read())

    def test_members_of_the_environment_are_checked(self):
        server = self.server(environment=dict(os.environ, PW_BAD_URL="ftp://u-secret/", PW_TEXT="text"))
        url = "http://127.0.0.1/"
        for members, pointer in (
            ({"url": {"env": 3}}, "/source/url/env"),
            ({"url": {"env": "PW_BAD_URL"}}, "/source/url"),
            ({"url": {"env": "PW_TEXT", "x": 1}}, "/source/url/x"),
            ({"url": url, "query": {"k": {"env": []}}}, "/source/query/k/env"),
            ({"url": url, "bodyEnv": {"x": "PW_TEXT"}}, "/source/bodyEnv/x"),
            ({"url": url, "bodyEnv": {"/x": 3}}, "/source/bodyEnv/~1x"),
            ({"url": url, "body": [], "bodyEnv": {"/x": "PW_TEXT"}}, "/source/bodyEnv/~1x"),
        ):
            with self.subTest(members=members):
                error = self.refused(BAD_PARAMS, server.open, "s", dict(members, type="http"))
                self.assert_names(error, pointer)
                self.assertNotIn("u-secret", str(error))
        for members in ({"url": {"env": "PW_NONE"}}, {"url": url, "bodyEnv": {"/x": "PW_NONE"}}):
            error = self.refused(UNAVAILABLE, server.open, "s", dict(members, type="http"))
            self.assertEqual(error.data["env"], "PW_NONE")


class LimitTests(HTTPCase):
    def test_a_cursor_may_have_so_many_bytes(self):
        limits = self.server().call("initialize", {})["capabilities"]["limits"]
        longest = limits["maxCursorBytes"]
        self.assertEqual(longest, 65_536)

        def script(request):
            number = json.loads(request.body).get("c")
            return {"items": [1 if number is None else 2], "next": "x" * size if number is None else None}

        paging = dict(CURSOR, to={"body": "/c"})
        # Two of them are the quotes.
        size = longest - 2
        self.assertEqual(self.read_all(self.http(script), method="POST", body={}, paging=paging), [1, 2])
        size += 1
        error = self.failure(self.http(script), LIMIT_EXCEEDED, method="POST", body={}, paging=paging)
        self.assertEqual(error["data"]["limit"], longest)
        self.assertIn(str(longest), error["message"])
        source = {"type": "client"}
        server = self.server()
        server.open("s", source, startAt="x" * (longest - 2), autoload=False)
        error = self.refused(BAD_PARAMS, server.open, "t", source, startAt="x" * (longest - 1))
        self.assert_names(error, "/startAt")
        error = self.refused(BAD_PARAMS, server.call, "refresh", {"session": "s", "from": "x" * (longest - 1)})
        self.assert_names(error, "/from")

    def test_params_may_have_so_many_bytes(self):
        server = self.server()
        longest = server.call("initialize", {})["capabilities"]["limits"]["maxParamsBytes"]
        self.assertEqual(longest, 1_048_576)
        sqlite = {"type": "sqlite", "path": self.file(b""), "query": "SELECT 1"}
        for name, source in (
            ("params", {"type": "client"}),
            ("params", {"type": "command", "mode": "provider", "argv": ["true"]}),
            ("body", {"type": "http", "url": "http://127.0.0.1/"}),
            ("params", sqlite),
        ):
            with self.subTest(source["type"]):
                text = "x" * (longest - 2)
                value = text if source["type"] != "sqlite" else [text[2:]]
                server.open(source["type"], dict(source, **{name: value}), autoload=False)
                value = text + "x" if source["type"] != "sqlite" else [text[1:]]
                error = self.refused(BAD_PARAMS, server.open, "more", dict(source, **{name: value}), autoload=False)
                self.assert_names(error, "/source/" + name)


class ManyTests(HTTPCase):
    def test_hundreds_of_servers_that_hang_keep_no_file_waiting(self):
        """Six hundred lists wait for a server that takes connections and says nothing; a file is read meanwhile."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.addCleanup(listener.close)
        origin = "http://127.0.0.1:%d" % listener.getsockname()[1]
        path = self.file("".join("line %d\n" % number for number in range(50)))
        server = self.server()
        # Those that wait for their turn have a limit as the others do.
        for number in range(600):
            source = {"type": "http", "url": origin + "/%d" % number, "paging": PAGE}
            server.request(
                "open", {"session": "h%d" % number, "source": source, "timeoutMs": 20_000, "retry": {"retries": 0}}
            )
        listener.settimeout(60)
        taken = [listener.accept()[0] for _ in range(400)]
        self.addCleanup(lambda: [each.close() for each in taken])
        started = time.monotonic()
        server.open("f", {"type": "file", "path": path}, pageSize=10)
        server.wait_loaded("f")
        model = self.scroll_to_end(server, "f")
        self.assertEqual(len(model.items), 50)
        # Noise is seconds at most here; the servers hang for much longer.
        self.assertLess(time.monotonic() - started, 10)
        failed = {}
        for number in range(600):
            error = server.wait_notification("loadFailed", session="h%d" % number).params["error"]
            failed[error["code"]] = failed.get(error["code"], 0) + 1
        self.assertEqual(failed, {TIMEOUT: 600})
