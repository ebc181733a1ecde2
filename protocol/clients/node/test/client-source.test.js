import assert from "node:assert/strict";
import { test } from "node:test";
import { rawMember } from "../pagewire.js";
import { openList, serve, until } from "./support.js";

const alphabet = "abcdefghijklmnopqrstuvwxyz";

test("a fetch function gives the pages, with its own cursors", async (t) => {
  const cursors = [];
  const fetch = async ({ cursor, limit, params }) => {
    cursors.push(cursor);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const last = Math.min((cursor?.at ?? 0) + limit, params.letters.length);
    return { items: [...params.letters.slice(cursor?.at ?? 0, last)], next: last < 26 ? { at: last } : null, total: 26 };
  };
  const seen = await openList(serve(t), { source: { type: "client", params: { letters: alphabet } }, pageSize: 10 }, fetch);
  while ((await seen.list.loadMore()).hasMore);
  assert.equal(seen.items.join(""), alphabet);
  assert.deepEqual(cursors, [null, { at: 10 }, { at: 20 }]);
});

test("the signal is aborted when the page is not wanted any more, and the call is answered all the same", async (t) => {
  let signal;
  const stubborn = (_, given) => new Promise(() => (signal = given)); // never answers by itself
  const server = serve(t);
  const { list } = await openList(server, { autoload: false }, stubborn);
  const controller = new AbortController();
  const waiting = list.loadMore({}, { signal: controller.signal });
  await until(() => signal);
  assert.equal(signal.aborted, false);
  controller.abort();
  await assert.rejects(waiting, { code: -32800 });
  await until(() => signal.aborted);
  assert.equal((await list.state()).loading.initial, false);
});

test("closing a list aborts its fetch", async (t) => {
  let signal;
  const { list } = await openList(serve(t), {}, (_, given) => new Promise(() => (signal = given)));
  await until(() => signal);
  await list.close();
  await until(() => signal.aborted);
});

test("what a fetch function throws is a failed try, with what it says about retrying", async (t) => {
  let tries = 0;
  const fetch = ({ cursor }) => {
    if (cursor === null) return { items: [1], next: 1 };
    throw Object.assign(new Error("The shelf is stuck."), { code: 7, retryable: tries++ < 1, retryAfterMs: 1 });
  };
  const { list, events } = await openList(serve(t), {}, fetch);
  await assert.rejects(list.loadMore(), (error) => {
    assert.deepEqual(error.data.cause, { code: 7, message: "The shelf is stuck.", data: { retryable: false, retryAfterMs: 1 } });
    return true;
  });
  assert.deepEqual(events.filter(([name]) => name === "loadFailed").map(([, { willRetry }]) => willRetry), [true, false]);
});

for (const [what, answer] of Object.entries({
  undefined: undefined,
  null: null,
  "a string": "page",
  "no items": { next: null },
  "a circle": (() => {
    const page = { items: [] };
    page.items.push(page);
    return page;
  })(),
})) {
  test(`an answer that is no page fails its load only: ${what}`, async (t) => {
    let isBad = true;
    const { list } = await openList(serve(t), { autoload: false, retry: { retries: 0 } }, () => (isBad ? answer : { items: [1], next: null }));
    await assert.rejects(list.loadMore(), ({ data }) => ["badPage", "loadFailed"].includes(data.name));
    isBad = false;
    assert.equal((await list.loadMore()).added, 1);
  });
}

test("a list without a fetch function says so", async (t) => {
  const { list } = await openList(serve(t), { autoload: false, retry: { retries: 0 } });
  await assert.rejects(list.loadMore(), /without a fetch function/);
});

test("integers beyond 2^53 go out as bigints, and a cursor's text can be read", async (t) => {
  const texts = [];
  const fetch = (params) => {
    texts.push(rawMember(params, "cursor"));
    if (params.cursor !== null) return { items: [], next: null };
    return { items: [{ id: 2n ** 60n + 1n, note: "a\u2028b" }], next: { after: 2n ** 60n + 3n } };
  };
  const { list, events } = await openList(serve(t), {}, fetch);
  await list.loadMore();
  assert.deepEqual(texts, ["null", '{"after":1152921504606846979}']);
  const [, page] = events.find(([name]) => name === "pageAppended");
  assert.deepEqual(page.ids, [2n ** 60n + 1n]);
  assert.equal(page.items[0].note, "a\u2028b");
});
