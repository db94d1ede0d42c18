// SPDX-License-Identifier: BSD-3-Clause
// The page: three panes, of which each shows what is selected in those to its left, and details below them.

import { ask, beginView, listen, progress } from "./api.js";
import { Flame } from "./flame.js";
import { showSummary } from "./summary.js";
import { Table } from "./table.js";
import { Timeline } from "./timeline.js";
import { Tree } from "./tree.js";
import { escaped, textOf, viewFrom, wordsOf } from "./view.js";

/** @type {(id: string) => HTMLElement} */
const byId = id => /** @type {HTMLElement} */ (document.getElementById(id));
const choice = /** @type {HTMLSelectElement} */ (byId("experiment"));
const how = /** @type {HTMLSelectElement} */ (byId("how"));
const other = /** @type {HTMLSelectElement} */ (byId("other"));
const only = /** @type {HTMLSelectElement} */ (byId("only"));
const values = /** @type {HTMLSelectElement} */ (byId("values"));
const find = /** @type {HTMLInputElement} */ (byId("find"));

/** What the address has. */
let view = viewFrom(location.hash);
/** @type {{ name: string, timeline: boolean, live: string | null }[]} */
let experiments = [];

/** @param {unknown} error */
function complain(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  byId("message").hidden = false;
  byId("message").textContent = error instanceof Error ? error.message : String(error);
}
window.addEventListener("unhandledrejection", event => {
  complain(event.reason);
  event.preventDefault();
});
progress.tell = part => {
  byId("making").hidden = part === null;
  byId("making").textContent = part === null ? "" : `This part is being made: ${Math.round(100 * part)} %`;
};

/** What every question says of the view. */
const ofView = () => ({ experiment: view.experiment, part: view.only.join(",") });

/** Puts the view into the address. @param {boolean} [isStep]  one that the browser's Back takes back */
function tellAddress(isStep = false) {
  const words = wordsOf(view);
  const address = location.pathname + (words === "" ? "" : "#" + words);
  if (isStep) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The selected metric. An open node stands for itself alone. */
const ofMetric = () => ({ metric: metrics.chosen?.row.node ?? 0, metricAlone: metrics.chosen?.open ? 1 : 0 });
const ofPath = () => ({ path: calls.chosen?.row.node, pathAlone: calls.chosen?.open ? 1 : 0 });
/** @type {(tree: string) => import("./branches.js").Load} */
const loaderOf = tree => (node, from, count) => ask("rows", {
  tree, node, from, count, ...ofView(), ...(tree === "metrics" ? {} : ofMetric()), ...(tree === "system" ? ofPath() : {}),
});

const metrics = new Tree(byId("metrics"), loaderOf("metrics"), row => {
  metrics.key = escaped(row.uniqueName ?? "");
  view.metric = row.uniqueName ?? "";
  tellAddress();
  void calls.refresh();
  void system.refresh();
  void showDetail();
});
// Hierarchies of metrics are of different units: each root is its own whole.
metrics.whole = (/** @type {import("./branches.js").Branch} */ branch) => {
  let root = branch;
  while (root.parent && root.parent.parent) root = root.parent;
  return root.row.inclusive;
};
const calls = new Tree(byId("calls"), loaderOf("calls"), row => {
  void system.refresh();
  noted = notePlace("calls", row.node);
});
const system = new Tree(byId("system"), loaderOf("system"), row => { noted = notePlace("system", row.node); });
/** The selected nodes. @type {{ calls?: import("./tree.js").Place, system?: import("./tree.js").Place }} */
const places = {};
const trees = { metrics, calls, system };

/** Done when the last selected node stands in the address. */
let noted = Promise.resolve();
/** @param {"calls" | "system"} name @param {number} node */
async function notePlace(name, node) {
  const place = await ask("place", { ...ofView(), tree: name, node });
  if (trees[name].selection !== node) return;
  places[name] = place;
  trees[name].key = place.key;
  view[name === "calls" ? "call" : "system"] = place.key;
  tellAddress();
  offerParts();
}

/** What of the selected may be shown alone. */
function offerParts() {
  /** @type {[string, string][]} */
  const offers = [];
  const { calls: call, system: place } = places;
  if (call) offers.push([call.name + " and what it calls", "only-call=" + call.key]);
  if (call?.region) offers.push(["calls of " + call.region, "only-region=" + escaped(call.region)]);
  if (call?.kind) offers.push(["calls that belong to " + call.kind, "only-kind=" + escaped(call.kind)]);
  if (place) offers.push([place.name, "only-system=" + place.key]);
  const [from, to] = timeline.sight();
  if (detail === "timeline" && Number.isFinite(to) && !/[-:]/.test(view.experiment))
    offers.push(["the time in sight", `range=${from}:${to}`]);
  offer(only, [[view.only.length === 0 ? "the whole run" : "…", ""],
    ...offers.filter(each => !view.only.includes(each[1])).map(([text, word]) => /** @type {[string, string]} */ ([text.slice(0, 80), word]))]);
  only.value = "";
}

/** Puts options into a list, which stays as it is where they stand there: it may be open.
 * @param {HTMLSelectElement} list @param {[string, string][]} options  text and value */
function offer(list, options) {
  const there = [...list.options].map(each => [each.text, each.value]);
  if (JSON.stringify(there) !== JSON.stringify(options))
    list.replaceChildren(...options.map(([text, value]) => new Option(text, value)));
}
only.addEventListener("focus", offerParts);
only.addEventListener("change", () => {
  const word = only.value;
  if (word === "") return;
  void look({ only: word.startsWith("range=") ? [...view.only.filter(each => !each.startsWith("range=")), word] : [...view.only, word] });
});

/** The parts for which buttons stand there. */
let shownParts = "";
function showParts() {
  if (shownParts === view.only.join(",")) return;
  shownParts = view.only.join(",");
  byId("part").replaceChildren(...view.only.map(word => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.textContent = textOf(word) + " ✕";
    button.title = "Shown alone. Click to show more again.";
    button.setAttribute("aria-label", `Only ${textOf(word)}; remove`);
    button.addEventListener("click", () => void look({ only: view.only.filter(each => each !== word) }));
    item.append(button);
    return item;
  }));
}

const table = new Table(byId("table"));
table.changed = () => {
  view.table = table.link;
  tellAddress();
};
const flame = new Flame(byId("flame"), node => { void revealPath(node); });
const timeline = new Timeline(byId("timeline"));

/** @param {number} node */
async function revealPath(node) {
  const box = flame.boxes.find(each => each.node === node);
  if (!box) return;
  /** @type {number[]} */
  const above = [];
  for (let row = box.row - 1; row >= 0; --row) {
    const middle = box.start + box.width / 2;
    const up = flame.boxes.find(each => each.row === row && each.start <= middle && middle <= each.start + each.width);
    if (up) above.unshift(up.node);
  }
  await calls.reveal(node, above);
  calls.select(node);
}

const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
let detail = "summary";
/** @param {HTMLElement} tab */
function chooseTab(tab) {
  for (const each of tabs) {
    const isChosen = each === tab;
    each.setAttribute("aria-selected", String(isChosen));
    each.tabIndex = isChosen ? 0 : -1;
    byId(/** @type {string} */ (each.getAttribute("aria-controls"))).hidden = !isChosen;
  }
  detail = /** @type {string} */ (tab.getAttribute("aria-controls"));
  view.detail = detail;
  tellAddress();
  void showDetail();
}
tabs.forEach((tab, at) => {
  tab.addEventListener("click", () => chooseTab(tab));
  tab.addEventListener("keydown", event => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    const next = tabs[(at + by + tabs.length) % tabs.length];
    next.focus();
    chooseTab(next);
  });
});

/** The last of several questions counts. */
let detailsAsked = 0;
async function showDetail() {
  if (metrics.isLeft) return;
  const now = ++detailsAsked;
  const asked = { ...ofView(), ...ofMetric() };
  const of = experiments[Number(view.experiment)];  // none where several are combined
  if (detail === "summary") {
    const summary = await ask("summary", ofView());
    if (now === detailsAsked) showSummary(byId("summary"), summary);
  }
  if (detail === "flame") await flame.show(asked);
  if (detail === "timeline") {
    if (of?.timeline) await timeline.show(view.experiment);
    else timeline.told.textContent = noTrace(of);
    timeline.canvas.hidden = !of?.timeline;
    offerParts();
  }
  if (detail === "table") {
    if (of?.timeline) await table.show(view.experiment, view.only.join(","));
    else table.told.textContent = noTrace(of);
  }
  if (detail === "metric") {
    const metric = await ask("metric", asked);
    if (now !== detailsAsked) return;
    byId("metric").replaceChildren(...[`${metric.displayName} (${metric.uniqueName})`, metric.description,
      metric.notEvaluated ? "Not evaluated: " + metric.notEvaluated : ""].filter(Boolean).map(text => {
      const element = document.createElement("p");
      element.textContent = text;
      return element;
    }));
  }
}

/** @param {{ live: string | null } | undefined} of */
function noTrace(of) {
  return of?.live ? "The program runs: its trace can be seen when it has ended." : of ? "No trace lies beside this experiment."
      : "Several experiments have no trace together.";
}

/** Another view, and a step in the browser's history. @param {Partial<import("./view.js").View>} other */
async function look(other) {
  await noted.catch(() => {});
  Object.assign(view, other);
  tellAddress(true);
  await show();
}

/** Shows what the address says. What was open stays open, and what is done meanwhile counts. */
async function show() {
  beginView();
  byId("message").hidden = true;
  progress.tell(null);
  showChoices();
  showParts();
  flame.top = undefined;
  for (const tree of Object.values(trees)) tree.leave();
  const metric = placeOf("metrics", escaped(view.metric), complain);
  const call = placeOf("calls", view.call, () => {});
  const place = placeOf("system", view.system, () => {});
  await metrics.again(await metric);
  if (metrics.selection === null) {
    metrics.selection = metrics.lines[0]?.branch?.row.node ?? null;
    metrics.draw();
  }
  await calls.again(places.calls = await call);
  await system.again(places.system = await place);
  offerParts();
  await Promise.all([showDetail(), search(false)]);
}

/**
 * Where a node of the address is.
 * @param {string} tree @param {string} key  empty: none @param {(error: unknown) => void} isMissing  called where it is not there
 * @returns {Promise<import("./tree.js").Place | undefined>}
 */
async function placeOf(tree, key, isMissing) {
  if (key === "") return undefined;
  try {
    return await ask("place", { ...ofView(), tree, key });
  } catch (error) {
    if (error instanceof DOMException) throw error;
    isMissing(error);
  }
}

/** What stands in the heading. */
function showChoices() {
  const [, word = "", list = ""] = /^(mean:|merge:)?(.*)$/.exec(view.experiment) ?? [];
  const numbers = list.split(word === "" ? "-" : ",");
  choice.value = numbers[0];
  how.value = word !== "" ? word : numbers.length > 1 ? "-" : "";
  fillOthers();
  if (how.value !== "") other.value = numbers.slice(1).join(",");
  for (const tree of Object.values(trees)) tree.percent = view.mode === "percent";
  values.value = view.mode === "percent" ? "percent" : "absolute";
  if (view.table !== "" && view.table !== table.link) table.link = view.table;
  const live = numbers.map(each => experiments[Number(each)]?.live).find(Boolean);
  byId("live").hidden = !live;
  byId("live").textContent = live ? "The program runs; this is not all of it. " + live : "";
}

/** Those that can stand beside the first. */
function fillOthers() {
  const all = experiments.map((_, at) => String(at)).filter(at => at !== choice.value);
  other.hidden = how.value === "";
  /** @type {[string, string][]} */
  const single = all.map(at => [experiments[Number(at)].name, at]);
  offer(other, how.value !== "-" && all.length > 1 ? [["all others", all.join(",")], ...single] : single);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
/** Marks what has the text of the field. @param {boolean} isNew  whether it is to be brought into sight, too */
async function search(isNew) {
  const text = find.value.trim();
  let count = 0;
  for (const [name, tree] of Object.entries(trees)) {
    const answer = text === "" ? { count: 0, found: [] } : await ask("search", { ...ofView(), tree: name, text });
    if (find.value.trim() !== text) return;
    count += answer.count;
    tree.found = new Set(answer.found.map((/** @type {{ node: number }} */ each) => each.node));
    if (isNew) {
      for (const each of answer.found.slice(0, 20)) await tree.reveal(each.node, each.above);
      tree.showFirst(tree.found);
    }
    tree.draw();
  }
  byId("found").textContent = text === "" ? "" : count === 1 ? "1 found" : count + " found";
}
find.addEventListener("input", () => {
  clearTimeout(soon);
  soon = setTimeout(() => void search(true), 250);
});
values.addEventListener("change", () => {
  view.mode = values.value;
  tellAddress();
  for (const tree of Object.values(trees)) {
    tree.percent = values.value === "percent";
    tree.draw();
  }
});
for (const each of [choice, how, other])
  each.addEventListener("change", () => {
    if (each !== other) fillOthers();
    const isRange = how.value !== "";
    void look({
      experiment: how.value === "" ? choice.value : how.value === "-" ? choice.value + "-" + other.value
          : how.value + choice.value + "," + other.value,
      only: isRange ? view.only.filter(word => !word.startsWith("range=")) : view.only,
    });
  });
window.addEventListener("popstate", () => {
  view = viewFrom(location.hash);
  const tab = tabs.find(each => each.getAttribute("aria-controls") === view.detail);
  if (tab) chooseTab(tab);
  void show();
});

/** Recordings that go on are looked at again when there is more. */
async function follow() {
  while (experiments.some(each => each.live)) {
    await listen(async () => {
      experiments = await ask("experiments");
      await show();
    }).catch(() => {});
    await new Promise(done => setTimeout(done, 3000));
    experiments = await ask("experiments");
  }
}

async function start() {
  experiments = await ask("experiments");
  experiments.forEach((each, at) => choice.append(new Option(each.name, String(at))));
  byId("with").hidden = experiments.length < 2;
  document.title = "Holos: " + experiments.map(each => each.name).join(", ");
  const tab = tabs.find(each => each.getAttribute("aria-controls") === view.detail);
  const wanted = { ...view };
  if (tab && view.detail !== "summary") chooseTab(tab);
  view = wanted;
  await show().catch(complain);
  await follow();
}
start().catch(complain);
