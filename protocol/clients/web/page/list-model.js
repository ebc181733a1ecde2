/** What is known of a list: its items by position, and what to show of loads and errors. It knows nothing of a page. */
export class ListModel {
  items = new Map(); // position -> the item's JSON text
  ids = new Map(); // position -> the id's JSON text
  generation = undefined;
  first = 0;
  last = -1;
  lowest = 0; // the lowest position so far: from there items are counted for people
  total = null;
  facts = { count: 0, hasMore: true, hasPrevious: false, paused: false, phase: "idle" };
  loading = {}; // kind -> true, or the failed try that is waited after
  errors = {}; // kind -> what stands to be tried again
  #knowsStart = false; // whether nothing comes before the lowest
  #covered = {}; // errors that a new load has taken down

  /** Takes an event; gives what it means for the view: `{replaced, prepended, scrollTo}`. */
  take(event, params) {
    const { kind } = params;
    if (params.phase) for (const name of Object.keys(this.facts)) this.facts[name] = params[name];
    if (event === "loading") this.#load(kind, params);
    if (event === "loadFailed" && params.willRetry) this.loading[kind] = params.error.message;
    if (event === "loadFailed" && !params.willRetry) this.errors[kind] = params.error.message;
    if (event === "gone" || event === "refused") this.loading = {};
    if (event === "cleared") this.#clear(params.generation);
    if (event === "pagesDropped") this.#drop(params);
    if (event === "pageAppended" || event === "pagePrepended") return this.#add(params);
    return event === "cleared" ? { replaced: true } : {};
  }

  #load(kind, { isLoading, result }) {
    if (isLoading) {
      this.loading[kind] = true;
      this.#covered[kind] = this.errors[kind];
      delete this.errors[kind];
    } else {
      delete this.loading[kind];
      if (this.#covered[kind] && ["cancelled", "superseded"].includes(result)) this.errors[kind] = this.#covered[kind];
      delete this.#covered[kind];
    }
  }

  #clear(generation) {
    this.items.clear();
    this.ids.clear();
    this.generation = generation;
    this.errors = {};
    this.#covered = {};
    this.total = null;
    [this.first, this.last, this.lowest] = [0, -1, 0];
  }

  #add({ start, items, ids, replaces, generation, total, scrollTo }) {
    const replaced = replaces || !this.items.size;
    if (replaced) {
      this.#clear(generation);
      [this.first, this.last, this.lowest] = [start, start - 1, start];
    }
    const prepended = start < this.first;
    items.forEach((item, index) => {
      this.items.set(start + index, item);
      this.ids.set(start + index, ids[index]);
    });
    this.first = Math.min(this.first, start);
    this.last = Math.max(this.last, start + items.length - 1);
    this.lowest = Math.min(this.lowest, this.first);
    if (this.first === this.lowest) this.#knowsStart = !this.facts.hasPrevious;
    this.total = total ?? this.total;
    return { replaced, prepended, scrollTo };
  }

  #drop({ from, to, edge }) {
    for (let position = from; position <= to; position++) {
      this.items.delete(position);
      this.ids.delete(position);
    }
    if (edge === "start") this.first = to + 1;
    else this.last = from - 1;
  }

  /** How many items there are in all, as far as it is known; else -1, as ARIA has it. */
  get size() {
    if (!this.#knowsStart) return -1;
    return this.facts.hasMore ? this.total ?? -1 : this.last - this.lowest + 1;
  }
}
