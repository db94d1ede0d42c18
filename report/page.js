// SPDX-License-Identifier: BSD-3-Clause
// Tables that sort and fold, and the three panes: metric, call path, system. Values are exclusive along all three trees; a closed node stands
// for everything below it, an open one for itself, and a selection in a pane restricts the panes to its right.
"use strict";
// A row that has deeper rows behind it folds them. A heading sorts its column among rows that stand below the same one:
// the largest first, then the smallest, then as it was. The first column has names.
document.querySelectorAll("table.numbers").forEach(table => {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const top = { depth: -1, children: [], folded: false };
  const above = [top];
  for (const row of body.rows) {
    const name = row.cells[0];
    const node = { row, depth: Number(name.style.getPropertyValue("--depth")), children: [], folded: false };
    while (above.at(-1).depth >= node.depth) above.pop();
    above.at(-1).children.push(node);
    above.push(node);
  }
  function show(node, visible) {
    for (const child of node.children) {
      child.row.hidden = !visible;
      show(child, visible && !child.folded);
    }
  }
  function addFold(node) {
    for (const child of node.children) addFold(child);
    if (node === top || node.children.length === 0) return;
    const fold = document.createElement("button");
    fold.className = "fold";
    fold.setAttribute("aria-label", "What " + node.row.cells[0].textContent + " consists of");
    fold.setAttribute("aria-expanded", true);
    fold.addEventListener("click", () => {
      node.folded = !node.folded;
      fold.setAttribute("aria-expanded", !node.folded);
      show(node, !node.folded);
    });
    node.row.cells[0].prepend(fold);
  }
  addFold(top);

  const valueOf = (row, column) => column === 0 ? row.cells[0].textContent : Number(row.cells[column].dataset.value);
  function compare(column) {
    if (column === 0) return (one, other) => valueOf(other, 0).localeCompare(valueOf(one, 0));
    const missing = row => Number.isNaN(valueOf(row, column));
    return (one, other) => missing(one) || missing(other) ? missing(one) - missing(other)
                                                          : valueOf(other, column) - valueOf(one, column);
  }
  function append(node, order) {
    for (const child of order(node.children)) {
      body.append(child.row);
      append(child, order);
    }
  }
  headings.forEach((heading, column) => {
    heading.tabIndex = 0;
    const inRows = (one, other) => compare(column)(one.row, other.row);
    const orders = {
      descending: nodes => [...nodes].sort(inRows),
      ascending: nodes => [...nodes].sort(inRows).reverse(),
    };
    const sort = () => {
      const before = heading.getAttribute("aria-sort");
      const now = before === null ? "descending" : before === "descending" ? "ascending" : null;
      headings.forEach(each => each.removeAttribute("aria-sort"));
      if (now) heading.setAttribute("aria-sort", now);
      append(top, now ? orders[now] : nodes => nodes);
    };
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  });
});
(function () {
  if (!document.getElementById("data")) return;
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
  // Four digits and a prefix; small whole numbers as they are.
  function shown(value) {
    const size = Math.abs(value);
    if (value === 0 || (Number.isInteger(value) && size < 1e4)) return String(value);
    const prefixes = ["a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
    const power = Number(size.toExponential(3).split("e")[1]);
    const place = Math.min(Math.max(Math.floor(power / 3), -6), 6);
    const digits = Math.max(0, Math.min(4, 3 - (power - 3 * place)));
    return ((value / 10 ** (3 * place)).toFixed(digits) + " " + prefixes[place + 6]).trim();
  }
  let searched = "";

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
      const found = searched !== "" && pane.tree[node].name.toLowerCase().includes(searched);
      element.className = "node" + (node === pane.selected ? " selected" : "") + (found ? " found" : "");
      element.setAttribute("role", "treeitem");
      element.setAttribute("aria-level", depth + 1);
      element.setAttribute("aria-selected", node === pane.selected);
      if (!leaf) element.setAttribute("aria-expanded", open);
      element.tabIndex = node === pane.selected ? 0 : -1;
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
      element.addEventListener("keydown", event => {
        if (press(pane, kind, node, event.key)) event.preventDefault();
      });
      return element;
    }
    // Up, down, to the caller, open and close. True where the key means something.
    function press(pane, kind, node, key) {
      const rows = [...document.querySelectorAll("#pane-" + kind + " .node")].map(each => Number(each.dataset.node));
      const at = rows.indexOf(node);
      if (key === "ArrowDown" && at + 1 < rows.length) pane.selected = rows[at + 1];
      else if (key === "ArrowUp" && at > 0) pane.selected = rows[at - 1];
      else if (key === "ArrowRight" && pane.children[node].length > 0) pane.open.add(node);
      else if (key === "ArrowLeft" && pane.open.has(node)) pane.open.delete(node);
      else if (key === "ArrowLeft" && pane.tree[node].parent >= 0) pane.selected = pane.tree[node].parent;
      else return false;
      draw();
      document.querySelector("#pane-" + kind + " .selected").focus();
      return true;
    }
    // Opens all trees down to what has this text in its name.
    function find() {
      if (searched === "") return draw();
      for (const pane of Object.values(state))
        pane.tree.forEach(node => {
          if (!node.name.toLowerCase().includes(searched)) return;
          for (let up = node.parent; up >= 0; up = pane.tree[up].parent) pane.open.add(up);
        });
      draw();
    }
    function drawPane(kind) {
      const pane = state[kind];
      const own = valuesOf(kind);
      const all = summedUp(pane.tree, own);
      const element = document.createElement("div");
      element.className = "pane";
      element.id = "pane-" + kind;
      element.setAttribute("role", "tree");
      element.setAttribute("aria-label", titles[kind]);
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
    this.find = find;
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
  choice.setAttribute("aria-label", "Experiment");
  choice.addEventListener("change", () => browsers[choice.value].draw());
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "Find";
  search.setAttribute("aria-label", "Find in all panes");
  search.addEventListener("input", () => {
    searched = search.value.trim().toLowerCase();
    if (browsers[choice.value]) browsers[choice.value].find();
  });
  root.append(choice, search);
  const first = browsers.findIndex(each => each !== null);
  if (first >= 0) {
    choice.value = first;
    browsers[first].draw();
  }
})();
