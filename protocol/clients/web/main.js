#!/usr/bin/env node
/** `node main.js SOURCE...`: serves a page that scrolls through sources of a Pagewire server. */
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Bridge } from "./bridge.js";

const USAGE = `usage: node main.js [options] SOURCE...

SOURCE is a path, a URL, or a source object as JSON. The page's address is printed; it is good until the program ends.

  --axis vertical|horizontal   the direction in which the list scrolls
  --extent PIXELS              the size of a cell along that axis (vertical: 56, lines of text: 28, horizontal: 240)
  --spacing PIXELS             between cells (vertical: 0, horizontal: 12)
  --hide-indicators            show no scroll bar
  --page-size N, --max-items N how many items are asked for at once (100), and kept (10,000)
  --cells FILE                 a module of yours that draws cells and the loader (see README.md)
  --id-path POINTER            where an item's id is (/id)
  --port N                     listen on this port
  --server PROGRAM             the server, else PAGEWIRE, else pagewire on PATH
`;

function fail(message) {
  console.error(message);
  process.exit(2);
}

function read() {
  const text = { type: "string" };
  const options = { axis: text, extent: text, spacing: text, "hide-indicators": { type: "boolean" }, "page-size": text, "max-items": text };
  try {
    return parseArgs({ allowPositionals: true, options: { ...options, cells: text, "id-path": text, port: text, server: text } });
  } catch ({ message }) {
    return fail(`${message}\n\n${USAGE}`);
  }
}

function source(argument) {
  if (/^\s*\{/.test(argument)) {
    try {
      const object = JSON.parse(argument);
      return [object.path ? basename(object.path) : object.url ?? object.type, object];
    } catch ({ message }) {
      fail(`The source is no JSON: ${message}`);
    }
  }
  return /^https?:/.test(argument) ? [argument, { type: "http", url: argument }] : [basename(argument), { type: "file", path: resolve(argument) }];
}

function isText({ type, path, format }) {
  return type === "file" && (format ?? (/\.(jsonl|ndjson|json|csv|tsv)(\.gz)?$/i.test(path) ? "records" : "lines")) === "lines";
}

function number(values, name, otherwise) {
  const value = values[name] === undefined ? otherwise : Number(values[name]);
  return Number.isInteger(value) && value >= 0 ? value : fail(`--${name} has to be a whole number.`);
}

const { values, positionals } = read();
if (!positionals.length) fail(USAGE);
const axis = values.axis ?? "vertical";
if (!["vertical", "horizontal"].includes(axis)) fail("--axis is vertical or horizontal.");
const isVertical = axis === "vertical";
const pageSize = number(values, "page-size", 100);
const lists = positionals.map((argument) => {
  const [title, object] = source(argument);
  return {
    source: object,
    pageSize,
    prefetchThreshold: pageSize,
    maxItems: number(values, "max-items", 10_000),
    idPath: values["id-path"],
    presentation: {
      title,
      axis,
      extent: Math.max(number(values, "extent", isVertical ? (isText(object) ? 28 : 56) : 240), 16),
      spacing: number(values, "spacing", isVertical ? 0 : 12),
      showsIndicators: !values["hide-indicators"],
    },
  };
});

// The page names no source; should it ever, the server refuses every other kind.
const types = new Set(lists.map(({ source }) => source.type).filter((type) => typeof type === "string" && type));
const server = { command: values.server, args: types.size ? ["--allow", [...types].join(",")] : [] };
const bridge = new Bridge({ lists, server, cells: values.cells });
console.log(await bridge.listen(number(values, "port", 0)).catch(({ message }) => fail(message)));
const end = () => bridge.close().then(() => process.exit(0));
process.once("SIGINT", end).once("SIGTERM", end);
