import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Pagewire, ServerGone } from "../pagewire.js";
import { command, openList, serve, until } from "./support.js";

const fake = fileURLToPath(new URL("fake-server.js", import.meta.url));
const numbered = (count, more = {}) => ({ type: "synthetic", count, ...more });

/** The process ids of the servers that this test has started. */
async function serverIDs() {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "-o", "args=", "--ppid", String(process.pid)]);
  return stdout.split("\n").filter((line) => line.includes(command)).map((line) => Number.parseInt(line));
}

test("no server: one sentence that says what to do, again and again", async () => {
  const server = new Pagewire({ command: "/nowhere/pagewire" });
  for (let tries = 0; tries < 2; tries++) {
    await assert.rejects(server.start(), (error) => {
      assert.ok(error instanceof ServerGone);
      assert.match(error.message, /“\/nowhere\/pagewire” cannot be started \(ENOENT\): install it, or set PAGEWIRE/);
      return true;
    });
  }
  await assert.rejects(server.list({ source: numbered(1) }).open(), ServerGone);
  await assert.rejects(server.call("sessions"), ServerGone);
  await server.close();
});

test("the server is found by the argument, by PAGEWIRE, on PATH", async (t) => {
  const { PAGEWIRE, PATH } = process.env;
  t.after(() => Object.assign(process.env, { PAGEWIRE, PATH }));
  process.env.PAGEWIRE = "/nowhere/from-environment";
  await serve(t).start();
  await assert.rejects(new Pagewire().start(), /from-environment/);
  delete process.env.PAGEWIRE;
  process.env.PATH = "/nowhere";
  await assert.rejects(new Pagewire().start(), /“pagewire” cannot be started/);
});

for (const [mode, expected] of Object.entries({
  "next-version": /speaks Pagewire 2\.0, this program speaks 1\.0/,
  "no-version": /speaks Pagewire undefined/,
  refuses: /What is initialize/,
  chatter: /is no Pagewire server: what it writes is no message/,
  "no-json": /is no Pagewire server: .*JSON/,
  huge: /is no Pagewire server: what it writes is no message/,
  silent: /is no Pagewire server: it does not answer/,
  dies: /has ended with status 3: fatal: the shelf is empty/,
  "closes-stdout": /has ended by SIGKILL/,
})) {
  test(`a server that ${mode} is told in one line`, async () => {
    const server = new Pagewire({ command: process.execPath, args: [fake, mode], startTimeoutMs: mode === "silent" ? 300 : 10000 });
    const events = [];
    server.on("gone", (gone) => events.push(gone));
    await assert.rejects(server.start(), (error) => {
      assert.ok(error instanceof ServerGone);
      assert.match(error.message, expected);
      assert.ok(!error.message.includes("\n"));
      return true;
    });
    await server.close();
    assert.deepEqual(events, [], "it is told once, by start()");
  });
}

test("a later minor version is welcome", async (t) => {
  const server = serve(t, { command: process.execPath, args: [fake, "later-version"] });
  assert.equal((await server.start()).protocolVersion, "1.7");
});

test("a killed server fails what waits, is told once, and restarts in place", async (t) => {
  const server = serve(t);
  const gone = [];
  server.on("gone", (error) => gone.push(error));
  const a = await openList(server, { source: numbered(1000), pageSize: 10 });
  const b = await openList(server, { source: numbered(3) });
  const slow = await openList(server, { source: numbered(9, { latencyMs: 30_000 }) });
  for (let page = 0; page < 5; page++) await a.list.loadMore();
  await a.list.remember(34);
  const waiting = slow.list.loadMore();
  const [pid] = await serverIDs();
  process.kill(pid, "SIGKILL");
  await assert.rejects(waiting, { name: "ServerGone", message: "The Pagewire server has ended by SIGKILL." });
  await until(() => gone.length);
  assert.equal(a.events.at(-1)[0], "gone");
  assert.equal(a.items.length, 60, "what was shown stays, as an old copy");
  await assert.rejects(a.list.loadMore(), ServerGone);
  a.list.itemAppeared({ position: 3 }); // not awaited: no unhandled rejection ends the test

  assert.deepEqual(await server.restart(), []);
  await until(() => a.items[0]?.id === 30);
  const page = a.events.findLast(([name]) => name === "pageAppended")[1];
  assert.equal(page.resumed, true);
  assert.equal(page.replaces, true, "it stands for the old copy");
  assert.equal(page.scrollTo.position, 4);
  await until(() => b.items.length === 3 && b.events.filter(([name]) => name === "pageAppended").length === 2);
  assert.equal((await a.list.loadMore()).outcome, "loaded");
  assert.deepEqual(a.items.map(({ id }) => id), Array.from({ length: 20 }, (_, index) => 30 + index));
  assert.equal(gone.length, 1);
});

test("a list that cannot be opened again is named by restart, and the others go on", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pagewire-"));
  await writeFile(`${folder}/a.txt`, "one\n");
  const server = serve(t);
  const a = await openList(server, { source: { type: "file", path: `${folder}/a.txt` } });
  const b = await openList(server, { source: numbered(3) });
  await rm(folder, { recursive: true });
  const gone = new Promise((resolve) => server.once("gone", resolve));
  for (const pid of await serverIDs()) process.kill(pid, "SIGKILL");
  await gone;
  const failed = await server.restart();
  assert.deepEqual(failed.map(({ list }) => list), [a.list]);
  assert.equal(failed[0].error.data.name, "sourceUnavailable");
  await until(async () => (await b.list.state()).count === 3);
});

test("closing ends the server, and tells nobody", async (t) => {
  const server = serve(t);
  server.on("gone", () => assert.fail("the end was asked for"));
  await openList(server, { source: numbered(9, { latencyMs: 60_000 }) });
  const [pid] = await serverIDs();
  await server.close();
  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  await server.close();
});

test("ten thousand requests at once are answered, in order", async (t) => {
  const { list } = await openList(serve(t), { source: numbered(100) });
  const order = [];
  await Promise.all(Array.from({ length: 10_000 }, (_, index) => list.state().then(() => order.push(index))));
  assert.deepEqual(order, Array.from({ length: 10_000 }, (_, index) => index));
});

test("a client that does not read is not fetched for", async (t) => {
  const server = serve(t, { args: ["--max-queued-output", "1000000"] });
  const own = await openList(server, { source: { type: "synthetic", count: null, itemBytes: 100_000 }, pageSize: 100, autoload: false });
  const pages = [];
  own.list.on("pageAppended", ({ page }) => pages.push(page));
  server.pause();
  const asked = [];
  for (let page = 0; page < 20; page++) {
    asked.push(own.list.loadMore());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const before = pages.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(pages.length, before, "nothing comes while reading is paused");
  server.resume();
  const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome);
  assert.ok(outcomes.filter((outcome) => outcome === "loaded").length < 5, `few pages were fetched: ${outcomes}`);
  assert.deepEqual(pages, pages.map((_, index) => index));
});

test("a page of 60 MB goes out and comes back whole", async (t) => {
  const items = Array.from({ length: 60 }, (_, id) => ({ id, filling: String(id % 10).repeat(1_000_000) }));
  const seen = await openList(serve(t), {}, () => ({ items, next: null }));
  await until(() => seen.items.length === 60);
  assert.ok(seen.items.every(({ id, filling }) => filling === items[id].filling));
});
