/** The page: one pane for each list of the bridge's. */
import * as cells from "./cells.js";
import { Channel } from "./channel.js";
import { ListView } from "./list-view.js";

const [main, tabs, title, status, refresh, toStart] = ["main", "#tabs", "#title", "#status", "#refresh", "#to-start"].map((name) => document.querySelector(name));
const panes = [];
let shown = null;

const channel = new Channel(location.hash.slice(1), onEvent, (message) => {
  for (const { view } of panes) trouble(view, message, "Reload", () => location.reload());
});

function onEvent({ list, event, params }) {
  if (event === "gone") for (const pane of panes) lose(pane, params.message, restart);
  const pane = panes[list];
  if (!pane) return;
  pane.view.take(event, params, pane.pixels);
  if (event === "refused") lose(pane, params.message, () => open(pane));
}

function lose(pane, message, tryAgain) {
  pane.view.take("gone", {});
  trouble(pane.view, message, "Start again", tryAgain);
}

function trouble(view, text, label, action) {
  view.trouble = { text, button: [label, action] };
  view.show();
}

async function restart() {
  for (const { view } of panes) view.trouble = null;
  for (const { view } of panes) view.show();
  try {
    await channel.call(0, "restart");
  } catch ({ message }) {
    for (const pane of panes) lose(pane, message, restart);
  }
}

/** Opens a pane's list, where it was when this page was last here. */
async function open(pane) {
  const { view, index, key } = pane;
  const saved = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  pane.pixels = saved.pixels;
  view.trouble = null;
  view.model.loading.initial = true;
  view.show();
  try {
    const { generation, settings } = await channel.call(index, "open", { resume: saved.token });
    view.model.generation ??= generation;
    refresh.disabled = settings?.canRefresh === false;
  } catch ({ message }) {
    delete view.model.loading.initial;
    trouble(view, message, "Try again", () => open(pane));
  }
}

/** Where scrolling rests is remembered, for a reload of the page and for a restart of the server. */
async function remember(pane, { position, pixels }) {
  const id = pane.view.model.ids.get(position);
  pane.pixels = pixels;
  if (id === undefined || id === "null" || pane.refreshes) return;
  if (id !== pane.id) pane.token = await channel.call(pane.index, "remember", { id }).catch(() => pane.token);
  pane.id = id;
  if (pane.token) sessionStorage.setItem(pane.key, JSON.stringify({ token: pane.token, pixels: pane.pixels }));
}

/** Who refreshes at the start wants to see what is new there, not to stay at what was the first item. */
async function refreshList(pane) {
  pane.refreshes++;
  const isAtStart = pane.view.offset <= 0;
  if (isAtStart) channel.call(pane.index, "remember", { id: null }).catch(() => {});
  if (isAtStart) pane.id = undefined;
  await channel.call(pane.index, "refresh").catch(() => {}); // What fails is told by an event too.
  pane.refreshes--;
}

function addPane(presentation, index) {
  const root = main.appendChild(document.createElement("section"));
  const view = new ListView(root, presentation, cells, (method, params) => {
    if (method === "refresh") refreshList(pane);
    else channel.call(index, method, params).catch(() => {}); // What fails is told by an event too.
  });
  const pane = { root, view, index, presentation, refreshes: 0, key: `pagewire:${index}:${presentation.title}` };
  const tab = tabs.appendChild(document.createElement("button"));
  tab.textContent = presentation.title;
  tab.addEventListener("click", () => select(pane));
  view.onRest = (place) => remember(pane, place);
  view.onFacts = ({ to, size }) => {
    pane.status = to < 1 ? "" : size < 0 ? `${to.toLocaleString("en")} items so far` : `${size.toLocaleString("en")} items`;
    if (pane === shown) status.textContent = pane.status;
  };
  view.onLeave = (direction) => (direction < 0 ? refresh : toStart).focus();
  panes.push(Object.assign(pane, { tab }));
}

function select(pane) {
  shown = pane;
  for (const each of panes) {
    each.root.hidden = each !== pane;
    each.tab.setAttribute("aria-current", String(each === pane));
  }
  title.textContent = pane.presentation.title;
  document.title = `${pane.presentation.title} - Pagewire`;
  if (!pane.isOpened) open(pane);
  pane.isOpened = true;
  pane.view.show();
  status.textContent = pane.status;
}

refresh.addEventListener("click", () => shown?.view.ask("refresh"));
toStart.addEventListener("click", () => shown?.view.focus(shown.view.model.first));
document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
  if (key === "r" && !ctrlKey && !metaKey && !altKey) shown?.view.ask("refresh");
});

try {
  (await channel.connect()).forEach(addPane);
  tabs.hidden = panes.length < 2;
  select(panes[0]);
} catch ({ message }) {
  const note = main.appendChild(document.createElement("p"));
  note.className = "note";
  note.textContent = message;
}
