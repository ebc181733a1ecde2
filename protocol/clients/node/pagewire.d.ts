/** Types of the Pagewire client. They need no other types, those of Node neither. */

export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue };
/** An id that is an integer beyond 2^53 comes, and can be sent, as a bigint. */
export type ItemID = string | number | bigint;
export type Phase = "items" | "failedFirst" | "loadingFirst" | "empty" | "idle" | (string & {});
export type Kind = "initial" | "more" | "previous" | "refresh";
export type Edge = "start" | "end";

export interface ServerOptions {
  /** The server's program; else the environment variable PAGEWIRE, else `pagewire` on PATH. */
  command?: string;
  args?: string[];
  cwd?: string;
  env?: { [name: string]: string | undefined };
  clientInfo?: { name: string; version?: string };
  /** How long a program may take to answer as a server: 10,000. */
  startTimeoutMs?: number;
}

export interface InitializeResult {
  serverInfo: { name: string; version: string };
  protocolVersion: string;
  capabilities: { sources: string[]; triggers: string[]; limits: { [name: string]: number } };
}

export interface Source {
  type: string;
  [member: string]: unknown;
}

export interface Distance {
  distance: { relative?: number; absolute?: number };
  waitForHeightChange?: { untilMs: number } | "always" | "never";
}

export interface ListParams {
  /** Unique among the lists of a server; made up where it is left out. */
  session?: string;
  /** `{type: "client"}` where it is left out: the list's fetch function gives the pages. */
  source?: Source;
  pageSize?: number;
  idPath?: string;
  prefetchThreshold?: number;
  trigger?: "item" | "loader" | Distance;
  autoload?: boolean;
  canLoadMore?: boolean;
  canRefresh?: boolean;
  endOn?: "emptyPage" | "shortPage" | "never";
  refresh?: { mode?: "keep" | "clear"; extent?: "first" | "loaded" | "anchor" };
  retry?: { retries?: number; initialDelayMs?: number; maxDelayMs?: number; multiplier?: number; jitter?: number };
  rearmOnAppear?: boolean;
  timeoutMs?: number;
  dedupe?: boolean;
  maxEmptyPages?: number;
  maxUnseenPages?: number;
  maxItems?: number;
  startAt?: unknown;
  resume?: string;
  ifExists?: "error" | "replace";
  /** Has the server tell, by `$/progress` of the `Pagewire`, how far the counting of lines has come. */
  workDoneToken?: string | number;
  presentation?: unknown;
}

export interface Facts {
  count: number;
  hasMore: boolean;
  hasPrevious: boolean;
  paused: boolean;
  phase: Phase;
}

export interface State extends Facts {
  session: string;
  generation: number;
  first: number | null;
  last: number | null;
  pages: number;
  loading: { [kind in Kind]: boolean };
  error: { [kind in Kind]: ErrorObject | null };
  scrolledID: string | number | null;
  total: number | null;
  pendingRetryInMs: number | null;
  settings: ListParams;
  presentation: unknown;
  source: { type: string; [fact: string]: unknown };
  resume?: string;
}

export interface ErrorObject {
  code: number;
  message: string;
  data?: { name?: string; [member: string]: unknown };
}

interface OfList {
  session: string;
  generation: number;
}

export interface Page<Item = any> extends OfList, Facts {
  page: number;
  start: number;
  items: Item[];
  ids: (ItemID | null)[];
  duplicates: number;
  /** The page stands for the whole list. The first page after a restart is one of these. */
  replaces: boolean;
  total?: number;
  scrollTo?: { id: string | number; position: number };
  resumed?: boolean;
}

export interface Loading extends OfList, Partial<Facts> {
  kind: Kind;
  isLoading: boolean;
  result?: "loaded" | "failed" | "cancelled" | "superseded" | "paused" | (string & {});
}

export interface LoadFailed extends OfList {
  kind: Kind;
  error: ErrorObject;
  attempt: number;
  willRetry: boolean;
  retryInMs?: number;
}

export interface PagesDropped extends OfList, Facts {
  edge: Edge;
  from: number;
  to: number;
}

export interface ListEvents<Item = any> {
  loading: Loading;
  pageAppended: Page<Item>;
  pagePrepended: Page<Item>;
  pagesDropped: PagesDropped;
  cleared: OfList & Facts;
  loadFailed: LoadFailed;
  /** The server has ended: what is shown is an old copy, and nothing loads. `Pagewire.restart()` goes on. */
  gone: ServerGone;
}

export type Decision =
  | "stale" | "loading" | "empty" | "unknown" | "idle" | "disabled" | "refreshing" | "ended" | "latched" | "paused" | "started"
  | (string & {});

export interface Outcome {
  outcome: "loaded" | "ended" | "coalesced" | "superseded" | "disabled" | "paused" | (string & {});
  added: number;
  duplicates: number;
  count: number;
  hasMore: boolean;
  hasPrevious: boolean;
  generation: number;
}

export interface FetchParams {
  session: string;
  generation: number;
  kind: Kind;
  cursor: any;
  page: number;
  offset: number;
  limit: number;
  params: any;
}

export interface FetchedPage {
  items: unknown[];
  next?: unknown;
  previous?: unknown;
  hasMore?: boolean;
  total?: number;
  ids?: (ItemID | null)[];
}

/**
 * Gives a page. The signal is aborted when the page is not wanted any more; what it throws is a failed try, and may have
 * `code` (an integer), `retryable` and `retryAfterMs`.
 */
export type FetchFunction = (params: FetchParams, signal: AbortSignal) => FetchedPage | Promise<FetchedPage>;

export interface CallOptions {
  /** Aborting sends `$/cancelRequest`: a load that waits is then answered with the code -32800. */
  signal?: AbortSignal;
}

/** The part of Node's EventEmitter that is used here. */
interface Emitter<Events> {
  on<Name extends keyof Events>(event: Name, listener: (params: Events[Name]) => void): this;
  once<Name extends keyof Events>(event: Name, listener: (params: Events[Name]) => void): this;
  off<Name extends keyof Events>(event: Name, listener: (params: Events[Name]) => void): this;
}

/** An error that the server answered. */
export class PagewireError extends Error {
  code: number;
  data: { name?: string; [member: string]: unknown };
}

/** The server could not be started, is no usable server, or has ended. */
export class ServerGone extends Error {}

/** One server. */
export class Pagewire {
  constructor(options?: ServerOptions);
  start(): Promise<InitializeResult>;
  call(method: string, params?: object, options?: CallOptions): Promise<any>;
  notify(method: string, params?: object): void;
  list<Item = any>(params: ListParams, fetch?: FetchFunction): List<Item>;
  /** Starts the server again and opens its lists in place; gives those that could not be opened. */
  restart(): Promise<{ list: List; error: Error }[]>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}
export interface Pagewire extends Emitter<{ gone: ServerGone; "$/progress": { token: string | number; value: any } }> {}

/** A list. What fails is told by its events, so answers need not be awaited. */
export class List<Item = any> {
  private constructor();
  readonly session: string;
  /** The generation of what the events have told. */
  readonly generation: number;
  /** Where `open` comes back to, in another process too. */
  token?: string;
  open(): Promise<State>;
  close(): Promise<void>;
  /** Remembers where the user is: the token that it gives is for `resume`, now or in a later process. */
  remember(id: ItemID): Promise<string>;
  call(method: string, params?: object, options?: CallOptions): Promise<any>;
  itemAppeared(item: { position: number; generation?: number } | { id: ItemID }): Promise<{ decision: Decision; previous: Decision; position: number | null }>;
  visibleRange(range: { first: number; last: number; generation?: number }): Promise<{ decision: Decision; previous: Decision }>;
  loaderAppeared(loader: { edge: Edge }): Promise<{ decision: Decision }>;
  loaderDisappeared(loader: { edge: Edge }): Promise<{ decision: Decision }>;
  scrolled(geometry: { offset: number; viewport: number; content: number }): Promise<{ decision: Decision; previous: Decision }>;
  loadMore(params?: {}, options?: CallOptions): Promise<Outcome>;
  loadPrevious(params?: {}, options?: CallOptions): Promise<Outcome>;
  refresh(params?: { mode?: "keep" | "clear"; extent?: "first" | "loaded" | "anchor"; source?: Source; from?: unknown }, options?: CallOptions): Promise<Outcome>;
  setScrolledID(item: { id: ItemID | null }): Promise<{ position: number | null }>;
  adjustOffset(shift: { by: number }): Promise<{ offset: number }>;
  state(params?: { resume?: boolean }): Promise<State>;
}
export interface List<Item = any> extends Emitter<ListEvents<Item>> {}

/** The exact text of a member of what an event or a fetch function was given. */
export function rawMember(params: object, name: string): string | undefined;
/** The exact text of each item of a page, for numbers that do not survive JSON.parse. */
export function rawItems(page: Page): string[];
