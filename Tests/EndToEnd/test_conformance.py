"""Strict JSON seen from outside: every production of RFC 8259, and every way to break it; Python's own reader as a second opinion."""

import json
import random
import unittest

from strict_json import frame
from support import PARSE_ERROR, EndToEndCase, talk

# What must be taken, and come back byte for byte, by production of the grammar.
ACCEPTED = {
    "literals": ["true", "false", "null"],
    "int": ["0", "-0", "1", "-1", "10", "9007199254740993", "123456789012345678901234567890"],
    "frac": ["0.0", "-0.10", "1.5", "10.01", "0." + "3" * 400],
    "exp": ["1e1", "1E1", "1e+1", "1e-1", "0e0", "-0.0E-00", "1e400", "1.5e0000000000000000001"],
    "empty": ['""', "[]", "{}"],
    "escape": ['"\\""', '"\\\\"', '"\\/"', '"\\b"', '"\\f"', '"\\n"', '"\\r"', '"\\t"'],
    "uXXXX": ['"\\u0000"', '"\\u001f"', '"\\uABCD"', '"\\uabcd"', '"\\uAbCd"', '"\\uffff"', '"\\ufeff"'],
    "surrogates": ['"\\ud83d\\ude00"', '"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"\\ud800x"', '"\\ud800\\n"'],
    "unescaped": ['"%s"' % chr(code) for code in (0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7E, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF)]
    + ['"%s"' % chr(code) for code in (0xE000, 0xFEFF, 0xFFFE, 0xFFFF, 0x10000, 0x1FFFF, 0x10FFFF, 0x2028, 0x85)],
    "array": ["[1]", "[1,2]", '[[],{},"",0,null]', "[[[[]]]]", "[" * 900 + "]" * 900],
    "object": ['{"":0}', '{"a":1,"a":2}', '{"a":{"b":[]}}', '{"\\u0061":1}', '{"a":' * 900 + "1" + "}" * 900],
    "ws": ["[ ]", "{ }", "[\t1\n,\r2 ]", '{\n"a"\t:\r1 ,\n"b" : 2\r\n}', "[ \t\r\n \t\r\n]"],
}
REFUSED = {
    "literals": ["tru", "True", "TRUE", "truee", "nul", "None", "undefined", "NaN", "Infinity", "-Infinity", "nan", "t", "truefalse"],
    "int": ["00", "01", "-01", "-", "--1", "+1", "- 1", "1 2", "0x10", "1_000", "1,000", "\u0661", "\uff11", "1n", "1a"],
    "frac": [".5", "1.", "-.5", "1..5", "1.5.5", "1. 5", "1.e5", "0.x", "-.e1"],
    "exp": ["1e", "1E", "1e+", "1e-", "1e1.5", "e1", "1e+-1", "1ee1", "1 e1", "1e 1", "1e\u0661"],
    "string": ['"', '"a', "'a'", "a", '"a"b"', '"a""b"', "\u201ca\u201d", "`a`", '""a', '"\\"'],
    "escape": ['"\\x41"', '"\\a"', '"\\0"', '"\\\'"', '"\\U0041"', '"\\ "', '"\\\n"', '"\\', '"\\v"', '"\\e"', '"\\N"'],
    "uXXXX": ['"\\u"', '"\\u1"', '"\\u12"', '"\\u123"', '"\\u123g"', '"\\u 123"', '"\\u+123"', '"\\u{41}"', '"\\ud83d\\u"', '"\\u00\\u0041"'],
    "unescaped": ['"a%sb"' % chr(code) for code in range(0x20)] + ['"%s"' % chr(code) for code in (0x00, 0x0A, 0x1F)],
    "array": ["[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[1}", "[]]", "[[]", "(1)"],
    "object": ["{", "}", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{,}", '{"a"}', '{"a",1}', '{"a" 1}', '{"a"=1}', '{"a"::1}', "{1:1}",
               "{a:1}", "{'a':1}", "{null:1}", '{"a":1 "b":2}', '{"a":1;"b":2}', '{"a":1,,"b":2}', '{"a":}', '{:1}', '{"a":1]', '{"a":1}}',
               '{"a":1}{"b":2}', '{"a":1},', '{["a"]:1}', '{"a":1 // x\n}', '{"a":/**/1}', "{...[]}"],
    "ws": ["[\x0b]", "[\x0c]", "[\u00a0]", "[\u2028]", "[\ufeff]", "[\u3000]", "[\u200b]", "[\x85]", "[\x00]", "[\x1f]", "[\x7f]", "[\\n]", "[#\n]"],
    "document": ["1 1", "[] []", "null,", "1;", ":", ",", "//", "/**/1", "#", "\\", "@", "1\x00", "\ufeff1", "1\ufeff"],
}
# What no text can hold, as bytes inside of a string.
NOT_UTF8 = [bytes([byte]) for byte in range(0x80, 0x100)] + [
    b"\xc3", b"\xc3(", b"\xe2\x82", b"\xe2(\xa1", b"\xe2\x82(", b"\xf0\x90\x8c", b"\xf0(\x8c\xbc", b"\xf0\x90(\xbc", b"\xf0\x90\x8c(",
    b"\xc0\x80", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xf0\x80\x80\x80", b"\xf0\x8f\xbf\xbf",
    b"\xed\xa0\x80", b"\xed\xad\xbf", b"\xed\xae\x80", b"\xed\xaf\xbf", b"\xed\xb0\x80", b"\xed\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80",
    b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80", b"\xef\xbb", b"\xc3\xc3\xa9",
]  # fmt: skip


def refuses(text):
    """Whether Python's reader, made strict, refuses these bytes."""

    def constant(name):
        raise ValueError(name)

    try:
        json.loads(text.decode("utf-8"), parse_constant=constant)
    except ValueError:
        return True
    return False


class ConformanceTests(EndToEndCase):
    def judge(self, texts):
        """For each text, as a member's value: what came back of it, or None where it was refused, in the given order."""
        data = b""
        for number, text in enumerate(texts):
            data += frame(
                b'{"jsonrpc":"2.0","id":%d,"method":"open","params":{"session":"s","source":{"type":"items","items":[]},'
                b'"autoload":false,"ifExists":"replace","presentation":%s}}' % (number, text)
            )
        answers, status = talk(data)
        self.assertEqual(status, 0)
        responses = [m for each in answers for m in each if m.kind == "response"]
        self.assertEqual(len(responses), len(texts), "each is answered once")
        results = []
        for number, message in enumerate(responses):
            if message.raw["id"] == "null":
                self.assertEqual(message["error"]["code"], PARSE_ERROR)
                results.append(None)
            else:
                self.assertEqual(message.raw["id"], str(number), "in their order")
                results.append(message.text)
        return results

    def test_every_production_is_taken_and_comes_back_byte_for_byte(self):
        for production, texts in ACCEPTED.items():
            with self.subTest(production):
                encoded = [text.encode() for text in texts]
                self.assertEqual([text for text in encoded if refuses(text)], [], "Python takes them too")
                for text, answer in zip(texts, self.judge(encoded)):
                    self.assertIsNotNone(answer, text)
                    self.assertIn('"presentation":%s' % text, answer)

    def test_every_way_to_break_a_production_is_refused_and_the_next_text_is_read(self):
        for production, texts in REFUSED.items():
            with self.subTest(production):
                broken = [text.encode("utf-8", "surrogatepass") for text in texts]
                self.assertEqual([text for text in broken if not refuses(text)], [], "Python refuses them too")
                mixed = [each for text in broken for each in (text, b"[1.0]")]
                answers = self.judge(mixed)
                self.assertEqual([text for text, answer in zip(mixed[::2], answers[::2]) if answer is not None], [])
                self.assertNotIn(None, answers[1::2])

    def test_bytes_that_are_no_utf8_are_refused_wherever_they_stand(self):
        for where in (b'"%s"', b'"abcdefghijklmnop%s"', b'"%sabcdefghijklmnop"', b'{"%s":1}', b'["","%s"]'):
            with self.subTest(where):
                texts = [where.replace(b"%s", each) for each in NOT_UTF8]
                self.assertEqual([text for text in texts if not refuses(text)], [], "Python refuses them too")
                answers = self.judge(texts)
                self.assertEqual([text for text, answer in zip(texts, answers) if answer is not None], [])

    def test_every_byte_in_every_place_is_judged_as_by_python(self):
        """A text of all productions, with each of its bytes replaced by each of 256, and taken out."""
        whole = '{"é\\n":[-1.5e+3,"\\ud83d\\ude00"],"b":{"":null} }'.encode()
        damaged = [whole[:place] + whole[place + 1 :] for place in range(len(whole))]
        for place in range(len(whole)):
            damaged += [whole[:place] + bytes([byte]) + whole[place + 1 :] for byte in range(256)]
        self.compare(damaged)

    def test_random_damage_is_judged_as_by_python(self):
        drawn = random.Random(8259)
        pool = [text.encode() for texts in ACCEPTED.values() for text in texts if len(text) < 60]
        pieces = [text.encode("utf-8", "surrogatepass") for texts in REFUSED.values() for text in texts] + NOT_UTF8
        damaged = []
        for _ in range(6000):
            text = b"[%s]" % b",".join(drawn.choice(pool) for _ in range(drawn.randrange(4)))
            for _ in range(drawn.randrange(3)):
                place = drawn.randrange(len(text) + 1)
                text = text[:place] + drawn.choice(pieces) + text[place + drawn.randrange(3) :]
            damaged.append(text)
        self.compare(damaged)

    def compare(self, texts):
        # A member's value ends where the next begins, so what breaks out of it may be good again as a whole message.
        bodies = [b'{"jsonrpc":"2.0","id":1,"method":"nosuch","params":{"x":%s}}' % text for text in texts]
        answers, status = talk(b"".join(frame(body) for body in bodies))
        self.assertEqual(status, 0)
        self.assertEqual(len(answers), len(bodies))
        for body, answer in zip(bodies, answers):
            refused = answer[0]["error"]["code"] == PARSE_ERROR
            if refused != refuses(body):
                self.fail("Python %s what the server %s: %r" % (*(("refuses", "takes"), ("takes", "refuses"))[refused], body))


if __name__ == "__main__":
    unittest.main()
