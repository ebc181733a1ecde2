"""JSON-RPC 2.0 in full: shapes, ids, batches, and the specification's own examples (contract section 1)."""

import unittest

from strict_json import dumps, frame
from support import BAD_PARAMS, CANCELLED, INVALID_REQUEST, NO_METHOD, NOT_FOUND, PARSE_ERROR, EndToEndCase, talk

# Texts of ids that must come back byte for byte.
IDS = (
    "1",
    "0",
    "-1",
    "-0",
    "1.0",
    "1.50",
    "1e0",
    "1E+2",
    "1e-7",
    "0.1",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890123456789012345678901234567890",
    "1e400",
    '"x"',
    '""',
    '" "',
    '"1"',
    '"null"',
    '"\\u0061"',
    '"\\/"',
    '"/"',
    '"\\ud83d\\ude00"',
    '"\U0001f600"',
    '"\\ud800"',
    '"\\u0000"',
    '"a\\"b\\\\c"',
    '"\u2028\u2029\x7f"',
    '"8799aaa9-1c6e-4ac2-b7b7-3f6f0e6a6b59"',
    "null",
    '"' + "long" * 5000 + '"',
    "1" * 400,
)


def says(*bodies):
    """What the server answers to these bodies, each in a frame of its own: a list of lists of messages."""
    return talk(b"".join(frame(body) for body in bodies))[0]


def codes(messages):
    return [(m.raw["id"], m["error"]["code"] if "error" in m.members else m["result"]) for m in messages]


class IdTests(EndToEndCase):
    def test_ids_come_back_byte_for_byte_with_a_result(self):
        bodies = ['{"jsonrpc":"2.0","id":%s,"method":"sessions"}' % each for each in IDS]
        self.assertEqual([m[0].raw["id"] for m in says(*bodies)], list(IDS))

    def test_ids_come_back_byte_for_byte_with_an_error(self):
        for method in ("nosuch", "state"):
            bodies = ['{"id":%s,"method":"%s","jsonrpc":"2.0"}' % (each, method) for each in IDS]
            answers = says(*bodies)
            self.assertEqual([m[0].raw["id"] for m in answers], list(IDS))
            self.assertTrue(all("error" in m[0].members for m in answers))

    def test_ids_come_back_byte_for_byte_from_a_wait(self):
        server = self.server()
        self.open_client(server, first={"items": [], "hasMore": True}, maxEmptyPages=1)
        for raw_id in IDS:
            if raw_id == "null":
                continue
            waiting = server.request("loadMore", {"session": "s"}, raw_id=raw_id)
            server.next_fetch().answer([], hasMore=True)
            self.assertEqual(server.wait_response(waiting).raw["id"], raw_id)

    def test_blanks_around_an_id_are_no_part_of_it(self):
        answers = says('{ "jsonrpc" : "2.0" ,\r\n\t"id" :  1.0  , "method" : "sessions" }')
        self.assertEqual(answers[0][0].raw["id"], "1.0")

    def test_an_id_of_another_type_is_an_invalid_request(self):
        for raw_id in ("true", "false", "[]", "[1]", "{}", '{"a":1}'):
            with self.subTest(raw_id):
                answers = says('{"jsonrpc":"2.0","id":%s,"method":"sessions"}' % raw_id)
                self.assertEqual([codes(each) for each in answers], [[("null", INVALID_REQUEST)]])

    def test_a_second_request_under_an_id_in_flight_is_refused_with_id_null(self):
        for raw_id in ("7", '"seven"', "7.0", "-1", '"\\u0061"'):
            with self.subTest(raw_id):
                server = self.server(check=False)
                server.open("s", {"type": "client"}, autoload=False)
                server.request("loadMore", {"session": "s"}, raw_id=raw_id)
                fetch = server.next_fetch()
                for method in ("loadMore", "sessions", "refresh", "nosuch"):
                    since = server.mark()
                    server.send_text(server.message_text(method, {"session": "s"}, raw_id))
                    server.call("sessions")
                    refused = [m for m in server.log[since:] if m.kind == "response" and m.raw["id"] == "null"]
                    self.assertEqual([m["error"]["code"] for m in refused], [INVALID_REQUEST])
                    self.assertNotIn(raw_id, server.answers)
                fetch.answer([{"id": 1}], next=None)
                self.assertEqual(server.wait(raw_id)["outcome"], "loaded")
                self.assertEqual(len(server.answers[raw_id]), 1)
                # Answered, the id is free again.
                server.request("sessions", raw_id=raw_id)
                self.assertEqual(server.wait(raw_id), [{"session": "s", "count": 1, "phase": "items"}])

    def test_ids_in_flight_are_told_apart_by_their_bytes(self):
        server = self.server()
        self.open_client(server)
        fetch = server.next_fetch()
        ids = ["7", '"7"', "7.0", "7e0", "-7", '"\\u0037"']
        for raw_id in ids:
            server.request("loadMore", {"session": "s"}, raw_id=raw_id)
        server.barrier()
        fetch.answer([{"id": 1}], next=None)
        for raw_id in ids:
            self.assertEqual(server.wait(raw_id)["outcome"], "coalesced")


class ShapeTests(EndToEndCase):
    def test_what_is_json_but_no_request(self):
        table = {
            "1": INVALID_REQUEST,
            '"x"': INVALID_REQUEST,
            "null": INVALID_REQUEST,
            "true": INVALID_REQUEST,
            "{}": INVALID_REQUEST,
            '{"jsonrpc":"2.0"}': INVALID_REQUEST,
            '{"foo":"boo"}': INVALID_REQUEST,
            '{"jsonrpc":"2.0","method":1}': INVALID_REQUEST,
            '{"jsonrpc":"2.0","method":1,"params":"bar"}': INVALID_REQUEST,
            '{"jsonrpc":"2.0","method":null}': INVALID_REQUEST,
            '{"jsonrpc":"2.0","method":["sessions"]}': INVALID_REQUEST,
        }
        for body, code in table.items():
            with self.subTest(body):
                self.assertEqual([codes(each) for each in says(body)], [[("null", code)]])

    def test_a_request_that_is_none_is_answered_once_under_its_id_or_null(self):
        for body in (
            '{"id":5,"method":"sessions"}',
            '{"jsonrpc":"1.0","id":5,"method":"sessions"}',
            '{"jsonrpc":2.0,"id":5,"method":"sessions"}',
            '{"jsonrpc":"2.00","id":5,"method":"sessions"}',
            '{"jsonrpc":null,"id":5,"method":"sessions"}',
            '{"jsonrpc":"2.0","id":5,"method":7}',
            '{"jsonrpc":"2.0","id":5,"method":{}}',
            '{"jsonrpc":"2.0","id":5}',
        ):
            with self.subTest(body):
                answers = says(body)
                self.assertEqual(len(answers), 1)
                self.assertEqual(answers[0][0]["error"]["code"], INVALID_REQUEST)
                self.assertIn(answers[0][0].raw["id"], ("5", "null"))

    def test_params_that_are_no_structure(self):
        for params in ('"bar"', "1", "true", "1.5"):
            with self.subTest(params):
                answers = says('{"jsonrpc":"2.0","id":5,"method":"sessions","params":%s}' % params)
                self.assertIn(answers[0][0]["error"]["code"], (INVALID_REQUEST, BAD_PARAMS))

    def test_params_by_position_are_refused(self):
        answers = says('{"jsonrpc":"2.0","id":5,"method":"state","params":["s"]}')
        self.assertEqual([codes(each) for each in answers], [[("5", BAD_PARAMS)]])

    def test_absent_and_null_params_are_empty_params(self):
        for params in ("", ',"params":null', ',"params":{}'):
            answers = says(
                '{"jsonrpc":"2.0","id":5,"method":"sessions"%s}' % params,
                '{"jsonrpc":"2.0","id":6,"method":"state"%s}' % params,
            )
            self.assertEqual([codes(each) for each in answers], [[("5", [])], [("6", BAD_PARAMS)]])

    def test_unknown_methods(self):
        for method in (
            "nosuch",
            "",
            "Sessions",
            "SESSIONS",
            "session",
            "sessions ",
            "$/nosuch",
            "$/",
            "rpc.nosuch",
            "é",
            "\0",
            "loadMor",
            "loadMoree",
            "x" * 100_000,
        ):
            with self.subTest(method[:20]):
                answers = says('{"jsonrpc":"2.0","id":5,"method":%s,"params":{"session":"s"}}' % dumps(method))
                self.assertEqual([codes(each) for each in answers], [[("5", NO_METHOD)]])

    def test_a_notification_is_never_answered_not_even_with_an_error(self):
        bodies = [
            '{"jsonrpc":"2.0","method":%s,"params":%s}' % (dumps(method), params)
            for method in (
                "sessions",
                "state",
                "open",
                "loadMore",
                "refresh",
                "close",
                "itemAppeared",
                "nosuch",
                "$/nosuch",
                "$/cancelRequest",
                "initialize",
                "setScrolledID",
                "shutdownn",
            )
            for params in ("{}", "null", '{"session":5}', '{"session":"nosuch"}', "[1]")
        ]
        self.assertEqual(
            [codes(each) for each in says(*bodies, '{"jsonrpc":"2.0","id":1,"method":"sessions"}')], [[("1", [])]]
        )

    def test_member_names_are_case_sensitive_and_unknown_ones_ignored(self):
        self.assertEqual(says('{"jsonrpc":"2.0","ID":1,"method":"sessions"}'), [])
        answers = says(
            '{"x":{"id":[]},"jsonrpc":"2.0","Id":3,"id":1,"y":null,"method":"sessions","error_":1,"params":{"q":[{}]}}'
        )
        self.assertEqual([codes(each) for each in answers], [[("1", [])]])

    def test_of_duplicate_members_the_last_counts(self):
        answers = says(
            '{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"id":2,"method":"nosuch","method":"sessions","params":5,"params":{}}',
            '{"jsonrpc":"2.0","id":3,"method":"open","params":{"session":"a","session":"b","source":5,"source":{"type":"items","type":"items","items":[1],"items":[]}}}',
            '{"jsonrpc":"2.0","id":4,"method":"state","params":{"session":"a"}}',
        )
        responses = [m for each in answers for m in each if m.kind == "response"]
        self.assertEqual([m.raw["id"] for m in responses], ["2", "3", "4"])
        self.assertEqual(responses[0]["result"], [])
        self.assertEqual(responses[1]["result"]["session"], "b")
        self.assertEqual(responses[2]["error"]["code"], NOT_FOUND)

    def test_names_and_values_may_be_written_with_escapes(self):
        answers = says(
            '{"\\u006asonrpc":"2\\u002e0","\\u0069d":1,"m\\u0065thod":"s\\u0065ssions","p\\u0061rams":{}}',
            '{"jsonrpc":"2.0","id":2,"method":"open","params":{"s\\u0065ssion":"\\u0061","source":{"t\\u0079pe":"it\\u0065ms","items":[]}}}',
            '{"jsonrpc":"2.0","id":3,"method":"state","params":{"session":"a"}}',
        )
        responses = [m for each in answers for m in each if m.kind == "response"]
        self.assertEqual([m.raw["id"] for m in responses], ["1", "2", "3"])
        self.assertTrue(all("result" in m.members for m in responses), responses)

    def test_members_may_come_in_any_order(self):
        answers = says('{"params":{},"method":"sessions","id":"z","jsonrpc":"2.0"}')
        self.assertEqual([codes(each) for each in answers], [[('"z"', [])]])

    def test_responses_nobody_waits_for_are_not_answered(self):
        bodies = [
            '{"jsonrpc":"2.0","id":99,"result":1}',
            '{"jsonrpc":"2.0","id":"nosuch","error":{"code":1,"message":"x"}}',
            '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
            '{"jsonrpc":"2.0","id":99,"result":null}',
        ]
        self.assertEqual(
            [codes(each) for each in says(*bodies, '{"jsonrpc":"2.0","id":1,"method":"sessions"}')], [[("1", [])]]
        )


class BatchTests(EndToEndCase):
    PING = '{"jsonrpc":"2.0","id":%s,"method":"sessions"}'

    def test_an_empty_batch_is_one_invalid_request(self):
        self.assertEqual(talk(frame("[]"))[0][0][0]["error"]["code"], INVALID_REQUEST)
        self.assertEqual([codes(each) for each in says("[]", "[ ]")], [[("null", INVALID_REQUEST)]] * 2)

    def test_an_empty_batch_is_answered_by_an_object(self):
        self.assertTrue(says("[]")[0][0].text.startswith("{"))

    def test_elements_that_are_no_request_are_answered_one_by_one(self):
        for body, number in (
            ("[1]", 1),
            ("[1,2,3]", 3),
            ('[null,"x",[],{},true]', 5),
            ("[[]]", 1),
            ("[[%s]]" % (self.PING % 1), 1),
        ):
            with self.subTest(body):
                answers = says(body)
                self.assertEqual(len(answers), 1)
                self.assertEqual(codes(answers[0]), [("null", INVALID_REQUEST)] * number)

    def test_a_batch_with_bad_json_is_one_parse_error(self):
        for body in (
            '[{"jsonrpc":"2.0","id":1,"method":"sessions"},{"jsonrpc":"2.0","method"]',
            "[1,]",
            "[,]",
            "[1 2]",
            "[",
        ):
            with self.subTest(body):
                answers = says(body, self.PING % 9)
                self.assertEqual([codes(each) for each in answers], [[("null", PARSE_ERROR)], [("9", [])]])

    def test_a_batch_of_notifications_answers_nothing(self):
        notification = '{"jsonrpc":"2.0","method":"nosuch"}'
        self.assertEqual(says("[%s]" % notification, "[%s,%s]" % (notification, notification)), [])

    def test_a_batch_of_responses_answers_nothing(self):
        self.assertEqual(says('[{"jsonrpc":"2.0","id":77,"result":1},{"jsonrpc":"2.0","method":"nosuch"}]'), [])

    def test_each_request_of_a_batch_is_answered_once(self):
        for number in (1, 2, 10, 500):
            answers = says("[%s]" % ",".join(self.PING % index for index in range(number)))
            self.assertEqual(len(answers), 1)
            self.assertEqual(sorted(int(m.raw["id"]) for m in answers[0]), list(range(number)))

    def test_a_mixed_batch(self):
        body = "[%s]" % ",".join(
            [
                self.PING % 1,
                '{"jsonrpc":"2.0","method":"nosuch"}',
                "5",
                '{"foo":"boo"}',
                '{"jsonrpc":"2.0","id":"5","method":"nosuch"}',
                self.PING % '"9"',
                '{"jsonrpc":"2.0","id":2,"method":"state"}',
            ]
        )
        answers = says(body)
        self.assertEqual(len(answers), 1)
        expected = [
            ("1", []),
            ("null", INVALID_REQUEST),
            ("null", INVALID_REQUEST),
            ('"5"', NO_METHOD),
            ('"9"', []),
            ("2", BAD_PARAMS),
        ]
        self.assertCountEqual(codes(answers[0]), expected)

    def test_a_batch_with_requests_that_wait_is_answered_when_all_are_done(self):
        server = self.server()
        self.open_client(server, first={"items": [{"id": 1}], "next": 1})
        for raw_id in ("100", "101", "102"):
            server.conversation.sent(raw_id, "-", {})
        server.send_text(
            "[%s]"
            % ",".join(
                [
                    server.message_text("loadMore", {"session": "s"}, "100"),
                    server.message_text("sessions", {}, "101"),
                    server.message_text("loadMore", {"session": "s"}, "102"),
                ]
            )
        )
        fetch = server.next_fetch()
        server.barrier()
        fetch.answer([{"id": 2}], next=None)
        self.assertEqual(server.wait("100")["outcome"], "loaded")
        self.assertEqual(server.wait("102")["outcome"], "coalesced")
        self.assertEqual(len(server.wait("101")), 1)

    def test_a_request_of_a_batch_can_be_cancelled(self):
        server = self.server()
        self.open_client(server, first={"items": [{"id": 1}], "next": 1})
        server.conversation.sent("100", "-", {})
        server.send_text("[%s]" % server.message_text("loadMore", {"session": "s"}, "100"))
        server.next_fetch()
        server.notify("$/cancelRequest", {"id": 100})
        self.assertEqual(server.wait_response("100")["error"]["code"], CANCELLED)

    def test_the_same_id_twice_in_a_batch_while_in_flight(self):
        server = self.server(check=False)
        server.open("s", {"type": "client"}, autoload=False)
        one = server.message_text("loadMore", {"session": "s"}, "100")
        server.send_text("[%s,%s]" % (one, one))
        server.next_fetch().answer([{"id": 1}], next=None)
        self.assertEqual(server.wait("100")["outcome"], "loaded")
        refused = [m for m in server.log if m.kind == "response" and m.raw["id"] == "null"]
        self.assertEqual([m["error"]["code"] for m in refused], [INVALID_REQUEST])
        self.assertEqual(len(server.answers["100"]), 1)

    def test_notifications_of_a_session_come_as_frames_of_their_own(self):
        body = "[%s]" % (
            '{"jsonrpc":"2.0","id":1,"method":"open","params":{"session":"s","source":{"type":"items","items":[{"id":1}]}}}'
        )
        answers, _ = talk(frame(body))
        self.assertIn(
            [("1", "s")],
            [[(m.raw["id"], m["result"]["session"]) for m in each if m.kind == "response"] for each in answers],
        )
        self.assertEqual(
            [m.method for each in answers for m in each if m.kind == "notification"],
            ["loading", "pageAppended", "loading"],
        )

    def test_shutdown_and_exit_in_a_batch(self):
        answers, status = talk(
            frame('[{"jsonrpc":"2.0","id":1,"method":"shutdown"},{"jsonrpc":"2.0","method":"exit"}]')
        )
        self.assertEqual([codes(each) for each in answers], [[("1", None)]])
        self.assertEqual(status, 0)


class SpecificationExampleTests(EndToEndCase):
    """The examples of the JSON-RPC 2.0 specification, as they stand; this server has none of their methods."""

    EXAMPLES = (
        ('{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}', [("1", NO_METHOD)]),
        (
            '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
            [("3", NO_METHOD)],
        ),
        ('{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', None),
        ('{"jsonrpc": "2.0", "method": "foobar"}', None),
        ('{"jsonrpc": "2.0", "method": "foobar", "id": "1"}', [('"1"', NO_METHOD)]),
        ('{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', [("null", PARSE_ERROR)]),
        ('{"jsonrpc": "2.0", "method": 1, "params": "bar"}', [("null", INVALID_REQUEST)]),
        (
            '[\n  {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},\n  {"jsonrpc": "2.0", "method"\n]',
            [("null", PARSE_ERROR)],
        ),
        ("[]", [("null", INVALID_REQUEST)]),
        ("[1]", [("null", INVALID_REQUEST)]),
        ("[1,2,3]", [("null", INVALID_REQUEST)] * 3),
        (
            '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},'
            '{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},'
            '{"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},'
            '{"foo": "boo"},'
            '{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},'
            '{"jsonrpc": "2.0", "method": "get_data", "id": "9"}]',
            [('"1"', NO_METHOD), ('"2"', NO_METHOD), ("null", INVALID_REQUEST), ('"5"', NO_METHOD), ('"9"', NO_METHOD)],
        ),
        (
            '[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},'
            '{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]',
            None,
        ),
    )

    def test_each_example(self):
        for body, expected in self.EXAMPLES:
            with self.subTest(body[:60]):
                answers = [codes(each) for each in says(body)]
                self.assertEqual(len(answers), 0 if expected is None else 1)
                if expected is not None:
                    self.assertCountEqual(answers[0], expected)

    def test_all_examples_on_one_connection(self):
        answers = says(*[body for body, _ in self.EXAMPLES])
        self.assertEqual(len(answers), len([1 for _, expected in self.EXAMPLES if expected is not None]))


if __name__ == "__main__":
    unittest.main()
