/**
 * A list on a page: rows for what is visible only, in elements that are used again. It draws what a ListModel knows, and
 * calls `ask(method, params)` with what a person sees and wants. All cells of a list have the same extent along its axis,
 * so the place of an item follows from its position.
 */
import { ListModel } from "./list-model.js";

const OVERSCAN = 6; // rows on either side of what is visible
const PULL = 64; // pixels of a pull that refreshes
const MAX_GAP = 4_000_000; // pixels: what browsers can scroll is bounded

export class ListView {
  model = new ListModel();
  #origin = 0; // the position whose cell is at the start of the feed
  #rows = new Map(); // position -> its element
  #spare = [];
  #current = null; // the position of the article that has, or had, the focus
  #size = null;
  #frame = null;
  #idle = null;

  constructor(root, { axis = "vertical", extent = 56, spacing = 0, showsIndicators = true, title = "" }, { cell, loader }, ask) {
    Object.assign(this, { root, extent, spacing, cell, loader, ask, isVertical: axis === "vertical", stride: extent + spacing });
    root.className = `list ${axis}`;
    root.classList.toggle("bare", !showsIndicators);
    root.style.setProperty("--extent", `${extent}px`);
    this.banner = add(root, "div", "banner");
    this.pull = add(root, "div", "pull");
    this.start = add(root, "div", "edge start");
    this.scroller = add(root, "div", "scroller");
    this.feed = add(this.scroller, "div", "feed");
    this.end = add(this.scroller, "div", "edge end");
    this.whole = add(root, "div", "whole");
    for (const element of [this.end, this.whole]) element.setAttribute("role", "status");
    this.banner.setAttribute("role", "alert");
    this.scroller.tabIndex = 0;
    this.feed.setAttribute("role", "feed");
    this.feed.setAttribute("aria-label", title);
    this.observer = new IntersectionObserver((entries) => this.#appeared(entries), { root: this.scroller });
    this.resizing = new ResizeObserver(() => this.#draw());
    this.resizing.observe(this.scroller);
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.scroller.addEventListener("keydown", (event) => this.#key(event));
    this.scroller.addEventListener("focusin", ({ target }) => (this.#current = target.position ?? this.#current));
    this.#listenToPulls();
    this.show();
  }

  get offset() {
    return this.isVertical ? this.scroller.scrollTop : this.scroller.scrollLeft;
  }

  set offset(pixels) {
    this.scroller[this.isVertical ? "scrollTop" : "scrollLeft"] = pixels;
  }

  get viewport() {
    return this.isVertical ? this.scroller.clientHeight : this.scroller.clientWidth;
  }

  /** The first position that is visible, and how many pixels of it are not. */
  get place() {
    const rows = Math.max(this.offset / this.stride, 0);
    const position = Math.min(Math.max(Math.floor(rows) + this.#origin, this.model.first), this.model.last);
    return { position, pixels: Math.round(this.offset - (position - this.#origin) * this.stride) };
  }

  /** Takes an event of the list's, and shows what it changed. `pixels` go with a place to scroll to. */
  take(event, params, pixels = 0) {
    const { replaced, prepended, scrollTo } = this.model.take(event, params);
    const { first } = this.model;
    if (replaced) {
      this.#origin = first;
      this.#recycle(() => true);
      this.#resize();
      this.offset = scrollTo ? (scrollTo.position - first) * this.stride + pixels : 0;
    } else if (prepended && first < this.#origin) {
      const shift = (this.#origin - first) * this.stride;
      this.#origin = first;
      this.#resize();
      this.offset += shift; // what is visible stays where it is
      this.#place();
    }
    this.show();
    this.#settle();
  }

  /** Draws everything that is not a row. */
  show() {
    const { facts, loading, errors, size, first, last, lowest } = this.model;
    const isEmpty = !this.model.items.size;
    const button = (label, method) => [label, () => this.ask(method)];
    const loader = (load) => load && { loader: typeof load === "string" ? `Trying again: ${load}` : "Loading…" };
    const error = (text, method) => text && { text, button: button("Try again", method), isError: true };
    const paused = (text) => facts.paused && { text, button: button("Go on", "loadMore") };
    const failed = facts.phase === "failedFirst" && (errors.initial ?? errors.refresh ?? "The list could not be loaded.");
    const idle = facts.phase === "idle" && { text: "Nothing is loaded.", button: button("Load", "loadMore") };
    const more = () => loader(loading.more ?? loading.initial) || error(errors.more, "loadMore") || paused("Nothing new was found.");
    const banner = () => error(errors.refresh, "refresh") || error(errors.previous, "loadPrevious");
    const whole = () =>
      loader(loading.initial ?? loading.refresh ?? loading.more) ||
      error(failed, "loadMore") ||
      paused("Nothing was found so far.") ||
      (facts.phase === "empty" ? { text: "No items" } : idle);
    this.#fill(this.end, !isEmpty && more());
    this.#fill(this.start, !isEmpty && loader(loading.previous));
    this.#fill(this.pull, !isEmpty && loading.refresh && { loader: "Refreshing…" });
    this.#fill(this.banner, this.trouble || (!isEmpty && banner()));
    this.#fill(this.whole, isEmpty && !this.trouble && whole());
    this.feed.setAttribute("aria-busy", String(Object.keys(loading).length > 0));
    this.onFacts?.({ from: first - lowest + 1, to: last - lowest + 1, size });
    this.#resize();
    this.#draw();
  }

  /** Shows, in place of what was shown, a loader or a text with a button; only where it is another, so that focus stays. */
  #fill(element, content) {
    const key = content ? JSON.stringify([content.loader, content.text, content.button?.[0]]) : "";
    element.hidden = !content;
    element.classList.toggle("failed", Boolean(content?.isError));
    if (element.key !== key) {
      element.key = key;
      element.replaceChildren();
      if (content?.loader) element.append(this.loader(content.loader));
      if (content?.text) add(element, "span", "text").textContent = content.text;
      if (content?.button) add(element, "button", "").textContent = content.button[0];
    }
    if (content?.button) element.querySelector("button").onclick = content.button[1];
  }

  #resize() {
    const rows = Math.max(this.model.last - this.#origin + 1, 0);
    this.feed.style[this.isVertical ? "height" : "width"] = `${Math.max(rows * this.stride - this.spacing, 0)}px`;
  }

  #scrolled() {
    // Where pages were dropped there is a gap, which is taken away as soon as scrolling rests.
    const least = (this.model.first - this.#origin) * this.stride;
    if (least > 0 && this.offset < least) this.offset = least;
    if (least > MAX_GAP) this.#closeGap();
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#draw();
    });
    this.#settle();
  }

  #settle() {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#closeGap();
      this.#order();
      if (this.model.items.size) this.onRest?.(this.place);
    }, 200);
  }

  #closeGap() {
    const gap = (this.model.first - this.#origin) * this.stride;
    if (gap <= 0 || !this.model.items.size) return;
    this.#origin = this.model.first;
    const offset = this.offset - gap;
    this.#resize();
    this.#place();
    this.offset = offset;
  }

  /** Gives each position near the view a row, and takes away the rows of the others. */
  #draw() {
    const { first, last } = this.model;
    const top = Math.floor(this.offset / this.stride) + this.#origin;
    const from = Math.max(top - OVERSCAN, first);
    const to = Math.min(top + Math.ceil(this.viewport / this.stride) + OVERSCAN, last);
    this.#recycle((position, row) => (position < from || position > to) && !row.contains(document.activeElement));
    for (let position = from; position <= to; position++) if (!this.#rows.has(position)) this.#use(position);
    if (this.#size !== (this.#size = this.model.size)) for (const row of this.#rows.values()) row.setAttribute("aria-setsize", this.#size);
  }

  /** Rows are used again in any order; who listens to the page wants them in that of the list. A row with focus must not be moved. */
  #order() {
    const rows = [...this.#rows.values()].sort((a, b) => a.position - b.position);
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    if (rows.every((row, index) => index === 0 || rows[index - 1].compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING)) return;
    for (const row of rows.slice(0, Math.max(at, 0))) this.feed.insertBefore(row, rows[at]);
    for (const row of rows.slice(at + 1)) this.feed.append(row);
  }

  #recycle(isSpare) {
    for (const [position, row] of this.#rows) {
      if (!isSpare(position, row) && this.model.items.has(position)) continue;
      if (row.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
      this.#rows.delete(position);
      this.observer.unobserve(row);
      row.hidden = true;
      this.#spare.push(row);
    }
  }

  #use(position) {
    const row = this.#spare.pop() ?? this.#makeRow();
    const text = this.model.items.get(position);
    const number = position - this.model.lowest + 1;
    row.position = position;
    row.hidden = false;
    this.cell(row, { ...read(text), position, number });
    row.setAttribute("aria-setsize", this.model.size);
    this.#rows.set(position, row);
    this.#place([row]);
    this.#observe(row);
  }

  #makeRow() {
    const row = add(this.feed, "article", "cell");
    row.tabIndex = -1;
    return row;
  }

  #place(rows = this.#rows.values()) {
    for (const row of rows) {
      const pixels = (row.position - this.#origin) * this.stride;
      row.style.transform = this.isVertical ? `translateY(${pixels}px)` : `translateX(${pixels}px)`;
      row.setAttribute("aria-posinset", row.position - this.model.lowest + 1);
    }
  }

  /** Observing anew has the observer tell again whether the row is visible, which it would not for another item in it. */
  #observe(row) {
    this.observer.unobserve(row);
    this.observer.observe(row);
  }

  /** Of the rows that appeared, the outermost say it all: demand reaches up to them. The last one is where the user is going. */
  #appeared(entries) {
    const positions = entries.filter(({ isIntersecting, target }) => isIntersecting && !target.hidden).map(({ target }) => target.position);
    if (!positions.length) return;
    const [low, high] = [Math.min(...positions), Math.max(...positions)];
    const isBack = high < this.reached;
    this.reached = high;
    for (const position of new Set(isBack ? [high, low] : [low, high])) this.ask("itemAppeared", { position, generation: this.model.generation });
  }

  #key(event) {
    const { first, last } = this.model;
    const at = this.#current ?? this.place.position;
    const isOutside = event.ctrlKey && (event.key === "Home" || event.key === "End");
    const target = { PageDown: this.#current === null ? at : at + 1, PageUp: at - 1, Home: first, End: last }[event.key];
    if (event.target.closest("button") || event.altKey || event.metaKey || target === undefined || last < first) return;
    event.preventDefault();
    if (isOutside) this.onLeave?.(event.key === "Home" ? -1 : 1);
    else this.focus(Math.min(Math.max(target, first), last));
  }

  /** Moves the focus to an item, and scrolls until it is visible. */
  focus(position) {
    const start = (position - this.#origin) * this.stride;
    if (start < this.offset) this.offset = start;
    if (start + this.extent > this.offset + this.viewport) this.offset = start + this.extent - this.viewport;
    this.#current = position;
    this.#draw();
    for (const [each, row] of this.#rows) row.tabIndex = each === position ? 0 : -1;
    this.#rows.get(position)?.focus({ preventScroll: true });
  }

  #listenToPulls() {
    let from = null;
    const along = ({ touches: [touch] }) => (this.isVertical ? touch.clientY : touch.clientX);
    const show = (pixels) => {
      this.root.style.setProperty("--pull", `${pixels}px`);
      this.root.classList.toggle("pulled", pixels > 0);
      this.root.classList.toggle("ready", pixels >= PULL);
    };
    this.scroller.addEventListener("touchstart", (event) => (from = this.offset <= 0 && event.touches.length === 1 ? along(event) : null), { passive: true });
    this.scroller.addEventListener(
      "touchmove",
      (event) => {
        const pixels = from === null ? 0 : Math.min((along(event) - from) / 2, 1.5 * PULL);
        if (pixels > 0 && this.offset <= 0 && event.cancelable) event.preventDefault();
        show(this.offset <= 0 ? Math.max(pixels, 0) : 0);
      },
      { passive: false },
    );
    for (const name of ["touchend", "touchcancel"]) {
      this.scroller.addEventListener(name, () => {
        if (name === "touchend" && this.root.classList.contains("ready")) this.ask("refresh");
        from = null;
        show(0);
      });
    }
  }
}

function add(parent, tag, className) {
  const element = parent.appendChild(document.createElement(tag));
  element.className = className;
  return element;
}

/** An item from its text; what a page cannot read is shown as it stands. */
function read(text) {
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return { text: String(text), value: String(text) };
  }
}
