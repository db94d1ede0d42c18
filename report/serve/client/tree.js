// SPDX-License-Identifier: BSD-3-Clause
// A tree of any size: only rows in sight are elements, and only what was opened is asked for.

import { percent, shown } from "./numbers.js";

/** @typedef {import("./api.js").Row} Row */
/** @typedef {import("./api.js").Rows} Rows */

/** How many rows below a node are asked for at a time, and for how many nodes. */
const part = 100;
const nodesAtOnce = 100;

/**
 * A node that was loaded. The first `children` of its `total` are known.
 * @typedef {{ row: Row, depth: number, parent: Branch | null, open: boolean, children: Branch[], total: number,
 *             place: number }} Branch
 */
/** @typedef {{ branch: Branch | null, more: Branch | null, depth: number }} Line  A node, or the rest of one. */

export class Tree {
  /**
   * @param {HTMLElement} element
   * @param {(nodes: string, from: number, count: number) => Promise<Rows[]>} load
   * @param {(row: Row, open: boolean) => void} selected  called when another node is selected, or the selected one folded
   */
  constructor(element, load, selected) {
    this.element = element;
    this.load = load;
    this.selected = selected;
    /** @type {Branch} */
    this.top = { row: { node: -1, name: "", children: 0, inclusive: null, exclusive: null }, depth: -1, parent: null, open: true,
      children: [], total: 0, place: 0 };
    /** @type {Map<number, Branch>} */
    this.branches = new Map();
    /** @type {Line[]} */
    this.lines = [];
    /** @type {number | null} */
    this.selection = null;
    this.active = 0;
    this.percent = false;
    /** @type {Set<number>} */
    this.found = new Set();
    this.asked = 0;
    /** What was open and selected before another tree is there. @type {{ open: OpenNames, path: string[] } | undefined} */
    this.kept = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
    /** The value that 100 percent stand for. @type {(branch: Branch) => number | null} */
    this.whole = () => this.total();

    element.setAttribute("role", "tree");
    element.tabIndex = 0;
    this.space = document.createElement("div");
    this.space.setAttribute("role", "presentation");
    element.append(this.space);
    element.addEventListener("scroll", () => this.draw());
    element.addEventListener("click", event => this.clicked(event));
    element.addEventListener("keydown", event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (this.pressed(event.key)) event.preventDefault();
    });
    new ResizeObserver(() => this.draw()).observe(element);
  }

  /** The value of all roots together. @returns {number | null} */
  total() {
    const values = this.top.children.map(each => each.row.inclusive).filter(value => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + Math.abs(value), 0);
  }

  /** Begins anew: another tree. */
  async begin() {
    this.top.children = [];
    this.branches.clear();
    this.selection = null;
    this.active = 0;
    this.lines = [];
    await this.refresh();
  }

  /** Another tree, in which stays open what was open, and selected what was selected, as far as it is there. */
  async again() {
    // What was left unfinished for a newer view is to come back in that one.
    const { open, path } = this.kept ??= { open: this.openBelow(this.top), path: this.pathOf(this.selection) };
    await this.begin();
    await this.openAgain(this.top, open);
    this.kept = undefined;
    /** @type {Branch | undefined} */
    let at = this.top;
    for (const name of path) at = at && this.named(at).get(name);
    this.selection = at && at !== this.top ? at.row.node : null;
    this.layOut();
  }

  /** What is below a branch by name; twins have numbers. @param {Branch} branch @returns {Map<string, Branch>} */
  named(branch) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    return new Map(branch.children.map(child => {
      const count = (counts.get(child.row.name) ?? 0) + 1;
      counts.set(child.row.name, count);
      return [child.row.name + "\0" + count, child];
    }));
  }

  /** @typedef {Map<string, OpenNames>} OpenNames */
  /** @param {Branch} branch @returns {OpenNames} */
  openBelow(branch) {
    /** @type {OpenNames} */
    const open = new Map();
    for (const [name, child] of this.named(branch)) if (child.open) open.set(name, this.openBelow(child));
    return open;
  }

  /** @param {number | null} node @returns {string[]} */
  pathOf(node) {
    const path = [];
    for (let at = node === null ? undefined : this.branches.get(node); at && at.parent; at = at.parent)
      for (const [name, child] of this.named(at.parent)) if (child === at) path.unshift(name);
    return path;
  }

  /** @param {Branch} branch @param {OpenNames} open */
  async openAgain(branch, open) {
    for (const [name, child] of this.named(branch)) {
      const below = open.get(name);
      if (!below || child.row.children === 0) continue;
      await this.loadMore(child);
      child.open = true;
      await this.openAgain(child, below);
    }
  }

  /** Asks for the values of all that was loaded. */
  async refresh() {
    const now = ++this.asked;
    this.element.setAttribute("aria-busy", "true");
    const open = [this.top, ...this.branches.values()].filter(each => each.open);
    const first = open.filter(each => each.children.length <= part);
    const long = open.filter(each => each.children.length > part);
    const questions = [];
    for (let at = 0; at < first.length; at += nodesAtOnce) {
      const names = first.slice(at, at + nodesAtOnce).map(each => this.nameOf(each)).join(",");
      questions.push(this.load(names, 0, part));
    }
    for (const each of long)
      for (let from = 0; from < each.children.length; from += part) questions.push(this.load(this.nameOf(each), from, part));
    const answers = await Promise.all(questions);
    if (now !== this.asked) return;
    for (const answer of answers.flat()) this.take(answer);
    this.element.setAttribute("aria-busy", "false");
    this.layOut();
  }

  /** @param {Branch} branch */
  nameOf(branch) { return branch === this.top ? "roots" : String(branch.row.node); }

  /** @param {Rows} rows */
  take(rows) {
    const above = rows.node === null ? this.top : this.branches.get(rows.node);
    if (!above) return;
    above.total = rows.total;
    if (rows.pending && this.later === undefined)
      this.later = setTimeout(() => {
        this.later = undefined;
        void this.refresh();
      }, 700);
    for (const row of rows.rows) {
      const known = this.branches.get(row.node);
      if (known) {
        known.row = row;
        continue;
      }
      /** @type {Branch} */
      const branch = { row, depth: above.depth + 1, parent: above, open: false, children: [], total: row.children,
        place: above.children.length };
      this.branches.set(row.node, branch);
      above.children.push(branch);
    }
  }

  layOut() {
    /** @type {Line[]} */
    const lines = [];
    /** @type {(branch: Branch) => void} */
    const add = branch => {
      for (const child of branch.children) {
        lines.push({ branch: child, more: null, depth: child.depth });
        if (child.open) add(child);
      }
      if (branch.children.length < branch.total) lines.push({ branch: null, more: branch, depth: branch.depth + 1 });
    };
    add(this.top);
    this.lines = lines;
    if (this.selection !== null) {
      const at = lines.findIndex(line => line.branch?.row.node === this.selection);
      if (at >= 0) this.active = at;
    }
    this.active = Math.max(0, Math.min(this.active, lines.length - 1));
    this.draw();
  }

  rowHeight() {
    return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) *
        parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  draw() {
    const height = this.rowHeight();
    this.space.style.height = this.lines.length * height + "px";
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 2);
    const last = Math.min(this.lines.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + 2);
    const elements = [];
    for (let at = first; at < last; ++at) {
      const element = this.elementOf(this.lines[at], at);
      element.style.transform = `translateY(${at * height}px)`;
      elements.push(element);
    }
    this.space.replaceChildren(...elements);
    if (first <= this.active && this.active < last)
      this.element.setAttribute("aria-activedescendant", this.element.id + "-" + this.active);
    else
      this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {Line} line @param {number} at */
  elementOf(line, at) {
    const element = document.createElement("div");
    element.className = "row" + (at === this.active ? " active" : "");
    element.id = this.element.id + "-" + at;
    element.dataset.at = String(at);
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", String(line.depth + 1));
    element.style.paddingLeft = line.depth * 0.9 + 0.3 + "rem";
    const fold = document.createElement("span");
    fold.className = "fold";
    const value = document.createElement("span");
    value.className = "value";
    const name = document.createElement("span");
    name.className = "name";
    element.append(fold, value, name);
    if (!line.branch) {
      name.textContent = `… ${/** @type {Branch} */ (line.more).total - /** @type {Branch} */ (line.more).children.length} more`;
      element.setAttribute("aria-selected", "false");
      return element;
    }
    const { row, open, parent, place } = line.branch;
    if (row.children > 0) {
      fold.textContent = open ? "▾" : "▸";
      element.setAttribute("aria-expanded", String(open));
    }
    element.dataset.node = String(row.node);
    element.setAttribute("aria-selected", String(row.node === this.selection));
    element.setAttribute("aria-setsize", String(parent ? parent.total : 1));
    element.setAttribute("aria-posinset", String(place + 1));
    if (this.found.has(row.node)) element.classList.add("found");
    const number = open ? row.exclusive : row.inclusive;
    const whole = this.whole(line.branch);
    const isBlank = open && row.exclusive === null && row.inclusive !== null;
    value.textContent = isBlank ? "" : this.percent ? percent(number, whole) : shown(number);
    if (number !== null && whole) value.style.setProperty("--share", Math.min(100, Math.abs(100 * number / whole)) + "%");
    name.textContent = row.name + (row.unit ? ` [${row.unit}]` : "");
    name.title = row.name;
    element.setAttribute("aria-label", `${row.name}, ${value.textContent || "no value of its own"}`);
    return element;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    // What was pressed may have been drawn anew before it was released.
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const element = /** @type {HTMLElement | null | undefined} */ (target?.closest(".row"));
    if (!target || !element) return;
    this.active = Number(element.dataset.at);
    const line = this.lines[this.active];
    if (target.classList.contains("fold") && line.branch?.row.children) this.fold(line.branch, !line.branch.open);
    else this.choose();
  }

  /** Selects the active line, or loads what it stands for. */
  choose() {
    const line = this.lines[this.active];
    if (!line) return;
    if (line.more) {
      void this.loadMore(line.more).then(() => this.layOut());
      return;
    }
    const branch = /** @type {Branch} */ (line.branch);
    if (branch.row.node !== this.selection) {
      this.selection = branch.row.node;
      this.selected(branch.row, branch.open);
    }
    this.draw();
  }

  /** @param {Branch} branch */
  async loadMore(branch) {
    for (const answer of await this.load(this.nameOf(branch), branch.children.length, part)) this.take(answer);
  }

  /** @param {Branch} branch @param {boolean} open */
  async fold(branch, open) {
    if (branch.row.children === 0 || branch.open === open) return;
    if (open && branch.children.length === 0) await this.loadMore(branch);
    branch.open = open;
    this.layOut();
    if (branch.row.node === this.selection) this.selected(branch.row, open);
  }

  /** What keys mean in a tree. @param {string} key @returns {boolean} */
  pressed(key) {
    const line = this.lines[this.active];
    if (!line) return false;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight()) - 1);
    const branch = line.branch;
    if (key === "ArrowDown") return this.go(this.active + 1);
    if (key === "ArrowUp") return this.go(this.active - 1);
    if (key === "PageDown") return this.go(this.active + page);
    if (key === "PageUp") return this.go(this.active - page);
    if (key === "Home") return this.go(0);
    if (key === "End") return this.go(this.lines.length - 1);
    if (key === "Enter" || key === " ") this.choose();
    else if (key === "ArrowRight" && branch && branch.row.children > 0) {
      if (branch.open) return this.go(this.active + 1);
      void this.fold(branch, true);
    } else if (key === "ArrowLeft" && branch) {
      if (branch.open) void this.fold(branch, false);
      else if (branch.parent && branch.parent !== this.top)
        return this.go(this.lines.findIndex(each => each.branch === branch.parent));
    } else return false;
    return true;
  }

  /** Makes a line the active one and selects it. @param {number} at */
  go(at) {
    this.active = Math.max(0, Math.min(at, this.lines.length - 1));
    this.show();
    if (this.lines[this.active]?.branch) this.choose();
    return true;
  }

  /** Scrolls to the active line. */
  show() {
    const height = this.rowHeight(), top = this.active * height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + height > this.element.scrollTop + this.element.clientHeight)
      this.element.scrollTop = top + height - this.element.clientHeight;
    this.draw();
  }

  /**
   * Opens everything down to a node.
   * @param {number} node
   * @param {number[]} above  from the root downwards
   */
  async reveal(node, above) {
    for (const each of [...above, node]) {
      const branch = this.branches.get(each);
      const parent = above.indexOf(each) === 0 || above.length === 0 ? this.top
          : this.branches.get(above[(above.indexOf(each) < 0 ? above.length : above.indexOf(each)) - 1]);
      if (!branch && parent)
        while (!this.branches.has(each) && parent.children.length < parent.total) {
          const before = parent.children.length;
          await this.loadMore(parent);
          if (parent.children.length === before) break;
        }
      const found = this.branches.get(each);
      if (!found) return;
      if (each !== node && !found.open) {
        if (found.children.length === 0) await this.loadMore(found);
        found.open = true;
        if (found.row.node === this.selection) this.selected(found.row, true);
      }
    }
    this.layOut();
  }

  /** Selects a node that is in sight after `reveal`. @param {number} node */
  select(node) {
    const at = this.lines.findIndex(line => line.branch?.row.node === node);
    if (at >= 0) this.go(at);
  }
}
