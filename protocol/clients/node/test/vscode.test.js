import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { command, until } from "./support.js";

// As much of the editor's interface as the example of the README uses.
const standIn = `
export const seen = { errors: [], answer: undefined, fired: 0, commands: {} };
export class EventEmitter { event = () => {}; fire() { seen.fired++; } }
export class TreeItem { constructor(label) { this.label = label; } }
export const workspace = { getConfiguration: () => ({ get: () => process.env.EXAMPLE_SERVER }) };
export const window = {
  showErrorMessage: async (text) => { seen.errors.push(text); return seen.answer; },
  registerTreeDataProvider: (_, provider) => { seen.provider = provider; },
};
export const commands = { registerCommand: (name, run) => { seen.commands[name] = run; } };
`;

async function example(t, server) {
  const folder = await mkdtemp(join(tmpdir(), "pagewire-"));
  t.after(() => rm(folder, { recursive: true }));
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const code = /```js\n\/\/ extension.js\n(.*?)```/s.exec(readme)[1];
  const library = new URL("../pagewire.js", import.meta.url).href;
  const numbered = '{ type: "synthetic", count: 250 }';
  const adapted = code
    .replace('"vscode"', '"./vscode.mjs"')
    .replace('"pagewire";', `${JSON.stringify(library)};`)
    .replace('{ type: "command", argv: ["git", "log", "--oneline"] }', numbered);
  assert.ok(adapted.includes(numbered));
  await writeFile(join(folder, "vscode.mjs"), standIn);
  await writeFile(join(folder, "extension.mjs"), adapted);
  process.env.EXAMPLE_SERVER = server;
  const { seen } = await import(pathToFileURL(join(folder, "vscode.mjs")));
  const extension = await import(pathToFileURL(join(folder, "extension.mjs")));
  await extension.activate({ subscriptions: [] });
  t.after(() => extension.deactivate());
  const rows = () => seen.provider.getChildren().map((row) => seen.provider.getTreeItem(row));
  return { seen, rows };
}

test("the extension of the README loads, loads more, and refreshes", async (t) => {
  const { seen, rows } = await example(t, command);
  await until(() => rows().length === 101);
  assert.equal(rows().at(-1).label, "More");
  await seen.commands[rows().at(-1).command.command]();
  await seen.commands["commits.more"]();
  await seen.commands["commits.more"]();
  assert.equal(rows().length, 250, "there is no row for more at the end");
  await seen.commands["commits.refresh"]();
  assert.equal(rows().length, 101);
  assert.deepEqual(seen.errors, []);
});

test("the extension of the README says that there is no server", async (t) => {
  const { seen, rows } = await example(t, "/nowhere/pagewire");
  assert.equal(seen.errors.length, 1);
  assert.match(seen.errors[0], /install it, or set PAGEWIRE/);
  assert.deepEqual(rows(), []);
});
