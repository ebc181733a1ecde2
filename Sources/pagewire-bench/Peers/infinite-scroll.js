// Infinite scroll within a front end, as one writes it where there is no server: pages come as JSON text from a function, one load
// at a time; items that are there already are left out; an appearance within the zone loads the next page.
// argv: a file with one item as JSON in each line, the items in a page.
// For each line of its input it scrolls through the whole list and prints how many items that had, the nanoseconds a page took,
// and those that an appearance outside the zone took.
const fs = require("node:fs");

const pageSize = Number(process.argv[3]);
const lines = fs.readFileSync(process.argv[2], "utf8").trimEnd().split("\n");
const pages = [];
for (let at = 0; at < lines.length; at += pageSize) pages.push(`[${lines.slice(at, at + pageSize).join(",")}]`);

class InfiniteScroll {
  items = [];
  ids = new Set();
  isLoading = false;
  hasMore = true;
  next = 0;

  constructor(fetchPage, zone) {
    this.fetchPage = fetchPage;
    this.zone = zone;
  }

  itemAppeared(position) {
    if (this.hasMore && !this.isLoading && position >= this.items.length - this.zone) this.loadMore();
  }

  loadMore() {
    this.isLoading = true;
    const text = this.fetchPage(this.next);
    for (const item of JSON.parse(text)) {
      if (this.ids.has(item.id)) continue;
      this.ids.add(item.id);
      this.items.push(item);
    }
    this.next += 1;
    this.hasMore = this.next < pages.length;
    this.isLoading = false;
  }
}

function measure() {
  const list = new InfiniteScroll((page) => pages[page], pageSize / 5);
  let begin = process.hrtime.bigint();
  while (list.hasMore) list.itemAppeared(list.items.length);
  const perPage = Number(process.hrtime.bigint() - begin) / pages.length;
  const appearances = 1_000_000;
  list.hasMore = true;
  const outside = list.items.length - list.zone - 1;
  begin = process.hrtime.bigint();
  for (let count = 0; count < appearances; count++) list.itemAppeared(count % outside);
  const perAppearance = Number(process.hrtime.bigint() - begin) / appearances;
  return `${list.items.length} ${Math.round(perPage)} ${perAppearance.toFixed(3)}\n`;
}

process.stdout.write("ready\n");
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", () => process.stdout.write(measure()));
