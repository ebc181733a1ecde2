// Compiled by test.sh, never run: what should be accepted is, and each line below `@ts-expect-error` is refused.
import { FetchFunction, List, Pagewire, PagewireError, rawItems } from "../pagewire.js";

interface Line {
  offset: number;
  text: string;
}

export async function show(path: string, lines: string[]): Promise<string | undefined> {
  const server = new Pagewire({ command: "pagewire", clientInfo: { name: "test" } });
  const list: List<Line> = server.list<Line>({ source: { type: "file", path }, trigger: { distance: { relative: 0.5 } } });
  list.on("pageAppended", ({ items, replaces, ids }) => {
    if (replaces) lines.length = 0;
    lines.push(...items.map(({ text }) => text));
    // @ts-expect-error an item is what the list was said to hold
    items[0].title;
    // @ts-expect-error an id may be a bigint
    const id: string | number | null = ids[0];
  });
  list.on("pageAppended", (page) => rawItems(page).map((text) => text.length));
  list.on("loadFailed", ({ error, willRetry }) => willRetry || console.log(error.message));
  server.on("gone", (gone) => console.log(gone.message));
  // @ts-expect-error there is no such event
  list.on("pageAdded", () => {});
  // @ts-expect-error the parameter is called pageSize
  server.list({ source: { type: "items", items: [] }, pagesize: 5 });
  const { phase } = await list.open();
  const controller = new AbortController();
  const { outcome, added } = await list.loadMore({}, { signal: controller.signal });
  const { decision } = await list.itemAppeared({ position: added, generation: 1 });
  await list.setScrolledID({ id: 2n ** 60n });
  // @ts-expect-error a report names an item
  await list.itemAppeared({});
  return decision === "started" ? phase : outcome;
}

export const letters: FetchFunction = async ({ cursor, limit }, signal) => {
  if (signal.aborted) throw new Error("not wanted any more");
  return { items: ["a", "b"].slice(cursor ?? 0, limit), next: null };
};

// @ts-expect-error a page has items
export const nothing: FetchFunction = async () => ({ next: null });

export function explain(error: unknown): string {
  return error instanceof PagewireError ? `${error.code} ${error.data.name}` : String(error);
}
