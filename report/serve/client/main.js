// SPDX-License-Identifier: BSD-3-Clause
// The page: three panes, of which each shows what is selected in those to its left, and details below them.

import { ask } from "./api.js";
import { Flame } from "./flame.js";
import { showSummary } from "./summary.js";
import { Timeline } from "./timeline.js";
import { Tree } from "./tree.js";

/** @type {(id: string) => HTMLElement} */
const byId = id => /** @type {HTMLElement} */ (document.getElementById(id));
const choice = /** @type {HTMLSelectElement} */ (byId("experiment"));
const other = /** @type {HTMLSelectElement} */ (byId("other"));
const values = /** @type {HTMLSelectElement} */ (byId("values"));
const find = /** @type {HTMLInputElement} */ (byId("find"));

/** What is selected. An open node stands for itself alone. */
const chosen = {
  experiment: "0",
  metric: 0,
  metricAlone: 0,
  /** @type {number | undefined} */
  path: undefined,
  pathAlone: 0,
};
/** @type {{ name: string, timeline: boolean }[]} */
let experiments = [];

/** @param {unknown} error */
function complain(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  byId("message").hidden = false;
  byId("message").textContent = error instanceof Error ? error.message : String(error);
}
window.addEventListener("unhandledrejection", event => complain(event.reason));

/** @type {(tree: string) => (nodes: string, from: number, count: number) => Promise<any>} */
const loaderOf = tree => (node, from, count) => ask("rows", {
  tree, node, from, count, experiment: chosen.experiment, metric: chosen.metric, metricAlone: chosen.metricAlone,
  path: tree === "system" ? chosen.path : undefined, pathAlone: tree === "system" ? chosen.pathAlone : undefined,
});

const metrics = new Tree(byId("metrics"), loaderOf("metrics"), (row, open) => {
  chosen.metric = row.node;
  chosen.metricAlone = open ? 1 : 0;
  void calls.refresh();
  void system.refresh();
  void showDetail();
});
// Hierarchies of metrics are of different units: each root is its own whole.
metrics.whole = (/** @type {import("./tree.js").Branch} */ branch) => {
  let root = branch;
  while (root.parent && root.parent !== metrics.top) root = root.parent;
  return root.row.inclusive;
};
const calls = new Tree(byId("calls"), loaderOf("calls"), (row, open) => {
  chosen.path = row.node;
  chosen.pathAlone = open ? 1 : 0;
  void system.refresh();
});
const system = new Tree(byId("system"), loaderOf("system"), () => {});
/** @type {[string, Tree][]} */
const trees = [["metrics", metrics], ["calls", calls], ["system", system]];

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

async function showDetail() {
  const asked = { experiment: chosen.experiment, metric: chosen.metric, metricAlone: chosen.metricAlone };
  if (detail === "summary") showSummary(byId("summary"), await ask("summary", { experiment: chosen.experiment }));
  if (detail === "flame") await flame.show(asked);
  if (detail === "timeline") {
    const isThere = !chosen.experiment.includes("-") && experiments[Number(chosen.experiment)]?.timeline;
    if (isThere) await timeline.show(chosen.experiment);
    else timeline.told.textContent = "No trace lies beside this experiment.";
    timeline.canvas.hidden = !isThere;
  }
  if (detail === "metric") {
    const metric = await ask("metric", asked);
    byId("metric").replaceChildren(...[`${metric.displayName} (${metric.uniqueName})`, metric.description,
      metric.notEvaluated ? "Not evaluated: " + metric.notEvaluated : ""].filter(Boolean).map(text => {
      const element = document.createElement("p");
      element.textContent = text;
      return element;
    }));
  }
}

async function begin() {
  chosen.experiment = choice.value + (other.value === "" ? "" : "-" + other.value);
  [chosen.metric, chosen.metricAlone, chosen.path, chosen.pathAlone] = [0, 0, undefined, 0];
  flame.top = undefined;
  await metrics.begin();
  const first = metrics.lines[0]?.branch;
  if (!first) return;
  chosen.metric = metrics.selection = first.row.node;
  metrics.draw();
  await Promise.all([calls.begin(), system.begin(), showDetail()]);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
async function search() {
  const text = find.value.trim();
  let count = 0;
  for (const [name, tree] of trees) {
    const answer = text === "" ? { count: 0, found: [] } : await ask("search", { experiment: chosen.experiment, tree: name, text });
    if (find.value.trim() !== text) return;
    count += answer.count;
    tree.found = new Set(answer.found.map((/** @type {{ node: number }} */ each) => each.node));
    for (const each of answer.found.slice(0, 20)) await tree.reveal(each.node, each.above);
    const first = tree.lines.findIndex(line => line.branch && tree.found.has(line.branch.row.node));
    if (first >= 0) {
      const before = tree.active;
      tree.active = first;
      tree.show();
      tree.active = before;
    }
    tree.draw();
  }
  byId("found").textContent = text === "" ? "" : count === 1 ? "1 found" : count + " found";
}
find.addEventListener("input", () => {
  clearTimeout(soon);
  soon = setTimeout(() => void search(), 250);
});
values.addEventListener("change", () => {
  for (const [, tree] of trees) {
    tree.percent = values.value === "percent";
    tree.draw();
  }
});
choice.addEventListener("change", () => void begin());
other.addEventListener("change", () => void begin());

async function start() {
  experiments = await ask("experiments");
  experiments.forEach((each, at) => {
    choice.append(new Option(each.name, String(at)));
    other.append(new Option(each.name, String(at)));
  });
  byId("minus").hidden = experiments.length < 2;
  document.title = "Holos: " + experiments.map(each => each.name).join(", ");
  await begin();
}
start().catch(complain);
