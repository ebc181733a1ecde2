import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PagewireError, rawItems, rawMember } from "../pagewire.js";
import { command, openList, serve, until } from "./support.js";

const numbered = (count, more = {}) => ({ type: "synthetic", count, ...more });

test("initialize tells who answers", async (t) => {
  const answer = await serve(t).start();
  assert.equal(answer.serverInfo.name, "pagewire");
  assert.match(answer.protocolVersion, /^1\./);
});

test("what appears loads the next page, to the end", async (t) => {
  const { list, items, events, ...seen } = await openList(serve(t), { source: numbered(45), pageSize: 10 });
  assert.equal(seen.state.phase, "loadingFirst");
  const all = await until(async () => {
    const count = events.filter(([name]) => name === "pageAppended").reduce((sum, [, page]) => sum + page.items.length, 0);
    const { decision } = await list.itemAppeared({ position: count - 1 });
    return decision === "ended" && count;
  });
  assert.equal(all, 45);
  const loading = events.filter(([name]) => name === "loading").map(([, { isLoading }]) => isLoading);
  assert.deepEqual(loading, loading.map((_, index) => index % 2 === 0), "each load begins and is over");
});

test("positions are reported with the list's generation", async (t) => {
  const { list } = await openList(serve(t), { source: numbered(100) });
  await list.loadMore();
  assert.equal(list.generation, 1);
  await list.refresh();
  assert.equal(list.generation, 2);
  assert.equal((await list.itemAppeared({ position: 0 })).position, 0);
  assert.equal((await list.itemAppeared({ position: 0, generation: 1 })).decision, "stale");
  assert.equal((await list.visibleRange({ first: 0, last: 19, generation: 1 })).decision, "stale");
  assert.equal((await list.visibleRange({ first: 0, last: 19 })).decision, "started");
});

test("several lists share a server, and a closed one is gone", async (t) => {
  const server = serve(t);
  const [a, b] = [await openList(server, { source: numbered(5) }), await openList(server, { source: numbered(7) })];
  assert.notEqual(a.list.session, b.list.session);
  await until(() => a.items.length === 5 && b.items.length === 7);
  await a.list.close();
  assert.deepEqual((await server.call("sessions")).map(({ session }) => session), [b.list.session]);
});

test("a refused source is an error with a sentence, and the next list works", async (t) => {
  const server = serve(t, { args: ["--allow", "synthetic"] });
  await assert.rejects(openList(server, { source: { type: "file", path: "README.md" } }), (error) => {
    assert.ok(error instanceof PagewireError);
    assert.equal(error.data.name, "refused");
    assert.ok(error.message.length > 20);
    return true;
  });
  await assert.rejects(openList(server, { source: numbered(1), pageSize: 0 }), { code: -32602 });
  const { list } = await openList(server, { source: numbered(3) });
  assert.equal((await list.state()).phase, "items");
});

test("a failed load is told, and loadMore is the way on", async (t) => {
  const source = numbered(9, { fail: [{ page: 1, times: 1, message: "The shelf is stuck." }] });
  const { list, events } = await openList(serve(t), { source, pageSize: 3, retry: { retries: 0 } });
  await assert.rejects(list.loadMore(), { code: 1004, message: "The shelf is stuck." });
  assert.equal(events.find(([name]) => name === "loadFailed")[1].willRetry, false);
  assert.equal((await list.loadMore()).outcome, "loaded");
});

test("a wait is cancelled by a signal", async (t) => {
  const source = numbered(9, { latencyMs: 20_000 });
  const { list } = await openList(serve(t), { source, autoload: false });
  const controller = new AbortController();
  const waiting = list.loadMore({}, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(waiting, { code: -32800 });
  await assert.rejects(list.loadMore({}, { signal: AbortSignal.abort() }), { code: -32800 });
});

test("items and ids are not altered: their text is there, and large ids are bigints", async (t) => {
  const lines = ['{"id":9007199254740993,"price":1.10,"x":[1e2,{"a":"}],\\""}],"id2":-0}', '{ "id" : 12345678901234567890 , "y":"\\u2028" }', "[]", '"\u2028\u2029"', "1.0", "null"];
  const folder = await mkdtemp(join(tmpdir(), "pagewire-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(`${folder}/items.jsonl`, lines.join("\n"));
  const { list, events } = await openList(serve(t), { source: { type: "file", path: `${folder}/items.jsonl` } });
  await until(() => events.some(([name]) => name === "pageAppended"));
  const page = events.find(([name]) => name === "pageAppended")[1];
  assert.deepEqual(rawItems(page), lines);
  assert.equal(rawMember(page, "count"), "6");
  assert.equal(rawMember(page, "nothing"), undefined);
  assert.deepEqual(page.ids.slice(0, 2), [9007199254740993n, 12345678901234567890n]);
  for (const [index, id] of page.ids.entries()) assert.deepEqual(await list.setScrolledID({ id }), { position: index });
  assert.equal((await list.itemAppeared({ id: 9007199254740993n })).position, 0);
  assert.equal((await list.itemAppeared({ id: 9007199254740992n })).position, null, "the neighbour is another id");
});

test("a place is remembered for another process", async (t) => {
  const first = await openList(serve(t), { source: numbered(1000), pageSize: 10 });
  for (let page = 0; page < 5; page++) await first.list.loadMore();
  const resume = await first.list.remember(34);
  const again = await openList(serve(t), { source: numbered(1000), pageSize: 10, resume });
  const page = await until(() => again.events.find(([name]) => name === "pageAppended"))
  assert.equal(page[1].resumed, true);
  assert.deepEqual(page[1].scrollTo, { id: 34, position: 4 });
});

test("progress is told by the server that the list belongs to", async (t) => {
  const server = serve(t);
  const kinds = [];
  server.on("$/progress", ({ token, value }) => kinds.push([token, value.kind]));
  const path = fileURLToPath(new URL("../README.md", import.meta.url));
  await openList(server, { source: { type: "file", path, countTotal: true }, pageSize: 2, workDoneToken: "count" });
  await until(() => kinds.some(([, kind]) => kind === "end"));
  assert.deepEqual([kinds[0], kinds.at(-1)], [["count", "begin"], ["count", "end"]]);
});

test("a listener that throws does not end the connection", async () => {
  const program = `
    import { Pagewire } from ${JSON.stringify(new URL("../pagewire.js", import.meta.url).href)};
    process.on("uncaughtException", (error) => console.log("thrown:", error.message));
    const server = new Pagewire();
    const list = server.list({ source: { type: "synthetic", count: 3 } });
    list.once("pageAppended", () => { throw new Error("mine"); });
    await list.open();
    await list.loadMore();
    console.log("count:", (await list.state()).count);
    await server.close();`;
  assert.equal(await run(program), "thrown: mine\ncount: 3\n");
});

async function run(program) {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    cwd: new URL("..", import.meta.url),
    env: { ...process.env, PAGEWIRE: command },
  });
  return stdout;
}

test("the ten lines of the README run", async () => {
  const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, code, expected] = /```js\n(import .*?)```\n\n```text\n(.*?)```/s.exec(text);
  assert.equal(await run(code.replace('"pagewire"', JSON.stringify(new URL("../pagewire.js", import.meta.url).href))), expected);
});
