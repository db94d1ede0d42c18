// SPDX-License-Identifier: BSD-3-Clause
// The three panes: metric, call path, system. Values are exclusive along all three trees; a closed node stands
// for everything below it, an open one for itself, and a selection in a pane restricts the panes to its right.
"use strict";
(function () {
  const experiments = JSON.parse(document.getElementById("data").textContent);
  const root = document.getElementById("panes");

  // Parents stand before their children, so that one backward pass sums up a tree.
  function summedUp(tree, own) {
    const all = own.slice();
    for (let i = tree.length - 1; i > 0; --i) if (tree[i].parent >= 0) all[tree[i].parent] += all[i];
    return all;
  }
  function childrenOf(tree) {
    const children = tree.map(() => []);
    tree.forEach((node, i) => { if (node.parent >= 0) children[node.parent].push(i); });
    return children;
  }
  function within(tree, node, ancestor) {
    while (node >= 0 && node !== ancestor) node = tree[node].parent;
    return node === ancestor;
  }
  function shown(value) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    return size >= 1e6 || size < 1e-3 ? value.toExponential(2) : Number(value.toPrecision(4)).toString();
  }

  function Browser(experiment) {
    const kinds = ["metrics", "paths", "system"];
    const titles = { metrics: "Metric", paths: "Call path", system: "System" };
    const state = {};
    for (const kind of kinds)
      state[kind] = { tree: experiment[kind], children: childrenOf(experiment[kind]), open: new Set(), selected: 0 };

    // The nodes that a selection stands for.
    function chosen(kind) {
      const { tree, open, selected } = state[kind];
      return tree.map((_, i) => (open.has(selected) ? i === selected : within(tree, i, selected)));
    }
    // One value per node of a pane, exclusive: of the selection in the panes to its left.
    function valuesOf(kind) {
      const metric = kind === "metrics" ? null : chosen("metrics");
      const path = kind === "system" ? chosen("paths") : null;
      const own = new Array(state[kind].tree.length).fill(0);
      experiment.values.forEach((rows, m) => {
        if (metric && !metric[m]) return;
        for (const [p, ...row] of rows) {
          if (path && !path[p]) continue;
          row.forEach((value, location) => {
            own[kind === "metrics" ? m : kind === "paths" ? p : experiment.places[location]] += value;
          });
        }
      });
      return own;
    }
    function line(kind, node, depth, own, all, whole) {
      const pane = state[kind];
      const open = pane.open.has(node);
      const leaf = pane.children[node].length === 0;
      const value = open ? own[node] : all[node];
      const element = document.createElement("div");
      element.className = "node" + (node === pane.selected ? " selected" : "");
      element.style.paddingLeft = depth + "em";
      element.dataset.kind = kind;
      element.dataset.node = node;
      const toggle = document.createElement("span");
      toggle.className = "toggle";
      toggle.textContent = leaf ? "" : open ? "▾" : "▸";
      toggle.addEventListener("click", event => {
        event.stopPropagation();
        if (open) pane.open.delete(node); else pane.open.add(node);
        draw();
      });
      const number = document.createElement("span");
      number.className = "value";
      number.textContent = shown(value);
      number.style.setProperty("--part", (whole > 0 ? 100 * Math.max(value, 0) / whole : 0) + "%");
      const name = document.createElement("span");
      name.textContent = pane.tree[node].name + (pane.tree[node].unit ? " [" + pane.tree[node].unit + "]" : "");
      name.title = pane.tree[node].description || "";
      element.append(toggle, number, name);
      element.addEventListener("click", () => { pane.selected = node; draw(); });
      return element;
    }
    function drawPane(kind) {
      const pane = state[kind];
      const own = valuesOf(kind);
      const all = summedUp(pane.tree, own);
      const element = document.createElement("div");
      element.className = "pane";
      element.id = "pane-" + kind;
      const title = document.createElement("h3");
      title.textContent = titles[kind];
      element.append(title);
      const add = (node, depth, whole) => {
        element.append(line(kind, node, depth, own, all, whole));
        if (pane.open.has(node)) for (const child of pane.children[node]) add(child, depth + 1, whole);
      };
      const total = pane.tree.reduce((sum, node, i) => sum + (node.parent < 0 ? all[i] : 0), 0);
      pane.tree.forEach((node, i) => { if (node.parent < 0) add(i, 0, kind === "metrics" ? all[i] : total); });
      return element;
    }
    function draw() {
      const scrolled = kinds.map(kind => (document.getElementById("pane-" + kind) || {}).scrollTop || 0);
      root.querySelectorAll(".pane").forEach(pane => pane.remove());
      for (const kind of kinds) root.append(drawPane(kind));
      kinds.forEach((kind, i) => { document.getElementById("pane-" + kind).scrollTop = scrolled[i]; });
    }
    this.draw = draw;
  }

  const browsers = experiments.map(each => (each.values ? new Browser(each) : null));
  const choice = document.createElement("select");
  choice.id = "experiment";
  experiments.forEach((each, i) => {
    const option = document.createElement("option");
    option.value = i;
    option.textContent = each.name + (each.values ? "" : ": " + each.count + " values are too many for this page");
    option.disabled = !each.values;
    choice.append(option);
  });
  choice.addEventListener("change", () => browsers[choice.value].draw());
  root.append(choice);
  const first = browsers.findIndex(each => each !== null);
  if (first >= 0) {
    choice.value = first;
    browsers[first].draw();
  }
})();
