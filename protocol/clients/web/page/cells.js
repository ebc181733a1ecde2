/**
 * How an item looks. A module of yours takes the place of this one with `--cells FILE`: `cell` gets an element, which may have
 * been another item's cell before, and `loader` makes the element that is shown while a load runs. Whatever comes from an item
 * is set as `textContent`, never as HTML.
 */
const MAX_CHARACTERS = 600;
const TITLES = ["title", "name", "text", "message", "label", "subject"];
const NOTES = ["subtitle", "note", "description", "author"];
const QUIET = ["id", "filling"];

/** `value` is the item, `text` its exact JSON (or the item as it stands, where it is none). */
export function cell(element, { value, text, number }) {
  const parts = element.firstChild ? element.children : build(element);
  const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
  const title = isObject ? TITLES.find((name) => typeof value[name] === "string") : undefined;
  const isLine = isObject && title === "text" && "offset" in value;
  parts[0].textContent = number.toLocaleString("en");
  parts[1].textContent = cut(title ? value[title] : typeof value === "string" ? value : text);
  const notes = isLine || !title ? [] : Object.entries(JSON.parse(text, exactly)).filter(([name]) => name !== title && !QUIET.includes(name));
  notes.sort(([a], [b]) => NOTES.includes(b) - NOTES.includes(a));
  parts[2].textContent = cut(notes.map(([name, one]) => (NOTES.includes(name) ? show(one) : `${name} ${show(one)}`)).join("  ·  "));
  parts[2].hidden = !notes.length;
  element.classList.toggle("line", isLine);
}

export function loader(text) {
  const element = document.createElement("div");
  element.className = "loader";
  const ring = element.appendChild(document.createElement("span"));
  ring.className = "ring";
  element.appendChild(document.createElement("span")).textContent = text;
  return element;
}

let count = 0;

function build(element) {
  for (const name of ["number", "title", "note"]) {
    element.appendChild(document.createElement("span")).className = name;
  }
  element.children[1].id = `title-${++count}`;
  element.setAttribute("aria-labelledby", element.children[1].id);
  return element.children;
}

/** Numbers as they are written, where the browser tells: `1.10`, and integers beyond 2^53. */
const exactly = (_, value, context) => (typeof value === "number" ? context?.source ?? value : value);

function show(value) {
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? `[${value.length}]` : "{…}";
}

function cut(text) {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
