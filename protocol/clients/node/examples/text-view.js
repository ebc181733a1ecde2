/**
 * A whole front end: a list as lines of text, for a screen of so many rows. It shows every state that there is, and decides
 * nothing. Another front end has the same parts, whatever it draws with.
 */
const BY_NOW = { initial: "Loading…", more: "Loading…", previous: "Loading…", refresh: "Refreshing…" };

export class TextView {
  items = new Map(); // by position
  ids = new Map();
  top = 0; // the first position on the screen
  facts = { phase: "idle", paused: false };
  loading = {}; // kind -> what is said of it
  errors = {}; // kind -> message
  trouble = ""; // no server, or no list

  constructor(server, params, rows) {
    Object.assign(this, { server, rows, list: server.list(params) });
    this.list.on("loading", (load) => this.#load(load));
    this.list.on("loadFailed", ({ kind, error, willRetry }) => {
      if (willRetry) this.loading[kind] = `Trying again: ${error.message}`;
      else this.errors[kind] = error.message;
    });
    this.list.on("pageAppended", (page) => this.#add(page));
    this.list.on("pagePrepended", (page) => this.#add(page));
    this.list.on("pagesDropped", ({ from, to, ...facts }) => {
      for (let position = from; position <= to; position++) this.items.delete(position);
      this.#changed(facts);
    });
    this.list.on("cleared", (facts) => (this.items.clear(), (this.errors = {}), this.#changed(facts)));
    this.list.on("gone", ({ message }) => ((this.loading = {}), (this.trouble = `${message} Start again?`)));
  }

  get first() {
    return Math.min(...this.items.keys());
  }

  get last() {
    return Math.max(...this.items.keys());
  }

  async open() {
    await this.list.open().catch(({ message }) => (this.trouble = `${message} Try again?`));
  }

  /** What a person sees. */
  lines() {
    const { facts, loading, errors, items } = this;
    const shown = [...items.keys()].sort((a, b) => a - b).filter((position) => position >= this.top && position < this.top + this.rows);
    return [
      this.trouble,
      loading.refresh ?? "",
      loading.previous ?? "",
      ...["refresh", "previous"].map((kind) => errors[kind] && `${errors[kind]} Try again?`),
      ...shown.map((position) => (typeof items.get(position) === "string" ? items.get(position) : JSON.stringify(items.get(position)))),
      loading.more ?? loading.initial ?? "",
      ...["more", "initial"].map((kind) => errors[kind] && `${errors[kind]} Try again?`),
      facts.paused ? "Nothing new was found. Go on?" : "",
      facts.phase === "empty" && !facts.paused ? "No items" : "",
    ].filter(Boolean);
  }

  /** What a person does. */
  scrollTo(position) {
    this.top = Math.max(Math.min(position, this.last - this.rows + 1), this.first);
    this.#report();
  }

  retry = () => this.list.loadMore();
  refresh = () => this.list.refresh();

  async restart() {
    this.trouble = "";
    await this.server.restart().catch(({ message }) => (this.trouble = `${message} Try again?`));
  }

  #load({ kind, isLoading, result, ...facts }) {
    if (isLoading) [this.loading[kind], this.errors[kind]] = [BY_NOW[kind] ?? "Loading…", undefined];
    else delete this.loading[kind];
    this.#changed(facts);
  }

  #add({ start, items, ids, replaces, scrollTo, ...facts }) {
    if (replaces) [this.items, this.errors] = [new Map(), {}];
    if (!this.items.size) this.top = scrollTo?.position ?? start;
    items.forEach((item, index) => this.items.set(start + index, item) && this.ids.set(start + index, ids[index]));
    this.#changed(facts);
  }

  #changed({ phase, paused }) {
    if (phase) this.facts = { phase, paused };
    if (this.items.size) this.top = Math.max(Math.min(this.top, this.last), this.first);
    this.#report();
  }

  /** Everything on the screen, whenever it may be something else: the server decides what follows from it. */
  #report() {
    if (!this.items.size) return;
    const range = { first: Math.max(this.top, this.first), last: Math.min(this.top + this.rows - 1, this.last) };
    if (String([range.first, range.last, this.list.generation]) === this.told) return;
    this.told = String([range.first, range.last, this.list.generation]);
    this.list.visibleRange(range);
    const id = this.ids.get(range.first) ?? null;
    if (id !== null) this.list.remember(id).catch(() => {}); // where `restart` comes back to
  }
}
