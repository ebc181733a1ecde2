import assert from "node:assert/strict";
import { Pagewire } from "../pagewire.js";

export const command = process.env.PAGEWIRE;
assert.ok(command, "PAGEWIRE has to be the path of the release binary");

/** Starts a server that ends with the test. */
export function serve(t, options = {}) {
  const server = new Pagewire({ command, ...options });
  t.after(() => server.close());
  return server;
}

/** Opens a list, and keeps its items and events. */
export async function openList(server, params, fetch) {
  const list = server.list(params, fetch);
  const seen = { list, items: [], events: [] };
  list.on("pageAppended", (page) => (seen.items = page.replaces ? page.items : seen.items.concat(page.items)));
  for (const name of ["loading", "pageAppended", "pagePrepended", "pagesDropped", "cleared", "loadFailed", "gone"]) {
    list.on(name, (params) => seen.events.push([name, params]));
  }
  seen.state = await list.open();
  return seen;
}

export async function until(condition, what = String(condition)) {
  for (let tries = 0; tries < 1500; tries++) {
    const value = await condition();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`waited in vain for ${what}`);
}
