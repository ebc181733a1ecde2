// A server on Node's standard library: frames, `JSON`, a map of sessions, the position held against the zone.
// A `page` goes through it as it does through a pagination server: its items are read, and passed on with their ids.
// `nextPage` does the same with the next lines of a file of JSON lines.
const fs = require("node:fs");

const sessions = new Map();
const files = new Map();

class Lines {
  rest = Buffer.alloc(0);
  chunk = Buffer.alloc(1 << 20);

  constructor(path) {
    this.file = fs.openSync(path);
  }

  next() {
    for (;;) {
      const end = this.rest.indexOf(10);
      if (end >= 0) {
        const line = this.rest.utf8Slice(0, end);
        this.rest = this.rest.subarray(end + 1);
        return line;
      }
      const count = fs.readSync(this.file, this.chunk);
      if (count === 0) return null;
      this.rest = Buffer.concat([this.rest, this.chunk.subarray(0, count)]);
    }
  }
}

function page(items) {
  return { ids: items.map((item) => item.id), items };
}

function nextPage(params) {
  if (params.isFirst) files.set(params.path, new Lines(params.path));
  const lines = files.get(params.path);
  const items = [];
  while (items.length < params.count) {
    const line = lines.next();
    if (line === null) break;
    items.push(JSON.parse(line));
  }
  return page(items);
}

function result(method, params) {
  if (method === "itemAppeared") {
    const session = sessions.get(params.session);
    session.last = params.position;
    const inZone = params.position >= session.count - session.zone;
    return { decision: inZone ? "load" : "idle", position: params.position };
  }
  if (method === "open") {
    sessions.set(params.session, { count: 1000, zone: 200, last: null });
    return {};
  }
  if (method === "page") return page(params.items);
  if (method === "nextPage") return nextPage(params);
  return { serverInfo: { name: "Node", version: "1" } };
}

let chunks = [];
let have = 0;
let need = 0; // Bytes of the frame that has begun, so that a large one is put together once.
process.stdin.on("data", (chunk) => {
  chunks.push(chunk);
  have += chunk.length;
  if (have < need) return;
  const pending = chunks.length === 1 ? chunk : Buffer.concat(chunks);
  let at = 0;
  need = 0;
  for (;;) {
    const end = pending.indexOf("\r\n\r\n", at);
    if (end < 0) break;
    const length = Number(/Content-Length: *(\d+)/i.exec(pending.latin1Slice(at, end))[1]);
    if (pending.length < end + 4 + length) {
      need = end + 4 + length - at;
      break;
    }
    const message = JSON.parse(pending.utf8Slice(end + 4, end + 4 + length));
    at = end + 4 + length;
    const value = result(message.method, message.params);
    if (message.id === undefined) continue;
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: value });
    process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
  chunks = at < pending.length ? [pending.subarray(at)] : [];
  have = pending.length - at;
});
