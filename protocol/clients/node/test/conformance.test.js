import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TextView } from "../examples/text-view.js";
import { Pagewire } from "../pagewire.js";
import { command } from "./support.js";

// The kit for front ends, with the example of this client as the front end.
const python = (...args) => promisify(execFile)("python3", [fileURLToPath(new URL("../../../conformance/kit.py", import.meta.url)), ...args]);
const words = { loader: /…$|Trying again:/m, error: /Try again\?/, empty: /No items/, paused: /Go on\?/, gone: /server has ended/, wrongVersion: /speaks Pagewire \d/ };

const { stdout } = await python("list");
for (const line of stdout.trim().split("\n")) {
  const [, name, what] = /^(\S+) +(.*)$/.exec(line);
  test(`${name}: ${what}`, (t) => play(t, name));
}

async function play(t, name) {
  const folder = await mkdtemp(join(tmpdir(), "pagewire-kit-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await python("make", name, folder, command);
  const server = new Pagewire({ command: join(folder, "pagewire") });
  t.after(() => server.close());
  const view = new TextView(server, { source: { type: "synthetic", count: 10 } }, 24);
  const opened = view.open();
  const actions = {
    refresh: () => view.refresh(),
    retry: () => view.retry(),
    restart: () => view.restart(),
    toStart: () => view.scrollTo(view.first),
    toEnd: () => view.scrollTo(view.last),
    quit: () => server.close(),
  };
  for (let action; action !== "quit"; ) {
    const look = await reach(() => readLook(folder), () => `something to look at after ${action}`);
    await reach(() => !faults(look, view.lines()).length, () => `${look.name}: ${faults(look, view.lines())}`);
    await unlink(join(folder, "now"));
    action = look.do;
    actions[action]?.();
  }
  await opened;
  await python("result", folder);
}

async function readLook(folder) {
  const results = await readFile(join(folder, "results"), "utf8").catch(() => "");
  assert.ok(!results.includes("FAILED"), results);
  return existsSync(join(folder, "now")) && JSON.parse(await readFile(join(folder, "now"), "utf8"));
}

function faults({ see = [], unseen = [], shows = [], hides = [] }, lines) {
  const text = lines.join("\n");
  const at = (part) => text.search(new RegExp(`${part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\d)`));
  const items = see.filter((part) => part.startsWith("item ")).map(at);
  return [
    ...see.filter((part) => at(part) < 0).map((part) => `there is no “${part}”`),
    ...unseen.filter((part) => at(part) >= 0).map((part) => `there is “${part}”`),
    ...shows.filter((state) => !words[state].test(text)).map((state) => `${state} is not shown`),
    ...hides.filter((state) => words[state]?.test(text)).map((state) => `${state} is shown`),
    ...(String(items) === String([...items].sort((a, b) => a - b)) ? [] : ["the items are not in their order"]),
  ].map((fault) => `${fault}, in ${JSON.stringify(lines)}`);
}

async function reach(condition, what) {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) assert.fail(what());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
