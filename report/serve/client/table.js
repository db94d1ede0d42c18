// SPDX-License-Identifier: BSD-3-Clause
// Single calls, messages and waits: rows of holos query. Only those in sight are elements, and are asked for a window at a time.

import { shown } from "./numbers.js";

/** @typedef {{ name: string, meaning: string, number: boolean, unit: string }} Column */
/** @typedef {{ name: string, meaning: string, columns: Column[] }} Listed */

const part = 100;
const usualOrder = /** @type {Record<string, string>} */ ({ calls: "duration", messages: "late_sender", waits: "duration", readings: "" });

/** @param {string} name @param {string} text */
function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export class Table {
  /** @param {HTMLElement} panel @param {import("./source.js").Source} source */
  constructor(panel, source) {
    this.panel = panel;
    this.source = source;
    /** @type {Listed[]} */
    this.tables = [];
    this.experiment = "";
    this.words = "";
    this.name = "calls";
    this.order = "duration";
    this.leastFirst = false;
    this.filter = "";
    /** @type {string[]} */
    this.columns = [];
    /** By number; what is not there is not asked for yet. @type {Map<number, any[]>} */
    this.rows = new Map();
    /** @type {Set<number>} */
    this.windows = new Set();
    this.total = 0;
    this.active = 0;
    this.asked = 0;
    /** Called when the question is another one. */
    this.changed = () => {};

    const bar = element("div");
    bar.className = "bar";
    this.choice = /** @type {HTMLSelectElement} */ (element("select"));
    this.choice.setAttribute("aria-label", "Table");
    this.typed = /** @type {HTMLInputElement} */ (element("input"));
    this.typed.type = "search";
    this.typed.placeholder = "MPI_Send, duration > 1 ms";
    this.typed.setAttribute("aria-label", "Only rows with");
    this.told = element("output");
    this.told.setAttribute("aria-live", "polite");
    bar.append(this.choice, this.typed, this.told);
    this.box = element("div");
    this.box.className = "rows";
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "grid");
    this.head = element("div");
    this.head.className = "head";
    this.head.setAttribute("role", "row");
    this.space = element("div");
    this.space.className = "space";
    this.space.setAttribute("role", "presentation");
    this.box.append(this.head, this.space);
    panel.append(bar, this.box);

    this.choice.addEventListener("change", () => this.question({ name: this.choice.value, order: usualOrder[this.choice.value], leastFirst: false }));
    this.typed.addEventListener("change", () => this.question({ filter: this.typed.value }));
    this.box.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("keydown", event => { if (this.pressed(event.key)) event.preventDefault(); });
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  /** As the address has it: table, column, filter. */
  get link() { return [this.name, (this.leastFirst ? "-" : "") + this.order, this.filter].join(";"); }
  /** @param {string} words */
  set link(words) {
    if (words === "") return;
    const [name, order = "", ...filter] = words.split(";");
    this.name = name;
    this.leastFirst = order.startsWith("-");
    this.order = order.replace("-", "");
    this.typed.value = this.filter = filter.join(";");
  }

  /** @param {{ name?: string, order?: string, leastFirst?: boolean, filter?: string }} other */
  question(other) {
    Object.assign(this, other);
    this.changed();
    void this.ask();
  }

  /** @param {string} experiment @param {string} words  of the part of the run */
  async show(experiment, words) {
    if (experiment !== this.experiment) {
      this.tables = await this.source.ask("tables", { experiment });
      this.choice.replaceChildren(...this.tables.map(each => new Option(each.name)));
    }
    this.experiment = experiment;
    this.words = words;
    await this.ask();
  }

  async ask() {
    this.choice.value = this.name;
    this.choice.title = this.tables.find(each => each.name === this.name)?.meaning ?? "";
    ++this.asked;
    this.rows.clear();
    this.windows.clear();
    this.total = 0;
    this.active = 0;
    this.box.scrollTop = 0;
    this.told.textContent = "The trace is read …";
    await this.load(0);
  }

  /** @param {number} window  of so many rows, from 0 */
  async load(window) {
    if (this.windows.has(window)) return;
    this.windows.add(window);
    const now = this.asked;
    let answer;
    try {
      answer = await this.source.ask("table", { experiment: this.experiment, part: this.words, table: this.name, order: this.order,
        leastFirst: this.leastFirst ? 1 : 0, filter: this.filter, from: window * part, count: part });
    } catch (error) {
      if (now === this.asked && error instanceof Error) this.told.textContent = error.message;
      this.windows.delete(window);
      this.draw();
      return;
    }
    if (now !== this.asked) return;
    this.columns = answer.columns;
    this.total = answer.total;
    answer.rows.forEach((/** @type {any[]} */ row, /** @type {number} */ at) => this.rows.set(window * part + at, row));
    this.told.textContent = (answer.isAll ? (answer.total === 1 ? "1 row" : `${answer.total} rows`) : `the first ${answer.total} rows`) +
      (answer.damage.length > 0 ? `; not all could be read: ${answer.damage[0]}` : "");
    this.draw();
  }

  /** The buttons stay where the columns do, with what is pressed and what has the keyboard. @param {Map<string, Column>} kinds */
  drawHead(kinds) {
    const buttons = /** @type {HTMLElement[]} */ ([...this.head.children]);
    if (buttons.map(each => each.dataset.name).join() !== this.columns.join())
      this.head.replaceChildren(...this.columns.map(name => {
        const button = element("button");
        button.dataset.name = name;
        button.setAttribute("role", "columnheader");
        button.addEventListener("click", () => this.question({ order: name, leastFirst: name === this.order && !this.leastFirst }));
        return button;
      }));
    for (const button of /** @type {HTMLElement[]} */ ([...this.head.children])) {
      const name = button.dataset.name ?? "", isOrder = name === this.order;
      button.title = kinds.get(name)?.meaning ?? "";
      button.className = kinds.get(name)?.number ? "number" : "";
      button.textContent = name.replaceAll("_", " ") + (!isOrder ? "" : this.leastFirst ? " ▴" : " ▾");
      button.setAttribute("aria-sort", !isOrder ? "none" : this.leastFirst ? "ascending" : "descending");
    }
  }

  rowHeight() { return 1.75 * parseFloat(getComputedStyle(document.documentElement).fontSize); }

  draw() {
    if (this.panel.hidden) return;
    const listed = this.tables.find(each => each.name === this.name);
    const kinds = new Map((listed?.columns ?? []).map(each => [each.name, each]));
    const style = this.columns.map(each => kinds.get(each)?.number ? "minmax(6.5rem, 1fr)" : "minmax(9rem, 3fr)").join(" ");
    this.box.setAttribute("aria-rowcount", String(this.total + 1));
    this.head.style.gridTemplateColumns = style;
    this.drawHead(kinds);
    const height = this.rowHeight();
    this.space.style.height = this.total * height + "px";
    const first = Math.max(0, Math.floor(this.box.scrollTop / height) - 2);
    const last = Math.min(this.total, Math.ceil((this.box.scrollTop + this.box.clientHeight) / height) + 2);
    for (let window = Math.floor(first / part); window * part < last; ++window) void this.load(window);
    const elements = [];
    for (let at = first; at < last; ++at) {
      const line = element("div");
      line.className = "line" + (at === this.active ? " active" : "");
      line.id = this.panel.id + "-" + at;
      line.setAttribute("role", "row");
      line.setAttribute("aria-rowindex", String(at + 2));
      line.style.gridTemplateColumns = style;
      line.style.transform = `translateY(${at * height}px)`;
      const row = this.rows.get(at);
      line.append(...this.columns.map((name, place) => {
        const value = row?.[place] ?? null;
        const cell = element("span", row === undefined ? "…" : value === null ? "" : typeof value === "number" ? shown(value, kinds.get(name)?.unit) : value);
        cell.setAttribute("role", "gridcell");
        if (kinds.get(name)?.number) cell.className = "number";
        cell.title = value === null ? "" : String(value);
        return cell;
      }));
      elements.push(line);
    }
    this.space.replaceChildren(...elements);
    if (first <= this.active && this.active < last) this.box.setAttribute("aria-activedescendant", this.panel.id + "-" + this.active);
    else this.box.removeAttribute("aria-activedescendant");
  }

  /** @param {string} key */
  pressed(key) {
    const height = this.rowHeight(), page = Math.max(1, Math.floor(this.box.clientHeight / height) - 2);
    const to = /** @type {Record<string, number>} */ ({ ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page,
      PageUp: this.active - page, Home: 0, End: this.total - 1 })[key];
    if (to === undefined) return false;
    this.active = Math.max(0, Math.min(to, this.total - 1));
    const top = this.active * height, seen = this.box.clientHeight - 2 * height;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top > this.box.scrollTop + seen) this.box.scrollTop = top - seen;
    this.draw();
    return true;
  }
}
