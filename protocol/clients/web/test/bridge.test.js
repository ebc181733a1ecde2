import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { test } from "node:test";
import { Bridge } from "../bridge.js";

const command = process.env.PAGEWIRE;
assert.ok(command, "PAGEWIRE has to be the path of the release binary");

async function start(t, options = {}) {
  const lists = [{ source: { type: "synthetic", count: 250 }, pageSize: 100, presentation: { title: "numbers" } }, { source: { type: "file", path: "/nowhere/at/all" } }];
  const bridge = new Bridge({ lists, server: { command }, ...options });
  const url = new URL(await bridge.listen());
  t.after(() => bridge.close());
  return { bridge, port: Number(url.port), token: url.hash.slice(1), origin: url.origin };
}

/** Sends a request as no browser would, and gives the status and the text. */
function ask(at, { method = "POST", path = "/calls", headers = {}, body = "" } = {}) {
  const own = { Host: `127.0.0.1:${at.port}`, Origin: at.origin, Authorization: `Bearer ${at.token}` };
  const given = Object.fromEntries(Object.entries({ ...own, ...headers }).filter(([, value]) => value !== null));
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port: at.port, method, path, headers: given, setHost: false }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode, text, headers: response.headers });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Opens a stream as the page does; `next(test)` gives the first message from now on for which the test holds. */
async function stream(t, at) {
  const headers = { Host: `127.0.0.1:${at.port}`, Origin: at.origin, Authorization: `Bearer ${at.token}` };
  const request = http.request({ host: "127.0.0.1", port: at.port, method: "POST", path: "/stream", headers });
  request.end();
  const [response] = await once(request, "response");
  assert.equal(response.statusCode, 200);
  const messages = [];
  let rest = "";
  response.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    messages.push(...lines.map((line) => JSON.parse(line)));
  });
  response.on("error", () => {});
  t.after(() => request.destroy());
  const next = async (isIt, from = 0) => {
    for (let tries = 0; tries < 1000; tries++) {
      const found = messages.slice(from).find(isIt);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return assert.fail(`no such message: ${isIt} in ${JSON.stringify(messages).slice(0, 2000)}`);
  };
  const { view } = await next((message) => message.view);
  let count = 0;
  const call = async (list, method, params) => {
    const id = ++count;
    const body = JSON.stringify({ view, calls: [{ id, list, method, params }] });
    assert.equal((await ask(at, { body })).status, 204);
    return next((message) => message.id === id);
  };
  return { view, call, next, messages, request };
}

test("the page and its parts are served, with what keeps foreign code out", async (t) => {
  const at = await start(t);
  for (const path of ["/", "/main.js", "/style.css", "/cells.js", "/list-view.js"]) {
    const { status, headers } = await ask(at, { method: "GET", path, headers: { Authorization: null, Origin: null } });
    assert.equal(status, 200);
    assert.match(headers["content-security-policy"], /default-src 'none'; script-src 'self'/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["access-control-allow-origin"], undefined);
  }
});

test("a list is opened, scrolled and closed", async (t) => {
  const { call, next } = await stream(t, await start(t));
  assert.equal((await call(0, "open", {})).result.phase, "loadingFirst");
  const page = await next(({ event }) => event === "pageAppended");
  assert.deepEqual(JSON.parse(page.params.items[99]), { id: 99, title: "Item 99" });
  assert.equal(page.params.ids[99], "99");
  assert.equal((await call(0, "itemAppeared", { position: 99, generation: 1 })).result.decision, "started");
  assert.ok((await call(0, "loadMore")).result.count >= 200);
  assert.ok((await call(0, "remember", { id: "150" })).result.length > 10);
});

test("a wrong token, or none, is refused", async (t) => {
  const at = await start(t);
  for (const path of ["/stream", "/calls"]) {
    for (const Authorization of [null, "", "Bearer ", "Bearer x", `Bearer ${at.token}x`, `Bearer ${at.token.slice(1)}`, at.token, `Basic ${at.token}`]) {
      const { status, text } = await ask(at, { path, headers: { Authorization } });
      assert.equal(status, 401);
      assert.ok(!text.includes(at.token));
    }
  }
  assert.equal((await ask(at, { path: `/stream?token=${at.token}`, headers: { Authorization: null } })).status, 401);
});

test("a foreign page is refused, whatever it knows", async (t) => {
  const at = await start(t);
  for (const Origin of ["https://example.com", "null", "", `http://127.0.0.1:${at.port + 1}`, `https://127.0.0.1:${at.port}`, `http://localhost:${at.port}`, `${at.origin}.example.com`, null]) {
    assert.equal((await ask(at, { headers: { Origin } })).status, 403, `origin ${Origin}`);
  }
  assert.equal((await ask(at, { method: "GET", path: "/", headers: { Origin: "https://example.com" } })).status, 403);
  assert.equal((await ask(at, { headers: { "Sec-Fetch-Site": "cross-site" } })).status, 403);
  assert.equal((await ask(at, { headers: { "Sec-Fetch-Site": "same-site" } })).status, 403);
  const preflight = await ask(at, { method: "OPTIONS", headers: { Origin: "https://example.com", "Access-Control-Request-Headers": "authorization" } });
  assert.equal(preflight.status, 403);
  assert.equal(preflight.headers["access-control-allow-origin"], undefined);
});

test("another name for this machine is refused: DNS rebinding", async (t) => {
  const at = await start(t);
  for (const Host of ["example.com", `example.com:${at.port}`, "127.0.0.1", `127.0.0.1:${at.port}.example.com`, `127.0.0.1:${at.port + 1}`, `0.0.0.0:${at.port}`, `[::1]:${at.port}`, ""]) {
    const headers = { Host, Origin: `http://${Host}` };
    assert.equal((await ask(at, { headers })).status, 421, `host ${Host}`);
    assert.equal((await ask(at, { method: "GET", path: "/", headers: { Host, Origin: null } })).status, 421);
  }
});

test("the bridge listens on the loopback interface only", async (t) => {
  const at = await start(t);
  const { networkInterfaces } = await import("node:os");
  const others = Object.values(networkInterfaces()).flat().filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of others) {
    const socket = net.connect(at.port, address);
    const [error] = await Promise.race([once(socket, "error"), once(socket, "connect").then(() => [null])]);
    socket.destroy();
    assert.ok(error, `${address} is reachable`);
  }
});

test("no path leads out of the page's files", async (t) => {
  const at = await start(t);
  const paths = ["/../bridge.js", "/..%2fbridge.js", "/%2e%2e/bridge.js", "/page/../../bridge.js", "//etc/passwd", "/etc/passwd", "/....//bridge.js", "/..\\bridge.js", "/index.html/..", "/main.js%00.html", "/toString", "/__proto__", "/index.html?x", "/stream", "http://127.0.0.1/index.html", "/."];
  for (const path of paths) assert.equal((await ask(at, { method: "GET", path })).status, 404, path);
  const raw = net.connect(at.port, "127.0.0.1").setEncoding("utf8");
  raw.end(`GET /../../bridge.js HTTP/1.1\r\nHost: 127.0.0.1:${at.port}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of raw) text += chunk;
  assert.match(text, /^HTTP\/1\.1 404 /);
});

test("a body that is too large is not read to its end", async (t) => {
  const at = await start(t);
  assert.equal((await ask(at, { body: "x".repeat(65_537) })).status, 413);
  assert.equal((await ask(at, { body: "ü".repeat(40_000) })).status, 413, "bytes count");
  const socket = net.connect(at.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`POST /calls HTTP/1.1\r\nHost: 127.0.0.1:${at.port}\r\nOrigin: ${at.origin}\r\nAuthorization: Bearer ${at.token}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  let written = 0;
  const timer = setInterval(() => {
    for (let burst = 0; burst < 20 && !socket.destroyed; burst++) {
      socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`);
      written += 0x4000;
    }
  }, 5);
  t.after(() => clearInterval(timer));
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  await new Promise((resolve) => socket.on("close", resolve)); // The last writes may fail, which is no matter.
  assert.match(answer, /^(HTTP\/1\.1 413 |$)/, "a reset may come before the answer");
  assert.ok(written < 64 * 1024 * 1024);
});

test("what is no call is refused, and the bridge goes on", async (t) => {
  const at = await start(t);
  const { view, call } = await stream(t, at);
  const bodies = ["", "{", "null", "[]", "5", "{}", '{"view":5}', JSON.stringify({ view, calls: {} }), JSON.stringify({ view, calls: [null] }), JSON.stringify({ view, calls: [{ id: "1", list: 0, method: "open" }] }), JSON.stringify({ view, calls: [{ id: 1, list: 0 }] })];
  for (const body of bodies) assert.equal((await ask(at, { body })).status, 400, body);
  assert.equal((await ask(at, { body: JSON.stringify({ view: "other", calls: [] }) })).status, 410);
  assert.equal((await ask(at, { method: "PUT" })).status, 405);
  assert.equal((await call(0, "open")).result.phase, "loadingFirst");
});

test("a page can neither choose a source nor call what is not for pages", async (t) => {
  const { call, next } = await stream(t, await start(t));
  // What a page gives is not what is opened.
  const source = { type: "command", argv: ["touch", "/tmp/pagewire-web-was-here"] };
  const opened = await call(0, "open", { source, session: "mine", pageSize: 1, resume: 5 });
  assert.equal(opened.result.settings.source.type, "synthetic");
  assert.equal(opened.result.settings.pageSize, 100);
  await next(({ event }) => event === "pageAppended");
  assert.equal((await call(0, "refresh", { source, from: 3, mode: "clear" })).result.count, 100);
  for (const method of ["shutdown", "exit", "sessions", "close", "state", "initialize", "toString", "__proto__", "constructor", "fetchPage", "setScrolledID"]) {
    assert.match((await call(0, method, {})).error.message, /may not ask/, method);
  }
  for (const list of [-1, 2, 99]) assert.ok((await call(list, "open")).error);
  assert.ok((await call(0, "open")).error, "one that is open");
  assert.equal((await call(0, "remember", { id: { a: 1 } })).result.length > 0, true);
  assert.ok((await call(1, "loadMore")).error, "one that is not open");
  const { message } = (await call(1, "open")).error;
  assert.match(message, /nowhere/);
});

test("two views have lists of their own, and a closed view closes its own", async (t) => {
  const at = await start(t);
  const [a, b] = [await stream(t, at), await stream(t, at)];
  await a.call(0, "open");
  await b.call(0, "open");
  await a.call(0, "loadMore");
  assert.equal(b.messages.filter(({ event, params }) => event === "pageAppended" && params.page > 0).length, 0);
  a.request.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await ask(at, { body: JSON.stringify({ view: a.view, calls: [] }) })).status, 410);
  assert.equal((await b.call(0, "loadMore")).result.outcome, "loaded");
});

test("views are bounded", async (t) => {
  const at = await start(t);
  for (let count = 0; count < 32; count++) await stream(t, at);
  assert.equal((await ask(at, { path: "/stream" })).status, 503);
});

test("no server is told in one line, and the page can try again", async (t) => {
  const { call } = await stream(t, await start(t, { server: { command: "/nowhere/pagewire" } }));
  for (let tries = 0; tries < 2; tries++) assert.match((await call(0, "open")).error.message, /cannot be started \(ENOENT\)/);
});
