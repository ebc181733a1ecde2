/**
 * The bridge between a page in the browser and a Pagewire server: HTTP on the loopback interface, nothing else.
 *
 * A page may only report and ask for pages of the lists that were named when the bridge was started: it cannot name a
 * source, and so cannot start programs or read other files. It shows a token, which is in the fragment of its URL and
 * is sent in a header: the token is in no request line, log or referrer, and no foreign page can send that header.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Pagewire, PagewireError, rawItems } from "../node/pagewire.js";
import { encode } from "../node/wire.js";

const MAX_BODY_BYTES = 65_536;
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024;
const MAX_VIEWS = 32;
const TYPES = { html: "text/html; charset=utf-8", css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };
const FILES = ["index.html", "style.css", "main.js", "channel.js", "list-view.js", "list-model.js", "cells.js"];
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};
// What a page may ask for, and which members it may give. The session is never the page's to choose.
const METHODS = {
  itemAppeared: ["position", "generation"],
  visibleRange: ["first", "last", "generation"],
  loadMore: [],
  loadPrevious: [],
  refresh: ["mode"],
};
const NOTIFICATIONS = ["loading", "pageAppended", "pagePrepended", "pagesDropped", "cleared", "loadFailed"];

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export class Bridge {
  #lists; // what `open` is given, for each list
  #server;
  #cells;
  #token = randomBytes(32).toString("base64url");
  #views = new Map();
  #http = createServer((request, response) => this.#serve(request, response));
  #restarting = null;

  /** `lists` are the parameters of `open` of each list; `cells` is a module that draws cells in place of the page's own. */
  constructor({ lists, server = {}, cells = null }) {
    this.#lists = lists;
    this.#cells = cells;
    this.#server = new Pagewire({ clientInfo: { name: "pagewire-web" }, ...server });
    this.#server.on("gone", ({ message }) => this.#views.forEach((view) => view.tell({ event: "gone", params: { message } })));
  }

  /** Listens on the loopback interface, and gives the URL of the page. */
  async listen(port = 0) {
    await new Promise((resolve, reject) => this.#http.once("error", reject).listen(port, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.#http.address().port}/#${this.#token}`;
  }

  async close() {
    this.#http.close();
    this.#http.closeAllConnections?.();
    await this.#server.close();
  }

  async #serve(request, response) {
    try {
      this.#check(request);
      const { method, url } = request;
      if (method === "POST" && url === "/stream") this.#stream(request, response);
      else if (method === "POST" && url === "/calls") await this.#calls(request, response);
      else if (method === "GET" || method === "HEAD") await this.#file(url, response);
      else throw new Refusal(405, "There is nothing of that kind here.");
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      if (!request.complete) response.shouldKeepAlive = false; // What is left of it is not read.
      response.writeHead(status, { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" }).end(`${error.message}\n`);
    }
  }

  /** Who asks: this machine's own name rules out DNS rebinding, the origin rules out foreign pages. */
  #check({ method, headers }) {
    const { port } = this.#http.address();
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    if (!hosts.includes(headers.host)) throw new Refusal(421, "This is not the host that you ask for.");
    const isOwn = headers.origin === `http://${headers.host}`;
    if (headers.origin === undefined ? method === "POST" : !isOwn) throw new Refusal(403, "Other pages may not ask here.");
    if (!["same-origin", "none", undefined].includes(headers["sec-fetch-site"])) throw new Refusal(403, "Other pages may not ask here.");
    if (method === "POST" && !isSame(headers.authorization ?? "", `Bearer ${this.#token}`)) {
      throw new Refusal(401, "The token is missing or wrong: use the whole address that the bridge has printed.");
    }
  }

  /** Only files that are listed, so that no path has to be understood. */
  async #file(url, response) {
    const name = url === "/" ? "index.html" : url.slice(1);
    if (!FILES.includes(name)) throw new Refusal(404, "There is no such file.");
    const own = fileURLToPath(new URL(`page/${name}`, import.meta.url));
    const content = await readFile(name === "cells.js" && this.#cells ? this.#cells : own);
    response.writeHead(200, { ...HEADERS, "Content-Type": TYPES[name.split(".").pop()] }).end(content);
  }

  /** A view of a page: all that it is told, one JSON text a line. It lives as long as the connection. */
  #stream(request, response) {
    request.resume();
    if (this.#views.size >= MAX_VIEWS) throw new Refusal(503, "Too many pages are open.");
    const id = randomBytes(12).toString("base64url");
    response.on("error", () => {}); // It shows as a closed stream too.
    const tell = (message) => {
      if (response.destroyed) return;
      response.write(`${JSON.stringify(message)}\n`);
      if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy(); // A page that does not read.
    };
    const view = { tell, lists: new Map() };
    this.#views.set(id, view);
    response.on("close", () => {
      this.#views.delete(id);
      for (const list of view.lists.values()) list.close();
    });
    response.writeHead(200, { ...HEADERS, "Content-Type": "application/x-ndjson" });
    tell({ view: id, lists: this.#lists.map(({ presentation }) => presentation) });
  }

  /** Calls of a view, in their order; they are answered in its stream, so that answers and events keep their order too. */
  async #calls(request, response) {
    const calls = parseCalls(await readBody(request));
    const view = this.#views.get(calls.view);
    if (!view) throw new Refusal(410, "That view is closed.");
    for (const { id, list, method, params } of calls.calls) {
      this.#call(view, list, method, params ?? {}).then(
        (result) => view.tell({ id, result: result ?? null }),
        ({ message, code, data }) => view.tell({ id, error: { message, code, data } }),
      );
    }
    response.writeHead(204, HEADERS).end();
  }

  async #call(view, index, method, params) {
    if (method === "restart") return this.#restart();
    if (method === "open") return this.#open(view, index, params);
    const list = view.lists.get(index);
    if (!list) throw new PagewireError({ code: 1001, message: "That list is not open." });
    if (method === "remember") return list.remember(parseID(params.id));
    if (!Object.hasOwn(METHODS, method)) throw new PagewireError({ code: -32601, message: "A page may not ask for that." });
    return list.call(method, Object.fromEntries(METHODS[method].filter((name) => name in params).map((name) => [name, params[name]])));
  }

  async #open(view, index, { resume }) {
    if (!Object.hasOwn(this.#lists, index) || view.lists.has(index)) throw new PagewireError({ code: 1001, message: "There is no such list." });
    const list = this.#server.list({ ...this.#lists[index], resume: typeof resume === "string" ? resume : undefined });
    for (const event of NOTIFICATIONS) list.on(event, (params) => view.tell({ list: index, event, params: params.items ? asText(params) : params }));
    view.lists.set(index, list);
    try {
      return await list.open();
    } catch (error) {
      view.lists.delete(index);
      list.close();
      throw error;
    }
  }

  /** Starts the server again, once however many pages ask, and opens the lists of all of them in place. */
  #restart() {
    const restart = async () => {
      for (const { list, error } of await this.#server.restart()) {
        for (const view of this.#views.values()) {
          const index = [...view.lists].find(([, each]) => each === list)?.[0];
          if (index === undefined) continue;
          view.lists.delete(index);
          view.tell({ list: index, event: "refused", params: { message: error.message } });
        }
        list.close();
      }
    };
    return (this.#restarting ??= restart().finally(() => (this.#restarting = null)));
  }
}

/** Items and ids as strings that hold their JSON, for a browser's JSON.parse alters large numbers. */
function asText(page) {
  return { ...page, items: rawItems(page), ids: page.ids.map(encode), scrollTo: page.scrollTo && { position: page.scrollTo.position } };
}

function parseID(text) {
  try {
    if (/^-?\d+$/.test(text)) return BigInt(text);
    const id = JSON.parse(text);
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}

function isSame(given, wanted) {
  const [a, b] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a, b);
}

async function readBody(request) {
  let [text, size] = ["", 0];
  for await (const chunk of request.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    size += Buffer.byteLength(chunk);
    if (size > MAX_BODY_BYTES) throw new Refusal(413, `A request has ${MAX_BODY_BYTES} bytes at most.`);
    text += chunk;
  }
  return text;
}

function parseCalls(text) {
  try {
    const calls = JSON.parse(text);
    const isCall = ({ id, list, method }) => Number.isInteger(id) && Number.isInteger(list) && typeof method === "string";
    if (typeof calls.view === "string" && calls.calls.every(isCall)) return calls;
  } catch {}
  throw new Refusal(400, "The request is not understood.");
}
