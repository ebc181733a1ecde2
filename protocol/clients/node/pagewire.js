/**
 * A client of Pagewire, the pagination server: starts it, and talks to it over its stdin and stdout.
 * `new Pagewire()` is one server; `server.list({source})` is a list that it pages, which emits what the server notifies.
 */
import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { children, encode, FrameReader } from "./wire.js";

const END_GRACE_MS = 2000;

/** An error that the server answered: `message` is for people, `code` and `data` are for the program. */
export class PagewireError extends Error {
  constructor({ code, message, data = {} }) {
    super(message);
    Object.assign(this, { name: "PagewireError", code, data });
  }
}

/** The server could not be started, is no usable server, or has ended. */
export class ServerGone extends Error {
  name = "ServerGone";
}

const texts = new WeakMap(); // the body of the message that params were read from

/** The exact text of a member of what an event or a fetch function was given; undefined where there is none. */
export function rawMember(params, name) {
  const member = (text, wanted) => [...children(text)].filter(([each]) => each === wanted).pop()?.[1] ?? "{}";
  return name in params ? member(member(texts.get(params) ?? "{}", "params"), name) : undefined;
}

/** The exact text of each item of a page. */
export function rawItems(page) {
  return [...children(rawMember(page, "items"))].map(([, text]) => text);
}

/** One server. Emits `gone`, with a ServerGone, when it has ended without being asked to, and notifications of no list (`$/progress`). */
export class Pagewire extends EventEmitter {
  #options;
  #child = null;
  #started = null;
  #isReady = false;
  #count = 0;
  #waiting = new Map();
  #fetches = new Map();
  #lists = new Map();

  constructor(options = {}) {
    super();
    this.#options = options;
  }

  /** Starts the server, unless it runs, and gives its answer to `initialize`. */
  start() {
    return (this.#started ??= this.#start().catch((error) => {
      this.#started = null;
      throw error;
    }));
  }

  async #start() {
    const { command, args = [], cwd, env, clientInfo = { name: "pagewire-node" }, startTimeoutMs = 10000 } = this.#options;
    const program = command || process.env.PAGEWIRE || "pagewire";
    const child = (this.#child = spawn(program, args, { cwd, env, stdio: "pipe", windowsHide: true }));
    let [reason, errors] = [null, ""];
    const giveUp = (text) => {
      reason ??= text;
      child.stdin.end();
      setTimeout(() => child.kill("SIGKILL"), END_GRACE_MS).unref();
      return new ServerGone(reason);
    };
    child.on("error", ({ code }) => giveUp(`The Pagewire server “${program}” cannot be started (${code}): install it, or set PAGEWIRE to its path.`));
    child.on("close", (status, signal) => {
      const last = errors.trim().split("\n").pop();
      this.#ended(child, giveUp(`The Pagewire server has ended ${signal ? `by ${signal}` : `with status ${status}`}${last && `: ${last}`}.`));
    });
    child.stdin.on("error", () => {}); // A broken pipe shows as the end of stdout too, and only that counts.
    child.stderr.on("data", (chunk) => (errors = (errors + chunk).slice(-2000)));
    const frames = new FrameReader();
    child.stdout.on("data", (chunk) => {
      try {
        if (!reason) for (const body of frames.push(chunk)) this.#receive(body);
      } catch ({ message }) {
        giveUp(`“${program}” is no Pagewire server: ${message}.`);
      }
    });
    child.stdout.on("end", () => setTimeout(() => child.kill("SIGKILL"), END_GRACE_MS).unref());
    const timer = setTimeout(() => giveUp(`“${program}” is no Pagewire server: it does not answer.`), startTimeoutMs);
    const answer = await this.call("initialize", { processId: process.pid, clientInfo }).catch(({ message }) => {
      throw giveUp(message);
    }).finally(() => clearTimeout(timer));
    if (!/^1\./.test(answer?.protocolVersion)) throw giveUp(`“${program}” speaks Pagewire ${answer?.protocolVersion}, this program speaks 1.0.`);
    this.#isReady = this.#child === child;
    return answer;
  }

  /** Sends a request. With a signal, aborting sends `$/cancelRequest`; the request is answered all the same. */
  call(method, params = {}, { signal } = {}) {
    return new Promise((resolve, reject) => {
      if (!this.#child) return reject(new ServerGone("The Pagewire server does not run."));
      const id = ++this.#count;
      this.#write({ jsonrpc: "2.0", id, method, params });
      const cancel = () => this.notify("$/cancelRequest", { id });
      this.#waiting.set(id, { resolve, reject, forget: () => signal?.removeEventListener("abort", cancel) });
      if (signal?.aborted) cancel();
      else signal?.addEventListener("abort", cancel);
    });
  }

  notify = (method, params = {}) => this.#write({ jsonrpc: "2.0", method, params });

  /** Makes a list; its `open()` opens it. `fetch(params, signal)` gives the pages of a source of type `client`. */
  list = (params, fetch) => new List(this, this.#lists, params, fetch);

  /** Starts the server and opens its lists in place; gives those that could not be opened, as `{list, error}`. */
  async restart() {
    await this.start();
    const open = async (list) => ({ list, error: await list.open().then(() => null, (error) => error) });
    return (await Promise.all([...this.#lists.values()].map(open))).filter(({ error }) => error);
  }

  /** Stops reading: once the server's queue is full it fetches nothing more. */
  pause = () => this.#child?.stdout.pause();
  resume = () => this.#child?.stdout.resume();

  /** Ends the server, and waits until it has ended. */
  async close() {
    const child = this.#child;
    if (!child) return;
    this.#isReady = false;
    setTimeout(() => child.kill("SIGKILL"), END_GRACE_MS).unref();
    child.stdout.resume();
    this.call("shutdown").catch(() => {}); // so that it does not wait for what is loading
    this.notify("exit");
    child.stdin.end();
    await new Promise((resolve) => child.on("close", resolve));
  }

  #write(message) {
    const body = Buffer.from(encode(message));
    if (this.#child?.stdin.writable) this.#child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  #receive(body) {
    const { id, method, params, result, error } = JSON.parse(body);
    if (params) texts.set(params, body);
    if (method === undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      waiting?.forget();
      error ? waiting?.reject(new PagewireError(error)) : waiting?.resolve(result);
    } else if (method === "fetchPage") this.#fetch(this.#child, id, params);
    else if (id !== undefined) this.#write({ jsonrpc: "2.0", id, error: { code: -32601, message: `There is no ${method}.` } });
    else if (method === "$/cancelRequest") this.#fetches.get(params.id)?.abort();
    else this.#lists.has(params?.session) ? this.#lists.get(params.session).take(method, params) : this.emit(method, params);
  }

  async #fetch(child, id, params) {
    const controller = new AbortController();
    const { signal } = controller;
    this.#fetches.set(id, controller);
    const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const answer = { jsonrpc: "2.0", id };
    try {
      answer.result = (await Promise.race([aborted, this.#lists.get(params.session).fetch(params, signal)])) ?? null;
      encode(answer);
    } catch (error) {
      delete answer.result;
      const code = signal.aborted ? -32800 : Number.isInteger(error?.code) ? error.code : -32000;
      const data = { retryable: error?.retryable, retryAfterMs: error?.retryAfterMs };
      answer.error = { code, message: String(error?.message ?? error), data };
    }
    this.#fetches.delete(id);
    if (this.#child === child) this.#write(answer);
  }

  #ended(child, gone) {
    if (this.#child !== child) return;
    const [waiting, tell] = [[...this.#waiting.values()], this.#isReady];
    [this.#child, this.#started, this.#isReady] = [null, null, false];
    this.#waiting.clear();
    for (const { forget, reject } of waiting) forget(), reject(gone);
    for (const controller of this.#fetches.values()) controller.abort();
    if (tell) for (const one of [...this.#lists.values(), this]) (one.take ?? one.emit).call(one, "gone", gone);
  }
}

let count = 0;

/** A list. Emits the server's notifications by their names, and `gone`. What fails is told by these, so answers need not be awaited. */
export class List extends EventEmitter {
  #server;
  #lists;
  #params;
  #isCopy = false;

  constructor(server, lists, params, fetch = noFetch) {
    super();
    const session = params.session ?? `list-${++count}`;
    Object.assign(this, { session, fetch, generation: 0, token: params.resume });
    [this.#server, this.#lists, this.#params] = [server, lists, { source: { type: "client" }, ...params, session }];
  }

  /** Opens the list; after the server has ended, opens it again, at its `token` (see `remember`). */
  async open() {
    await this.#server.start();
    this.#lists.set(this.session, this);
    const state = await this.#server.call("open", { ...this.#params, resume: this.token });
    this.generation ||= state.generation;
    return state;
  }

  call(method, params = {}, options) {
    const generation = ("position" in params || "first" in params) && this.generation ? this.generation : undefined;
    const answer = this.#server.call(method, { generation, ...params, session: this.session }, options);
    answer.catch(() => {});
    return answer;
  }

  /** Remembers the item at which the user is, and gives (and keeps, as `token`) what `open` comes back to it with. */
  async remember(id) {
    this.call("setScrolledID", { id });
    return (this.token = (await this.call("state", { resume: true })).resume);
  }

  async close() {
    await this.call("close").catch(() => {}); // Where the server is gone, so is the session.
    this.#lists.delete(this.session);
  }

  /** For Pagewire: hands on an event. */
  take(event, params) {
    if (event === "gone") [this.#isCopy, this.generation] = [true, 0];
    if (event === "pageAppended" && this.#isCopy) [this.#isCopy, params.replaces] = [false, true];
    if (event !== "loading" && event !== "loadFailed") this.generation = params.generation ?? this.generation;
    if (params.ids?.some(isInexact)) params.ids = [...children(rawMember(params, "ids"))].map(([, text]) => exact(text));
    try {
      this.emit(event, params);
    } catch (error) {
      process.nextTick(() => { throw error; }); // A fault of the listener's is not one of the server's.
    }
  }
}

const isInexact = (id) => typeof id === "number" && !Number.isSafeInteger(id);
const exact = (text) => (isInexact(JSON.parse(text)) ? BigInt(text) : JSON.parse(text));

const noFetch = () => { throw new Error("The list was made without a fetch function."); };

for (const method of "itemAppeared visibleRange loaderAppeared loaderDisappeared scrolled loadMore loadPrevious refresh setScrolledID adjustOffset state".split(" ")) {
  List.prototype[method] = function (...args) { return this.call(method, ...args); };
}
