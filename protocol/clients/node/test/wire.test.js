import assert from "node:assert/strict";
import { test } from "node:test";
import { children, encode, FrameReader } from "../wire.js";

const frame = (body) => Buffer.concat([Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]);
const bodies = ['{"a":1}', '"\u2028 ü 👍"', "", "[]", JSON.stringify("x".repeat(5000)), '{"b":"Content-Length: 5\\r\\n\\r\\n"}'];
const input = Buffer.concat(bodies.map(frame));

function read(chunks) {
  const reader = new FrameReader();
  return chunks.flatMap((chunk) => [...reader.push(chunk)]);
}

test("frames may be cut anywhere", () => {
  assert.deepEqual(read([input]), bodies);
  assert.deepEqual(read([...input].map((byte) => Buffer.from([byte]))), bodies);
  for (let cut = 1; cut < input.length; cut++) assert.deepEqual(read([input.subarray(0, cut), input.subarray(cut)]), bodies);
});

test("a frame of 64 MiB in small pieces takes no quadratic time", () => {
  const body = "x".repeat(64 * 1024 * 1024);
  const bytes = frame(body);
  const chunks = [];
  for (let at = 0; at < bytes.length; at += 4096) chunks.push(bytes.subarray(at, at + 4096));
  assert.equal(read(chunks)[0], body);
});

test("other headers and any case are read", () => {
  const text = "Content-Type: application/json\r\ncontent-LENGTH:\t2 \r\nX: 1\r\n\r\n[]";
  assert.deepEqual(read([Buffer.from(text)]), ["[]"]);
});

for (const text of ["Content-Length: x\r\n\r\n", "\r\n\r\n", "Length: 3\r\n\r\n", "Content-Length: 99999999999\r\n\r\n", "y".repeat(9000)]) {
  test(`what is no frame is refused: ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.throws(() => read([Buffer.from(text)]), /no message/);
    assert.throws(() => read([...Buffer.from(text)].map((byte) => Buffer.from([byte]))), /no message/);
  });
}

test("the members of a JSON text are found whatever they hold", () => {
  const text = ' { "a" : [1, 2.50] , "b\\"}" : "\\\\", "c":{"d":"]}"}, "e":-1e9, "f":null,"a":true } ';
  assert.deepEqual([...children(text)], [["a", "[1, 2.50]"], ['b"}', '"\\\\"'], ["c", '{"d":"]}"}'], ["e", "-1e9"], ["f", "null"], ["a", "true"]]);
  assert.deepEqual([...children("[]")], []);
  assert.deepEqual([...children("{ }")], []);
  assert.deepEqual([...children("[[],{},\"\",0]")].map(([, value]) => value), ["[]", "{}", '""', "0"]);
});

test("bigints are written as integers, and no string is taken for one", () => {
  assert.equal(encode({ a: -5n, b: [2n ** 70n, "7"], c: undefined }), '{"a":-5,"b":[1180591620717411303424,"7"]}');
  const once = encode({ mark: 1n });
  assert.equal(encode({ text: once, big: 2n }), JSON.stringify({ text: once }).slice(0, -1) + ',"big":2}');
});
