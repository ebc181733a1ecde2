/** Messages as bytes and as text: frames that come in pieces, and JSON whose numbers must not change. */
import { randomUUID } from "node:crypto";

const MAX_HEADER_BYTES = 8192;
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** Takes bytes however they are cut, and gives the bodies of whole messages. */
export class FrameReader {
  #chunks = [];
  #size = 0;
  #length = null; // of the body that is awaited; null: a header is

  *push(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= (this.#length ?? 1)) {
      const data = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : this.#chunks[0];
      const end = this.#length ?? data.subarray(0, MAX_HEADER_BYTES).indexOf("\r\n\r\n") + 4;
      if (this.#length !== null) {
        yield data.toString("utf8", 0, end);
        this.#length = null;
      } else if (end < 4 && data.length < MAX_HEADER_BYTES) {
        return;
      } else {
        this.#length = Number(/^content-length:[ \t]*(\d+)[ \t]*$/im.exec(data.toString("latin1", 0, end))?.[1]);
        if (!(this.#length <= MAX_FRAME_BYTES)) throw new Error("what it writes is no message");
      }
      [this.#chunks, this.#size] = [[data.subarray(end)], data.length - end];
    }
  }
}

const mark = randomUUID();
const marked = new RegExp(`"${mark}(-?\\d+)"`, "g");

/** Writes a value as JSON, and a bigint as the integer that it is. */
export function encode(value) {
  return JSON.stringify(value, (_, one) => (typeof one === "bigint" ? mark + one : one)).replace(marked, "$1");
}

/** Lists `[name, text]` of each member of the object, or element of the array, that a valid text is. */
export function* children(text) {
  let [depth, start, name] = [0, 0, null];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      while (text[++at] !== '"') if (text[at] === "\\") at++;
    } else if (char === "[" || char === "{") {
      if (++depth === 1) start = at + 1;
    } else if (depth === 1 && char === ":") {
      [name, start] = [JSON.parse(text.slice(start, at)), at + 1];
    } else if (char === "," || char === "]" || char === "}") {
      const value = depth === 1 && text.slice(start, at).trim();
      if (value) yield [name, value];
      if (depth === 1) start = at + 1;
      if (char !== ",") depth--;
    }
  }
}
