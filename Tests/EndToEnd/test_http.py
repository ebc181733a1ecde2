"""The http source against servers that do, one thing at a time, what real ones do (contract section 9)."""

import gzip
import json
import os
import shutil
import subprocess
import threading
import time
import unittest

from pagewire_client import BINARY, RPCError
from scripted_http import Reply, ScriptedServer
from support import BAD_PAGE, CYCLE, LIMIT_EXCEEDED, LOAD_FAILED, NO_RETRY, TIMEOUT, UNAVAILABLE
from support import EndToEndCase, talk
from test_sources import ODD_VALUES, page_texts

SIZES = (1, 2, 3, 7, 100)
TOTAL = 23
ITEMS = [{"id": number, "name": "n%d" % number} for number in range(TOTAL)]
PAGE = {"strategy": "page"}


class HTTPCase(EndToEndCase):
    def http(self, script):
        server = ScriptedServer(script)
        self.addCleanup(server.close)
        return server

    def open_http(self, http, path="/items", server=None, **members):
        """Opens a session on the source; what is no member of `open` is one of the source."""
        mine = ("pageSize", "retry", "endOn", "startAt", "timeoutMs", "session", "idPath", "autoload", "dedupe", "resume")
        mine += ("maxItems", "prefetchThreshold")
        opening = {key: members.pop(key) for key in mine if key in members}
        opening.setdefault("retry", NO_RETRY)
        session = opening.pop("session", "s")
        self.pagewire = server or self.server()
        source = dict(members, type="http", url=(http if isinstance(http, str) else http.origin) + path)
        self.state = self.pagewire.open(session, source, **opening)
        return self.pagewire

    def read_all(self, http, path="/items", **members):
        """The items, paged to the end."""
        server = self.open_http(http, path, **members)
        server.wait_loaded("s")
        return self.scroll_to_end(server).items

    def failure(self, http, code, path="/items", **members):
        """The error of the first load."""
        server = self.open_http(http, path, **members)
        error = server.wait_notification("loadFailed", session="s").params["error"]
        self.assertEqual(error["code"], code, error)
        server.wait_loaded("s")
        return error

    def later_failure(self, http, **members):
        """The error of the first page that cannot be had, after those that can."""
        server = self.open_http(http, **members)
        server.wait_loaded("s")
        try:
            while not any(message.method == "loadFailed" for message in server.notifications("s")):
                server.call("loadMore", {"session": "s"})
        except RPCError:
            pass
        return server.wait_notification("loadFailed", session="s").params["error"]

    def assert_all(self, script, **members):
        for size in SIZES:
            with self.subTest(size=size):
                http = self.http(script)
                self.assertEqual(self.read_all(http, pageSize=size, **members), ITEMS)


def cut(start, size):
    return ITEMS[max(0, start) : max(0, start) + size]


class StrategyTests(HTTPCase):
    def test_page(self):
        def script(request):
            page, size = request.number("page"), request.number("per_page", 4)
            return {"items": cut((page - 1) * size, size)}

        self.assert_all(script, paging=dict(PAGE, sizeParam="per_page"))
        self.assert_all(script, paging=PAGE)

    def test_page_from_zero_with_total_ends_without_another_request(self):
        def script(request):
            page, size = request.number("p"), request.number("n")
            return {"count": TOTAL, "results": cut(page * size, size)}

        paging = {"strategy": "page", "param": "p", "sizeParam": "n", "first": 0}
        http = self.http(script)
        self.assertEqual(self.read_all(http, pageSize=10, paging=paging, total="/count"), ITEMS)
        self.assertEqual([request.query["p"] for request in http.requests], ["0", "1", "2"])
        self.assertEqual(self.pagewire.call("state", {"session": "s"})["total"], TOTAL)

    def test_a_short_page_is_not_the_end_where_the_total_says_more(self):
        """A server that clamps the size: offsets go by what came, and the total beats `shortPage`."""

        def script(request):
            return Reply({"data": cut(request.number("offset"), 4)}, headers=[("X-Total", str(TOTAL))])

        paging = {"strategy": "offset", "sizeParam": "limit"}
        for members in ({"total": {"header": "x-total"}, "endOn": "shortPage"}, {}):
            http = self.http(script)
            self.assertEqual(self.read_all(http, pageSize=10, paging=paging, **members), ITEMS)

    def test_has_more_decides(self):
        def script(request):
            page = request.number("page")
            return {"items": [] if page == 2 else cut((page - 1) * 5, 5), "more": page < 5}

        http = self.http(script)
        items = self.read_all(http, pageSize=5, paging=PAGE, hasMore="/more")
        self.assertEqual(items, cut(0, 5) + cut(10, 20))
        self.assertEqual(len(http.requests), 5)

    def test_cursor_in_query_from_body(self):
        def script(request):
            start, size = request.number("c", 0), request.number("limit", 3)
            return {"data": {"list": cut(start, size)}, "next": str(start + size) if start + size < TOTAL else None}

        paging = {"strategy": "cursor", "from": "/next", "to": {"query": "c"}, "sizeTo": {"query": "limit"}}
        self.assert_all(script, paging=paging)

    def test_cursor_of_any_json_value_into_the_body_exactly(self):
        cursors = ["0", "9007199254740993", "1.0", "1e400", '{"b": 1,"a":"\\u00e9"}', "[ 1,null ]", '"x"', "true"]

        def script(request):
            text = request.body.decode()
            assert text.startswith('{"size":1,"page":{"after":'), text
            at = text[len('{"size":1,"page":{"after":') : -2]
            number = 0 if at == '"first"' else cursors.index(at) + 1
            after = ', "next": ' + cursors[number] if number < len(cursors) else ""
            return '{"items": [%d]%s}' % (number, after)

        paging = {"strategy": "cursor", "from": "/next", "to": {"body": "/page/after"}, "sizeTo": {"body": "/size"}}
        body = {"size": 0, "page": {"after": "first"}}
        http = self.http(script)
        items = self.read_all(http, pageSize=1, method="POST", body=body, paging=paging)
        self.assertEqual(items, list(range(len(cursors) + 1)))
        self.assertEqual({request.headers["Content-Type"] for request in http.requests}, {"application/json"})

    def test_cursor_in_headers_both_ways(self):
        def script(request):
            start = int(request.headers.get("X-After") or 0)
            return Reply(cut(start, 4), headers=[("x-next", str(start + 4))] if start + 4 < TOTAL else [])

        self.assert_all(
            script, paging={"strategy": "cursor", "from": {"header": "X-Next"}, "to": {"header": "x-after"}}
        )

    def test_an_empty_cursor_is_the_end(self):
        for end in ('""', "null", "false"):
            http = self.http(lambda request: '{"items":[1],"next":%s}' % end)
            self.assertEqual(
                self.read_all(http, paging={"strategy": "cursor", "from": "/next", "to": {"query": "c"}}), [1]
            )

    def test_link(self):
        """Relative and absolute targets, awkward parameters, several headers."""

        def script(request):
            start, size = request.number("start", 0), request.number("size")
            links = ['</items?start=0&size=1,2;3>; title="a, \\"b\\" >; rel=next"; rel=first']
            if start + size < TOTAL:
                url = "?start=%d&size=%d&f=a%%3D" % (start + size, size)
                links.append('<%s>; crossorigin; rel="last NEXT"' % url)
            return Reply(cut(start, size), headers=[("link", link) for link in links])

        self.assert_all(script, paging={"strategy": "link", "sizeParam": "size"})

    def test_next_url(self):
        for shape in (lambda url: url, lambda url: {"href": url}):

            def script(request):
                start, size = request.number("start", 0), request.number("size")
                url = "/deep/../items?page[x]=1&size=%d&start=%d" % (size, start + size)
                return {"results": cut(start, size), "next": shape(url) if start + size < TOTAL else None}

            self.assert_all(script, paging={"strategy": "nextUrl", "sizeParam": "size"})

    def test_next_url_in_a_header(self):
        def script(request):
            start = request.number("start", 0)
            return Reply(cut(start, 5), headers=[("Next-Page", "?start=%d" % (start + 5))] if start < 20 else [])

        self.assert_all(script, paging={"strategy": "nextUrl", "from": {"header": "next-page"}})

    def test_graphql_forward_and_back(self):
        def script(request):
            variables = json.loads(request.body)["variables"]
            if "last" in variables:
                end = int(variables["before"])
                start = max(0, end - variables["last"])
            else:
                start = int(variables.get("after", -1)) + 1
                end = min(TOTAL, start + variables["first"])
            info = {
                "hasNextPage": end < TOTAL,
                "endCursor": str(end - 1) if end > start else None,
                "hasPreviousPage": start > 0,
                "startCursor": str(start) if end > start else None,
            }
            edges = [{"cursor": "x", "node": item} for item in ITEMS[start:end]]
            return {"data": {"items": {"edges": edges, "pageInfo": info}}}

        paging = {"strategy": "graphql", "connection": "/data/items", "before": "before"}
        self.assert_all(script, paging=paging, body={"query": "query"})
        server = self.open_http(self.http(script), pageSize=4, paging=paging, body={"query": "query"}, startAt="13")
        server.wait_loaded("s")
        self.assert_way_back(server, ITEMS[14:18], ITEMS[:14])

    def assert_way_back(self, server, first, before):
        """All that lies before the first page comes, and all behind it."""
        model = server.model("s")
        server.barrier()
        self.assertEqual(model.items, first)
        while server.call("loadPrevious", {"session": "s"})["outcome"] == "loaded":
            pass
        server.barrier()
        self.assertEqual(model.items, before + first)
        self.assertEqual(self.scroll_to_end(server).items, ITEMS)

    def test_start_at_and_the_way_back(self):
        def by_page(request):
            return {"items": cut((request.number("page") - 1) * 4, 4)}

        def by_offset(request):
            return {"items": cut(request.number("offset"), request.number("limit"))}

        def by_link(request):
            start = request.number("start", 0)
            links = ['</items?start=%d>; rel="%s"' % (start + step, rel) for step, rel in ((4, "next"), (-4, "prev"))]
            wanted = [link for link, there in zip(links, (start + 4 < TOTAL, start > 0)) if there]
            return Reply(cut(start, 4), headers=[("Link", ", ".join(wanted))])

        def by_url(request):
            start = request.number("start", 0)
            near = {"next": "?start=%d" % (start + 4) if start + 4 < TOTAL else None}
            near["previous"] = "?start=%d" % (start - 4) if start else None
            return {"links": near, "items": cut(start, 4)}

        table = [
            (by_page, PAGE, 4, 12),
            (by_offset, {"strategy": "offset", "sizeParam": "limit"}, 14, 14),
            (by_link, {"strategy": "link"}, "?start=12", 12),
            (by_url, {"strategy": "nextUrl", "from": "/links/next", "previousFrom": "/links/previous"}, "?start=12", 12),
        ]
        for script, paging, place, start in table:
            with self.subTest(paging=paging):
                server = self.open_http(self.http(script), pageSize=4, paging=paging, startAt=place)
                server.wait_loaded("s")
                self.assert_way_back(server, ITEMS[start : start + 4], ITEMS[:start])

    def test_single(self):
        http = self.http(lambda request: {"a": ITEMS, "next": "x"})
        self.assertEqual(self.read_all(http, pageSize=2, paging={"strategy": "single"}), ITEMS)
        self.assertEqual(len(http.requests), 1)

    def test_items_pass_byte_for_byte(self):
        for separator in (",", " ,\n "):
            http = self.http(lambda request: '{"x":1,"items":[%s]}' % separator.join(ODD_VALUES))
            self.read_all(http, paging={"strategy": "single"}, dedupe=False)
            self.assertEqual(page_texts(self.pagewire), list(ODD_VALUES))


class AutoTests(HTTPCase):
    """Without a strategy the answers must show how to go on, and what they show is told."""

    def found(self):
        return self.pagewire.call("state", {"session": "s"})["source"]["found"]

    def test_a_link_header(self):
        def script(request):
            start = request.number("start", 0)
            links = ['<?start=%d>; rel="%s"' % (start + step, rel) for step, rel in ((9, "next"), (-9, "prev"))]
            wanted = [link for link, there in zip(links, (start + 9 < TOTAL, start > 0)) if there]
            # The total says that there is more, and the link how to have it.
            return Reply(cut(start, 9), headers=[("Link", ",".join(wanted)), ("X-Total-Count", "23")])

        self.assertEqual(self.read_all(self.http(script)), ITEMS)
        self.assertEqual(self.found()["strategy"], "link")
        self.assertIn("Link", self.found()["why"])

    def test_next_urls_at_their_usual_places(self):
        shapes = [
            lambda url: {"next": url, "count": 23},
            lambda url: {"links": {"next": url and {"href": url}}},
            lambda url: {"_links": {"next": {"href": url}} if url else {}},
            lambda url: {"next": "token" if url else None, "next_url": url},
            lambda url: {"@odata.nextLink": url} if url else {},
            lambda url: {"d": {"__next": url} if url else {}},
            lambda url: {"pagination": {"next_url": url}, "has_more": bool(url)},
        ]
        for shape in shapes:

            def script(request):
                start = request.number("start", 0)
                return dict(shape("/items?start=%d" % (start + 9) if start + 9 < TOTAL else None), items=cut(start, 9))

            with self.subTest(shape=shape("/x")):
                self.assertEqual(self.read_all(self.http(script), paging="auto"), ITEMS)
                self.assertEqual(self.found()["strategy"], "nextUrl")

    def test_pages_that_are_counted_by_the_answer(self):
        def pages(first):
            def script(request):
                page = request.number("page", first)
                start = (page - first) * 9
                return {"items": cut(start, 9), "meta": {"page": page, "pages": 3}}
            return script

        def totals(request):
            page = request.number("pageNumber", 1)
            return {"items": cut(page * 9 - 9, 9), "pageNumber": page, "pageSize": 9, "total": TOTAL}

        def offsets(request):
            start = request.number("skip", 0)
            return {"items": cut(start, 9), "skip": start, "limit": 9, "total": TOTAL}

        for word, script, asked in (("page", pages(1), "page"), ("page", pages(0), "page"), ("page", totals, "pageNumber"), ("offset", offsets, "skip")):
            with self.subTest(asked=asked):
                http = self.http(script)
                self.assertEqual(self.read_all(http, paging="auto"), ITEMS)
                self.assertEqual(len(http.requests), 3)
                self.assertEqual([asked in request.query for request in http.requests], [False, True, True])
                self.assertEqual(self.found()["strategy"], word)
                self.assertIn(asked if asked != "page" else "/meta/page", self.found()["why"])

    def test_a_count_that_proves_wrong_is_an_error_and_no_item_comes_twice(self):
        def ignores(request):
            return {"items": cut(0, 9), "page": 1, "pages": 3}

        def echoes(request):
            return {"items": cut(0, 9), "page": request.number("page", 1), "pages": 3}

        def forgets(request):
            page = request.number("page", 1)
            return dict({"items": cut(page * 9 - 9, 9)}, **({"page": 1, "pages": 3} if page == 1 else {}))

        for script, word in ((ignores, "/page, not 2"), (echoes, "first page once more"), (forgets, "no longer says")):
            with self.subTest(word):
                error = self.later_failure(self.http(script), paging="auto")
                self.assertEqual(error["code"], BAD_PAGE)
                self.assertIn(word, error["message"])
                self.assertEqual(self.pagewire.model("s").items, cut(0, 9))

    def test_a_count_goes_on_in_another_process(self):
        def script(request):
            page = request.number("page", 1)
            return {"items": cut(page * 9 - 9, 9), "page": page, "pages": 3}

        http = self.http(script)
        server = self.open_http(http, paging="auto")
        server.wait_loaded("s")
        server.call("loadMore", {"session": "s"})
        server.call("setScrolledID", {"session": "s", "id": 12})
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        server = self.open_http(http, paging="auto", resume=token)
        server.wait_loaded("s")
        self.assertEqual(self.scroll_to_end(server).items[-1], ITEMS[-1])

    def test_two_counts_are_one_too_many(self):
        body = {"items": cut(0, 9), "page": 1, "pages": 3, "meta": {"page": 1, "pages": 3}}
        error = self.failure(self.http(lambda request: body), BAD_PAGE)
        self.assertTrue(error["data"]["evidence"], error)

    def test_all_at_once(self):
        for body in (ITEMS, {"items": ITEMS}, {"items": ITEMS, "total": 23, "pages": 1, "next": None, "has_more": False}):
            http = self.http(lambda request: body)
            self.assertEqual(self.read_all(http), ITEMS)
            self.assertEqual(self.found()["strategy"], "single")
            self.assertEqual(len(http.requests), 1)

    def test_when_unsure_it_says_so_instead_of_guessing(self):
        table = [
            ({"total": 24}, {}, "/total is 24"),
            ({"next_page_token": "abc"}, {}, "/next_page_token"),
            ({"meta": {"pages": 3}}, {}, "/meta/pages is 3"),
            ({"has_more": True}, {}, "/has_more"),
            ({"next": 2}, {}, "/next is 2"),
            ({"paging": {"cursor": "x"}}, {}, "/paging/cursor"),
            ({}, {"X-Total-Count": "24"}, "x-total-count"),
            ({}, {"X-Next-Page": "2"}, "x-next-page"),
        ]
        for members, headers, word in table:
            with self.subTest(members=members, headers=headers):
                http = self.http(lambda request: Reply(dict(members, items=ITEMS), headers=headers.items()))
                error = self.failure(http, BAD_PAGE)
                self.assertIn(word, error["message"])
                self.assertIn("strategy", error["message"])
                self.assertEqual(len(error["data"]["evidence"]), 1)
                self.assertEqual(len(http.requests), 1)

    def test_browse_prints_a_url(self):
        def script(request):
            start = request.number("start", 0)
            return {"items": cut(start, 9), "next": "?start=%d" % (start + 9) if start + 9 < TOTAL else None}

        url = self.http(script).origin + "/items"
        printed = subprocess.run([BINARY, "browse", url], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertEqual([json.loads(line) for line in printed.stdout.splitlines()], ITEMS, printed.stderr)


class EndTests(HTTPCase):
    def test_null_items_no_content_and_not_found_end_the_list(self):
        for last in (Reply({"items": None}), Reply(status=204), Reply(b""), Reply(b" \n"), Reply("{}", status=404)):
            http = self.http(lambda request: last if request.number("page") > 2 else {"items": [request.number("page")]})
            for members in ({"items": "/items"}, {}):
                if last.body == b'{"items": null}' and not members:
                    continue
                with self.subTest(last=last.body, **members):
                    self.assertEqual(self.read_all(http, paging=PAGE, endOn="never", **members), [1, 2])

    def test_a_list_that_is_left_out_is_the_end_but_not_on_the_first_page(self):
        http = self.http(lambda request: {"items": [1]} if request.number("page") == 1 else {"other": 1})
        self.assertEqual(self.read_all(http, paging=PAGE, items="/items"), [1])
        http = self.http(lambda request: {"other": []})
        error = self.failure(http, BAD_PAGE, paging=PAGE, items="/items")
        self.assertIn("/items", error["message"])
        self.assertEqual(self.read_all(self.http(lambda request: {}), paging=PAGE, items="/items"), [])

    def test_null_items_with_a_next_page_are_an_empty_page(self):
        def script(request):
            number = request.number("c", 0)
            return {"items": None if number == 1 else [number], "next": number + 1 if number < 3 else None}

        paging = {"strategy": "cursor", "from": "/next", "to": {"query": "c"}}
        self.assertEqual(self.read_all(self.http(script), paging=paging, items="/items"), [0, 2, 3])

    def test_not_found_is_an_error_on_the_first_page_and_where_it_is_no_end(self):
        http = self.http(lambda request: Reply({"detail": "no"}, status=404))
        error = self.failure(http, LOAD_FAILED, paging=PAGE)
        self.assertEqual((error["data"]["status"], error["data"]["retryable"]), (404, False))
        self.assertEqual(error["data"]["cause"], {"detail": "no"})
        http = self.http(lambda request: [1] if request.number("page") == 1 else Reply(status=404))
        self.assertEqual(self.later_failure(http, paging=PAGE, end={"notFound": False})["data"]["status"], 404)

    def test_a_repeated_cursor(self):
        """A log whose end repeats the token."""

        def script(request):
            number = request.number("c", 0)
            return {"items": [number] if number < 2 else [], "next": min(2, number + 1)}

        paging = {"strategy": "cursor", "from": "/next", "to": {"query": "c"}}
        self.assertEqual(self.later_failure(self.http(script), paging=paging)["code"], CYCLE)
        self.assertEqual(self.read_all(self.http(script), paging=paging, end={"repeatedCursor": "stop"}), [0, 1])

        http = self.http(script)
        server = self.open_http(http, paging=paging, end={"repeatedCursor": "poll"})
        server.wait_loaded("s")
        for _ in range(4):
            self.assertTrue(server.call("loadMore", {"session": "s"})["hasMore"])
        self.assertEqual(len(http.requests), 5)
        self.assertEqual({request.query.get("c") for request in http.requests[2:]}, {"2"})

    def test_a_longer_loop_is_noticed(self):
        http = self.http(lambda request: {"items": [], "next": {"": "a", "a": "b", "b": "c", "c": "a"}[request.query.get("c", "")]})
        paging = {"strategy": "cursor", "from": "/next", "to": {"query": "c"}}
        server = self.open_http(http, paging=paging)
        self.assertEqual(server.wait_notification("loadFailed").params["error"]["code"], CYCLE)
        self.assertEqual(len(http.requests), 4)


class FaultTests(HTTPCase):
    def test_statuses(self):
        table = [
            (400, {}, False, None),
            (401, {}, False, None),
            (403, {}, False, None),
            (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2"}, True, 2000),
            (408, {}, True, None),
            (410, {}, False, None),
            (429, {"Retry-After": "3"}, True, 3000),
            (429, {"Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"}, True, 0),
            (429, {"RateLimit-Reset": "9"}, True, 9000),
            (429, {"Retry-After": "99999999999"}, True, 86_400_000),
            (500, {}, True, None),
            (503, {"Retry-After": "1"}, True, 1000),
            (304, {}, False, None),
            (302, {}, False, None),
        ]
        server = self.server()
        for number, (status, headers, retryable, wait) in enumerate(table):
            with self.subTest(status=status, headers=headers):
                http = self.http(lambda request: Reply("busy", status=status, headers=headers.items()))
                self.open_http(http, "/x?key=hidden", server=server, session=str(number), paging=PAGE)
                error = server.wait_notification("loadFailed", session=str(number)).params["error"]
                self.assertEqual(error["code"], LOAD_FAILED)
                self.assertEqual(error["data"]["status"], status)
                self.assertEqual(error["data"]["retryable"], retryable)
                self.assertEqual(error["data"].get("retryAfterMs"), wait)
                self.assertIn(http.origin + "/x", error["message"])
                self.assertNotIn("hidden", json.dumps(error))

    def test_a_busy_server_is_asked_again_when_it_says_so(self):
        replies = [Reply(status=503, headers=[("Retry-After", "0")]), Reply([1]), Reply([])]
        http = self.http(lambda request: replies.pop(0))
        retry = {"retries": 1, "initialDelayMs": 60_000, "maxDelayMs": 60_000}
        self.assertEqual(self.read_all(http, paging=PAGE, retry=retry), [1])

    def test_no_server(self):
        http = self.http(lambda request: [])
        origin = http.origin
        http.close()
        error = self.failure(origin, UNAVAILABLE, paging=PAGE)
        self.assertIn(origin, error["message"])
        self.failure("http://no-such-host.invalid", UNAVAILABLE, paging=PAGE)

    def test_what_is_no_json(self):
        bodies = [b"<html>", b"[1", b'{"items":[\xff]}', b"[1,]", b"[1]x"]
        for body in bodies:
            http = self.http(lambda request: Reply(body, headers=[("Content-Type", "text/html")]))
            error = self.failure(http, BAD_PAGE, "/x?key=hidden", paging=PAGE)
            self.assertIn("text/html", error["message"])
            self.assertIn(http.origin + "/x", error["message"])
            self.assertNotIn("hidden", json.dumps(error))
        self.assertEqual(self.read_all(self.http(lambda r: b"\xef\xbb\xbf[1]"), paging={"strategy": "single"}), [1])
        self.failure(self.http(lambda request: b""), BAD_PAGE, paging=PAGE, end={"noContent": False})

    def test_what_is_no_page(self):
        table = [
            ({"a": [{}], "b": [{}]}, {}, "items"),
            ({"a": 1}, {}, "items"),
            ({"items": {"a": 1}}, {"items": "/items"}, "an array"),
            ([1], {"paging": {"strategy": "nextUrl", "from": "/0"}}, "no URL"),
        ]
        for body, members, word in table:
            with self.subTest(body=body):
                error = self.failure(self.http(lambda request: body), BAD_PAGE, **dict({"paging": PAGE}, **members))
                self.assertIn(word, error["message"])

    def test_graphql_errors_and_missing_page_info(self):
        paging = {"strategy": "graphql", "connection": "/data/items"}
        query = {"query": "q"}
        http = self.http(lambda request: {"data": None, "errors": [{"message": "first is too large"}]})
        error = self.failure(http, LOAD_FAILED, paging=paging, body=query)
        self.assertIn("first is too large", error["message"])
        self.assertEqual(error["data"]["cause"], [{"message": "first is too large"}])
        self.assertFalse(error["data"]["retryable"])
        for connection in (None, {"nodes": []}, {"nodes": [], "pageInfo": {"hasNextPage": True}}):
            http = self.http(lambda request: {"data": {"items": connection}})
            self.failure(http, BAD_PAGE, paging=paging, body=query)

    def test_bodies_that_break_off(self):
        def short(stream):
            stream.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1")

        def chunked(stream):
            stream.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2,\r\n")

        def nothing(stream):
            pass

        def no_http(stream):
            stream.write(b"\x00\x01\x02garbage\r\n\r\n")

        def bad_gzip(stream):
            stream.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope")

        for raw, code in ((short, LOAD_FAILED), (chunked, LOAD_FAILED), (nothing, LOAD_FAILED), (no_http, None), (bad_gzip, None)):
            with self.subTest(raw=raw.__name__):
                http = self.http(lambda request: Reply(raw=raw))
                server = self.open_http(http, paging=PAGE)
                error = server.wait_notification("loadFailed").params["error"]
                self.assertIn(error["code"], (code,) if code else (LOAD_FAILED, BAD_PAGE))
                self.assertNotEqual(error["data"].get("retryable"), False)

    def test_gzip_is_decoded(self):
        packed = gzip.compress(json.dumps(ITEMS).encode())
        http = self.http(lambda request: Reply(packed, headers=[("Content-Encoding", "gzip")]))
        self.assertEqual(self.read_all(http, paging={"strategy": "single"}), ITEMS)
        self.assertIn("gzip", http.requests[0].headers["Accept-Encoding"])

    def test_the_limit_counts_decoded_bytes(self):
        bomb = gzip.compress(b"[" + b" " * 200_000_000 + b"]", 9)
        http = self.http(lambda request: Reply(bomb, headers=[("Content-Encoding", "gzip")]))
        error = self.failure(http, LIMIT_EXCEEDED, paging=PAGE, maxResponseBytes=1_000_000)
        self.assertEqual(error["data"]["limit"], 1_000_000)
        for size, fits in ((1000, True), (1001, False)):
            body = b"[" + b" " * (size - 2) + b"]"
            if fits:
                self.assertEqual(self.read_all(self.http(lambda r: body), paging=PAGE, maxResponseBytes=1000), [])
            else:
                self.failure(self.http(lambda r: body), LIMIT_EXCEEDED, paging=PAGE, maxResponseBytes=1000)

    def test_endless_answers_end_at_the_limit(self):
        def endless(stream):
            stream.write(b"HTTP/1.1 200 OK\r\n\r\n[")
            while True:
                stream.write(b"1," * 50_000)

        def headers(stream):
            stream.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                stream.write(b"X: " + b"y" * 1000 + b"\r\n")

        self.failure(self.http(lambda r: Reply(raw=endless)), LIMIT_EXCEEDED, paging=PAGE, maxResponseBytes=1 << 20)
        server = self.open_http(self.http(lambda r: Reply(raw=headers)), paging=PAGE)
        self.assertIn(server.wait_notification("loadFailed").params["error"]["code"], (LIMIT_EXCEEDED, LOAD_FAILED))

    def test_slow_answers_end_in_time_and_hold_nobody_up(self):
        gone = threading.Event()
        release = threading.Event()
        self.addCleanup(release.set)

        def trickle(stream):
            stream.write(b"HTTP/1.1 200 OK\r\n\r\n[")
            try:
                while not release.wait(0.02):
                    stream.write(b" ")
                    stream.flush()
            except OSError:
                gone.set()

        http = self.http(lambda request: Reply(raw=trickle))
        server = self.open_http(http, paging=PAGE, timeoutMs=300)
        started = time.monotonic()
        server.barrier()
        self.assertLess(time.monotonic() - started, 5)
        self.assertEqual(server.wait_notification("loadFailed").params["error"]["code"], TIMEOUT)
        # The connection is given up, too, soon afterwards.
        self.assertTrue(gone.wait(20))

    def test_closing_gives_up_what_runs(self):
        gone = threading.Event()
        asked = threading.Event()

        def hang(stream):
            asked.set()
            try:
                while True:
                    stream.write(b"HTTP/1.1 102 x\r\n\r\n")
                    stream.flush()
                    time.sleep(0.02)
            except OSError:
                gone.set()

        server = self.open_http(self.http(lambda request: Reply(raw=hang)), paging=PAGE)
        self.assertTrue(asked.wait(20))
        server.call("close", {"session": "s"})
        self.assertTrue(gone.wait(20))


class TrustTests(HTTPCase):
    SECRET = "top-secret-value"

    def headers(self):
        return {"Authorization": "Bearer " + self.SECRET, "X-Api-Key": self.SECRET}

    def test_another_origin_is_not_asked(self):
        """Next links and redirects alike; nothing at all arrives there, so no secret can."""
        spy = self.http(lambda request: [1])
        for status in (301, 302, 303, 307, 308):
            http = self.http(lambda request: Reply(status=status, headers=[("Location", spy.origin + "/x")]))
            error = self.failure(http, LOAD_FAILED, paging=PAGE, headers=self.headers())
            self.assertEqual((error["data"]["origin"], error["data"]["retryable"]), (spy.origin, False))
            self.assertIn("credentialOrigins", error["message"])
        for url in (spy.origin + "/x", "//" + spy.origin[7:] + "/x", spy.origin.replace("127.0.0.1", "127.0.0.1.")):
            http = self.http(lambda request: {"items": [1], "next": url})
            error = self.later_failure(http, paging={"strategy": "nextUrl"}, headers=self.headers())
            self.assertIn("credentialOrigins", error["message"])
            # The page that named it is there.
            self.assertEqual(self.pagewire.model("s").items, [1])
        self.assertEqual(spy.requests, [])

    def test_an_origin_that_was_named_gets_the_headers(self):
        other = self.http(lambda request: {"items": [2], "next": None})
        http = self.http(lambda request: {"items": [1], "next": other.origin.upper().replace("HTTP", "http") + "/x"})
        members = {"headers": self.headers(), "credentialOrigins": [other.origin]}
        self.assertEqual(self.read_all(http, paging={"strategy": "nextUrl"}, **members), [1, 2])
        self.assertEqual(other.requests[0].headers["X-Api-Key"], self.SECRET)

    def test_redirects_within_the_origin_are_followed_by_hand(self):
        def script(request):
            if request.path == "/items":
                return Reply(status=302, headers=[("Location", "new/place?" + request.raw_query)])
            page = request.number("page")
            return Reply([page] if page < 3 else [], headers=[("Link", "<next>; rel=next")])

        http = self.http(script)
        self.assertEqual(self.read_all(http, paging=PAGE, headers=self.headers()), [1, 2])
        self.assertEqual({request.headers["X-Api-Key"] for request in http.requests}, {self.SECRET})

    def test_redirects_without_end_and_those_that_lose_the_body(self):
        http = self.http(lambda request: Reply(status=307, headers=[("Location", request.target + "1")]))
        error = self.failure(http, LOAD_FAILED, paging=PAGE)
        self.assertIn("redirect", error["message"])
        self.assertEqual(len(http.requests), 11)
        http = self.http(lambda request: Reply(status=302, headers=[("Location", "/y")]))
        self.failure(http, LOAD_FAILED, paging=PAGE, method="POST", body={})
        self.assertEqual(len(http.requests), 1)
        moved = self.http(
            lambda r: Reply(r.body) if r.path == "/y" else Reply(status=308, headers=[("Location", "/y")])
        )
        self.assertEqual(self.read_all(moved, paging={"strategy": "single"}, method="POST", body=[1.5]), [1.5])

    def test_other_schemes_are_no_page(self):
        for url in ("file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "http://u:p@127.0.0.1/"):
            http = self.http(lambda request: {"items": [1], "next": url})
            self.assertEqual(self.later_failure(http, paging={"strategy": "nextUrl"})["code"], BAD_PAGE)
            http = self.http(lambda request: Reply(status=302, headers=[("Location", url)]))
            self.failure(http, BAD_PAGE, paging=PAGE)

    @unittest.skipUnless(shutil.which("openssl"), "needs openssl")
    def test_a_certificate_that_nobody_vouches_for(self):
        """Nothing is sent, and trying again is no help."""
        folder = self.folder()
        names = [os.path.join(folder, name) for name in ("key.pem", "certificate.pem")]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            + ["-days", "2", "-subj", "/CN=127.0.0.1", "-keyout", names[0], "-out", names[1]],
            check=True,
            capture_output=True,
        )
        http = ScriptedServer(lambda request: [1], certificate=names)
        self.addCleanup(http.close)
        error = self.failure(http, UNAVAILABLE, paging=PAGE, headers=self.headers())
        self.assertEqual(error["data"]["retryable"], False)
        self.assertIn("certificate", error["message"])
        self.assertEqual(http.requests, [])

    def test_secrets_are_shown_nowhere(self):
        """Not in state, errors, the log or a recording, whatever the server sends back."""
        recording = os.path.join(self.folder(), "recording.jsonl")
        environment = dict(os.environ, PAGEWIRE_TEST_SECRET="env-" + self.SECRET)
        server = self.server("--record", recording, "--log-level", "debug", environment=environment)
        http = self.http(lambda request: Reply({"echo": dict(request.headers)}, status=500))
        headers = dict(self.headers(), **{"X-Env": {"env": "PAGEWIRE_TEST_SECRET"}})
        self.open_http(http, server=server, paging=PAGE, headers=headers)
        server.wait_notification("loadFailed")
        self.assertEqual(http.requests[0].headers["X-Env"], "env-" + self.SECRET)
        state = server.call("state", {"session": "s", "resume": True})
        self.assertEqual(state["settings"]["source"]["headers"], {name: None for name in headers})
        server.finish()
        with open(recording) as stream:
            recorded = stream.read()
        for text in (json.dumps([message.members for message in server.log]), server.stderr_text(), recorded):
            self.assertNotIn(self.SECRET, text)

    def test_what_a_server_echoes_of_a_secret_is_not_shown(self):
        """As a type, with JSON's escapes, as the name of a list or of something else."""
        token = "abc/def\"top"
        echoes = {
            "type": Reply("no json", headers=[("Content-Type", "text/" + token)]),
            "escaped": Reply('{"echo": "%s"}' % token.replace("/", "\\/").replace('"', "\\u0022"), status=500),
            "name": Reply({token: [{}], "other": [{}]}),
            "list": Reply({"a": {token: "x"}}),
        }
        for name, reply in echoes.items():
            with self.subTest(name):
                server = self.server()
                http = self.http(lambda request: reply)
                self.open_http(http, server=server, paging={"strategy": "page"}, headers={"X": "Bearer " + token})
                failure = server.wait_notification("loadFailed")
                self.assertEqual(http.requests[0].headers["X"], "Bearer " + token)
                # However it was escaped on the way here.
                self.assertNotIn("abc/def", json.dumps(failure.members).replace("\\", ""))

    def test_a_variable_that_is_not_set_fails_open(self):
        http = self.http(lambda request: [])
        members = {"paging": PAGE, "headers": {"X": {"env": "PAGEWIRE_NOT_SET"}}}
        self.refused(UNAVAILABLE, self.open_http, http, **members)


class ConnectionTests(HTTPCase):
    def test_a_warm_connection_is_used_again(self):
        http = self.http(lambda request: [request.number("page")] if request.number("page") < 30 else [])
        self.assertEqual(self.read_all(http, paging=PAGE), list(range(1, 30)))
        self.assertEqual(len({request.connection for request in http.requests}), 1)

    def test_a_connection_that_has_died_is_made_anew(self):
        def script(request):
            page = request.number("page")
            return Reply([page] if page < 5 else [], headers=[("Connection", "close")])

        self.assertEqual(self.read_all(self.http(script), paging=PAGE), [1, 2, 3, 4])

    def test_a_place_outlives_the_process(self):
        def script(request):
            start = request.number("start", 0)
            return {"items": cut(start, 4), "next": "?start=%d" % (start + 4) if start + 4 < TOTAL else None}

        http = self.http(script)
        paging = {"strategy": "nextUrl"}
        server = self.open_http(http, paging=paging, pageSize=4)
        server.wait_loaded("s")
        for _ in range(2):
            server.call("loadMore", {"session": "s"})
        server.call("setScrolledID", {"session": "s", "id": 9})
        token = server.call("state", {"session": "s", "resume": True})["resume"]
        again = self.open_http(http, paging=paging, pageSize=4, resume=token)
        page = again.wait_notification("pageAppended").params
        self.assertTrue(page["resumed"])
        self.assertEqual(page["items"], cut(8, 4))
        while again.call("loadPrevious", {"session": "s"})["outcome"] == "loaded":
            pass
        self.assertEqual(self.scroll_to_end(again).items, ITEMS)

    def test_a_refresh_from_another_place_and_of_another_query(self):
        def script(request):
            page, size = request.number("page"), request.number("size", 4)
            return [item for item in ITEMS if item["id"] >= request.number("min", 0)][(page - 1) * size :][:size]

        http = self.http(script)
        server = self.open_http(http, paging=PAGE, pageSize=4, headers={"X-Key": "kept"})
        server.wait_loaded("s")
        server.call("refresh", {"session": "s", "from": 3})
        server.barrier()
        self.assertEqual(server.model("s").items, cut(8, 4))
        self.assertEqual(http.requests[-1].headers["X-Key"], "kept")
        self.assertEqual(server.call("loadPrevious", {"session": "s"})["added"], 4)
        source = {"type": "http", "url": http.origin + "/items", "query": {"min": 10}, "paging": PAGE}
        server.call("refresh", {"session": "s", "source": source})
        self.assertEqual(self.scroll_to_end(server).items, ITEMS[10:])

    def test_facts(self):
        http = self.http(lambda request: {"data": {"rows": []}})
        server = self.open_http(http, "/x?secret=1", paging=PAGE)
        server.wait_loaded("s")
        facts = server.call("state", {"session": "s"})["source"]
        self.assertEqual(
            facts, {"type": "http", "url": http.origin + "/x", "strategy": "page", "items": "/data/rows"}
        )

    def test_a_missing_library_is_named_with_its_package(self):
        environment = dict(os.environ, PAGEWIRE_LIBCURL="/no/such/libcurl.so")
        server = self.server(environment=environment)
        error = self.failure(self.http(lambda request: []), UNAVAILABLE, server=server, paging=PAGE)
        self.assertIn("libcurl4", error["message"])
        self.assertEqual((error["data"]["package"], error["data"]["retryable"]), ("libcurl4", False))

    def test_everything_is_read_before_the_end(self):
        """Input that ends right after `open`: the first page still comes."""
        http = self.http(lambda request: [1, 2])
        source = {"type": "http", "url": http.origin + "/", "paging": {"strategy": "single"}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "open", "params": {"session": "s", "source": source}})
        messages, status = talk(("Content-Length: %d\r\n\r\n%s" % (len(body), body)).encode())
        appended = [each for group in messages for each in group if each.members.get("method") == "pageAppended"]
        self.assertEqual((appended[0].params["items"], status), ([1, 2], 0))


if __name__ == "__main__":
    unittest.main()
