// SPDX-License-Identifier: BSD-3-Clause
// A tree of any size: only rows in sight are elements, and only what was opened is asked for.

import { Branches } from "./branches.js";
import { percent, shown } from "./numbers.js";

/** @typedef {import("./source.js").Row} Row */
/** @typedef {import("./branches.js").Branch} Branch */
/** @typedef {{ branch: Branch | null, more: Branch | null, depth: number }} Line  A node, or the rest of one. */
/** @typedef {{ node: number, above: number[], key: string, name: string, region?: string, kind?: string }} Place  A node, and those above it. */

export class Tree {
  /**
   * @param {HTMLElement} element
   * @param {import("./branches.js").Load} load
   * @param {(row: Row) => void} selected  called when another node is selected, or the selected one folded
   */
  constructor(element, load, selected) {
    this.element = element;
    this.load = load;
    this.selected = selected;
    this.branches = this.noBranches();
    /** What takes the place of the branches when it is loaded. @type {Branches | undefined} */
    this.next = undefined;
    /** Whether another view takes the place of this one: what is done here is done there, and nothing more is asked. */
    this.isLeft = false;
    /** @type {Line[]} */
    this.lines = [];
    /** The elements of the lines in sight. They stay: a click is lost where its element is another one when it ends.
     * @type {HTMLElement[]} */
    this.elements = [];
    /** @type {number | null} */
    this.selection = null;
    /** What was selected when another view was asked for. @type {number | null} */
    this.selectionOfAddress = null;
    /** The selected node as the address has it. */
    this.key = "";
    this.active = 0;
    /** What the mouse was pressed on. @type {Line | undefined} */
    this.pressedLine = undefined;
    this.percent = false;
    /** @type {Set<number>} */
    this.found = new Set();
    this.asked = 0;
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
    element.addEventListener("mousedown", event => { this.pressedLine = this.lineOf(event); });
    element.addEventListener("click", event => this.clicked(event));
    element.addEventListener("keydown", event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (this.pressed(event.key)) event.preventDefault();
    });
    new ResizeObserver(() => this.draw()).observe(element);
  }

  noBranches() { return new Branches(this.load, () => this.refreshLater()); }

  /** The selected branch, where it is loaded. @returns {Branch | undefined} */
  get chosen() { return this.selection === null ? undefined : this.branches.byNode.get(this.selection); }

  /** The value of all roots together. @returns {number | null} */
  total() {
    const values = this.branches.top.children.map(each => each.row.inclusive).filter(value => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + Math.abs(value), 0);
  }

  /** What is here now is of another view than the one that is asked for. */
  leave() {
    if (!this.isLeft) this.selectionOfAddress = this.selection;
    this.isLeft = true;
    this.element.setAttribute("aria-busy", "true");
  }

  /**
   * Loads another tree, in which is open what is open in this one, and shows it when it is complete. What is done in this one
   * meanwhile is done in that one, too.
   * @param {Place | undefined} place  what is to be selected
   */
  async again(place) {
    const next = this.next = this.noBranches();
    let asked = this.asked;
    await next.loadFirst([next.top]);
    await next.openLike(this.branches);
    if (place && place.key !== this.key) await next.reveal(place.node, place.above);
    while (asked !== this.asked) {
      asked = this.asked;
      (await next.anew()).forEach(rows => next.take(rows));
    }
    const chosen = this.selection === this.selectionOfAddress ? undefined : this.chosen;
    this.selection = chosen ? next.at(this.branches.pathOf(chosen))?.row.node ?? null : place?.node ?? null;
    this.key = place?.key ?? "";
    this.branches = next;
    this.next = undefined;
    this.isLeft = false;
    this.element.setAttribute("aria-busy", "false");
    this.layOut();
    if (chosen) this.tellSelection();
  }

  /** Asks for the values of all that was loaded. */
  async refresh() {
    const now = ++this.asked;
    if (this.isLeft) return;
    this.element.setAttribute("aria-busy", "true");
    const branches = this.branches;
    const answers = await branches.anew();
    if (now !== this.asked || branches !== this.branches) return;
    for (const rows of answers) branches.take(rows);
    this.element.setAttribute("aria-busy", String(this.isLeft));
    this.layOut();
  }

  refreshLater() {
    this.later ??= setTimeout(() => {
      this.later = undefined;
      void this.refresh();
    }, 700);
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
    add(this.branches.top);
    this.lines = lines;
    if (this.selection !== null) {
      const at = lines.findIndex(line => line.branch?.row.node === this.selection);
      if (at >= 0) this.active = at;
    }
    this.active = Math.max(0, Math.min(this.active, lines.length - 1));
    this.draw();
  }

  rowHeight() {
    return parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) *
        parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  draw() {
    const height = this.rowHeight();
    this.space.style.height = this.lines.length * height + "px";
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 2);
    const last = Math.min(this.lines.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + 2);
    while (this.elements.length > last - first) /** @type {HTMLElement} */ (this.elements.pop()).remove();
    while (this.elements.length < last - first) {
      this.elements.push(newRow());
      this.space.append(this.elements[this.elements.length - 1]);
    }
    this.elements.forEach((element, place) => {
      this.fill(element, this.lines[first + place], first + place);
      element.style.transform = `translateY(${(first + place) * height}px)`;
    });
    if (first <= this.active && this.active < last)
      this.element.setAttribute("aria-activedescendant", this.element.id + "-" + this.active);
    else
      this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {HTMLElement} element  of newRow() @param {Line} line @param {number} at */
  fill(element, line, at) {
    const [fold, value, name] = /** @type {HTMLElement[]} */ ([...element.children]);
    const { row, open, parent, place } = line.branch ?? noBranch;
    const isFolder = line.branch !== null && row.children > 0;
    element.className = "row" + (at === this.active ? " active" : "") + (line.branch && this.found.has(row.node) ? " found" : "");
    element.id = this.element.id + "-" + at;
    element.dataset.at = String(at);
    element.style.paddingLeft = line.depth * 0.9 + 0.3 + "rem";
    fold.textContent = !isFolder ? "" : open ? "▾" : "▸";
    const number = open ? row.exclusive : row.inclusive, whole = line.branch ? this.whole(line.branch) : null;
    const isBlank = !line.branch || open && row.exclusive === null && row.inclusive !== null;
    value.textContent = isBlank ? "" : this.percent ? percent(number, whole) : shown(number, row.unit);
    value.style.setProperty("--share", number === null || !whole ? "0%" : Math.min(100, Math.abs(100 * number / whole)) + "%");
    name.textContent = line.more ? `… ${line.more.total - line.more.children.length} more` : row.name;
    name.title = row.name;
    const attributes = {
      "aria-level": String(line.depth + 1),
      "aria-selected": String(line.branch !== null && row.node === this.selection),
      "aria-expanded": isFolder ? String(open) : null,
      "aria-setsize": line.branch ? String(parent ? parent.total : 1) : null,
      "aria-posinset": line.branch ? String(place + 1) : null,
      "aria-label": line.branch ? `${row.name}, ${value.textContent || "no value of its own"}` : null,
    };
    for (const [attribute, text] of Object.entries(attributes))
      if (text === null) element.removeAttribute(attribute);
      else if (element.getAttribute(attribute) !== text) element.setAttribute(attribute, text);
  }

  /** @param {Event} event @returns {Line | undefined} */
  lineOf(event) {
    const element = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest(".row"));
    return element ? this.lines[Number(element.dataset.at)] : undefined;
  }

  /** What was pressed counts: rows may have moved before it was released. @param {MouseEvent} event */
  clicked(event) {
    const pressed = this.pressedLine ?? this.lineOf(event);
    this.pressedLine = undefined;
    const at = this.lines.findIndex(line => pressed?.branch ? line.branch?.row.node === pressed.branch.row.node
        : line.more !== null && line.more === pressed?.more);
    if (at < 0) return;
    this.active = at;
    const { branch } = this.lines[at];
    if (/** @type {HTMLElement} */ (event.target).classList.contains("fold") && branch?.row.children) void this.fold(branch, !branch.open);
    else this.choose();
  }

  /** Selects the active line, or loads what it stands for. */
  choose() {
    const line = this.lines[this.active];
    if (!line) return;
    if (line.more) {
      if (!this.isLeft) void this.branches.loadMore(line.more).then(() => this.layOut());
      return;
    }
    const branch = /** @type {Branch} */ (line.branch);
    if (branch.row.node !== this.selection) {
      this.selection = branch.row.node;
      this.tellSelection();
    }
    this.draw();
  }

  /** Tells others of the selected node, unless this is to be done when another view is there. */
  tellSelection() {
    if (!this.isLeft && this.chosen) this.selected(this.chosen.row);
  }

  /** @param {Branch} branch @param {boolean} open */
  async fold(branch, open) {
    if (branch.row.children === 0 || branch.open === open) return;
    branch.open = open;
    const also = this.next?.at(this.branches.pathOf(branch));
    if (also) also.open = open;
    this.layOut();
    if (branch.row.node === this.selection) this.tellSelection();
    if (!open) return;
    if (also && also.children.length === 0) await this.next?.loadFirst([also]);
    if (!this.isLeft && branch.children.length === 0) await this.branches.loadFirst([branch]);
    this.layOut();
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
      else if (branch.parent && branch.parent !== this.branches.top)
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
  show() { this.showLine(this.active); }

  /** Scrolls to the first line of one of these nodes. @param {Set<number>} nodes */
  showFirst(nodes) {
    const at = this.lines.findIndex(line => line.branch && nodes.has(line.branch.row.node));
    if (at >= 0) this.showLine(at);
  }

  /** @param {number} at */
  showLine(at) {
    const height = this.rowHeight(), top = at * height;
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
    if (this.isLeft) return;
    const wasOpen = this.chosen?.open;
    await this.branches.reveal(node, above);
    this.layOut();
    if (this.chosen?.open !== wasOpen) this.tellSelection();
  }

  /** Selects a node that is in sight after `reveal`. @param {number} node */
  select(node) {
    const at = this.lines.findIndex(line => line.branch?.row.node === node);
    if (at >= 0) this.go(at);
  }
}

/** What stands in the place of the branch of a line that has none. @type {Branch} */
const noBranch = { row: { node: -1, name: "", children: 0, inclusive: null, exclusive: null }, depth: 0, parent: null, open: false,
  children: [], total: 0, place: 0 };

/** An element of a line: fold, value and name. */
function newRow() {
  const element = document.createElement("div");
  element.setAttribute("role", "treeitem");
  for (const name of ["fold", "value", "name"]) {
    const part = document.createElement("span");
    part.className = name;
    element.append(part);
  }
  return element;
}
