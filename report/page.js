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

  // Parents stand before their children, so that one backward pass folds a tree.
  function folded(tree, own, fold) {
    const all = own.slice();
    for (let i = tree.length - 1; i > 0; --i)
      if (tree[i].parent >= 0) all[tree[i].parent] = fold(all[tree[i].parent], all[i]);
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
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (value === 0 || (Number.isInteger(value) && size < 1e4)) return String(value);
    const prefixes = ["a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
    const power = Number(size.toExponential(3).split("e")[1]);
    const place = Math.min(Math.max(Math.floor(power / 3), -6), 6);
    const digits = Math.max(0, Math.min(4, 3 - (power - 3 * place)));
    return ((value / 10 ** (3 * place)).toFixed(digits) + " " + prefixes[place + 6]).trim();
  }
  // Seconds as people write them: 914.0 ms, 12.50 s.
  function inUnit(value, unit) {
    const text = shown(value);
    if (unit !== "sec" || !Number.isFinite(value) || value === 0) return text;
    const power = Number(Math.abs(value).toExponential(3).split("e")[1]);
    if (power >= 0) return value.toFixed(Math.max(0, 3 - power)) + " s";
    return text + (text.includes(" ") ? "s" : " s");
  }
  let searched = "";

  function Browser(experiment) {
    const kinds = ["metrics", "paths", "system"];
    const titles = { metrics: "Metric", paths: "Call path", system: "System" };
    const state = {};
    for (const kind of kinds)
      state[kind] = { tree: experiment[kind], children: childrenOf(experiment[kind]), open: new Set(), selected: 0 };

    const metrics = experiment.metrics;
    const nothing = (one, other) => NaN;
    const known = choose => (one, other) => Number.isNaN(one) ? other : Number.isNaN(other) ? one : choose(one, other);
    // How values of parts make that of the whole, beginning with what nothing is.
    const ways = {
      sum: { fold: (one, other) => one + other, start: 0 },
      minimum: { fold: known(Math.min), start: NaN },
      maximum: { fold: known(Math.max), start: NaN },
      none: { fold: nothing, start: NaN },
    };
    // A metric with those below it that are added up to it.
    const partsOf = metric => metrics[metric].way !== "sum" ? [metric]
        : metrics.map((_, i) => i).filter(i => metrics[i].way === "sum" && within(metrics, i, metric));
    // Numbers, metrics and signs, as they come onto a stack and take from it.
    function evaluated(formula, valueOf) {
      const stack = [];
      for (const step of formula) {
        if (typeof step === "number") stack.push(step);
        else if (step.metric !== undefined) stack.push(valueOf(step.metric));
        else if (step === "negate") stack.push(-stack.pop());
        else {
          const right = stack.pop(), left = stack.pop();
          stack.push(step === "+" ? left + right : step === "-" ? left - right : step === "*" ? left * right : left / right);
        }
      }
      return stack.pop();
    }
    // Of each node of a pane what it has alone, and with everything below it. `path`: which call paths count.
    function valuesOf(kind, metric, path, alone) {
      const { way, formula } = metrics[metric];
      const tree = state[kind].tree;
      if (way === "formula") {
        const terms = new Map(formula.filter(step => step.metric !== undefined)
            .map(step => [step.metric, valuesOf(kind, step.metric, path, false)]));
        const every = which => tree.map((_, i) => evaluated(formula, term => terms.get(term)[which][i]));
        return { own: every("own"), all: every("all") };
      }
      const { fold, start } = ways[way];
      const own = new Array(tree.length).fill(start);
      for (const part of alone ? [metric] : partsOf(metric))
        for (const [p, ...cells] of experiment.values[part]) {
          if (path && !path[p]) continue;
          for (let i = 0; i < cells.length; i += 2) {
            const node = kind === "paths" ? p : experiment.places[cells[i]];
            own[node] = fold(own[node], cells[i + 1]);
          }
        }
      return { own, all: folded(tree, own, fold) };
    }
    // Of the whole run.
    function valuesOfMetrics() {
      const roots = state.paths.tree.map((_, i) => i).filter(i => state.paths.tree[i].parent < 0);
      const whole = (metric, alone) => {
        const { way, formula } = metrics[metric];
        if (way === "formula") return evaluated(formula, term => whole(term, false));
        const { all } = valuesOf("paths", metric, null, alone);
        return roots.reduce((value, root) => ways[way].fold(value, all[root]), ways[way].start);
      };
      return { own: metrics.map((_, i) => whole(i, true)), all: metrics.map((_, i) => whole(i, false)) };
    }
    // The nodes that a selection stands for.
    function chosen(kind) {
      const { tree, open, selected } = state[kind];
      return tree.map((_, i) => (open.has(selected) ? i === selected : within(tree, i, selected)));
    }
    // The values of a pane: of the selection in the panes to its left.
    function shownIn(kind) {
      if (kind === "metrics") return valuesOfMetrics();
      const { selected, open } = state.metrics;
      return valuesOf(kind, selected, kind === "system" ? chosen("paths") : null, open.has(selected));
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
      number.textContent = inUnit(value, metrics[kind === "metrics" ? node : state.metrics.selected].unit);
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
      const { own, all } = shownIn(kind);
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
        if (pane.open.has(node))
          for (const child of pane.children[node]) if (!pane.tree[child].hidden) add(child, depth + 1, whole);
      };
      const roots = pane.tree.map((_, i) => i).filter(i => pane.tree[i].parent < 0);
      const isSum = metrics[state.metrics.selected].way === "sum";
      const total = isSum ? roots.reduce((sum, root) => sum + all[root], 0)
                          : all.reduce((most, value) => Number.isFinite(value) ? Math.max(most, value) : most, 0);
      roots.forEach(root => { if (!pane.tree[root].hidden) add(root, 0, kind === "metrics" ? all[root] : total); });
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
    option.textContent = each.name + (each.values ? "" : ": too many values for this page") + (each.sums ? ": " + each.sums : "");
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
