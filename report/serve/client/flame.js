// SPDX-License-Identifier: BSD-3-Clause
// The flame graph of the selected metric, roots at the top.

import { colourOf, fitted, sized } from "./canvas.js";
import { percent, shown } from "./numbers.js";

const rowHeight = 20;

/** @typedef {{ node: number, name: string, row: number, start: number, width: number, value: number }} Box */

export class Flame {
  /**
   * @param {HTMLElement} panel
   * @param {import("./source.js").Source} source
   * @param {(node: number) => void} chosen  called with the call path of a box that was clicked
   */
  constructor(panel, source, chosen) {
    this.panel = panel;
    this.source = source;
    this.chosen = chosen;
    /** @type {Box[]} */
    this.boxes = [];
    this.whole = 0;
    this.unit = "";
    /** @type {number | undefined} */
    this.top = undefined;
    this.at = 0;
    /** @type {import("./source.js").Parameters} */
    this.parameters = {};
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label",
      "Flame graph. Arrow keys go to callers, callees and neighbours; Enter shows only what is below; Escape shows all.");
    this.told = document.createElement("p");
    this.told.className = "told";
    this.told.setAttribute("aria-live", "polite");
    panel.append(this.told, this.canvas);
    this.canvas.addEventListener("mousemove", event => this.tell(this.boxAt(event)));
    this.canvas.addEventListener("click", event => {
      const box = this.boxAt(event);
      if (!box) return;
      this.at = this.boxes.indexOf(box);
      this.draw();
      this.chosen(box.node);
    });
    this.canvas.addEventListener("dblclick", event => {
      const box = this.boxAt(event);
      if (box) void this.zoom(box.node);
    });
    this.canvas.addEventListener("keydown", event => { if (this.pressed(event.key)) event.preventDefault(); });
    new ResizeObserver(() => this.draw()).observe(panel);
  }

  /** @param {import("./source.js").Parameters} parameters  experiment and metric */
  async show(parameters) {
    this.parameters = parameters;
    const answer = await this.source.ask("flame", { ...parameters, path: this.top, pixels: Math.max(300, this.panel.clientWidth) });
    if (this.parameters !== parameters) return;
    this.boxes = answer.boxes;
    this.whole = answer.whole;
    this.unit = answer.unit;
    const top = this.boxes.findIndex(box => box.node === this.top);
    this.at = top < 0 ? 0 : top;
    this.told.textContent = this.boxes.length === 0 ? "Nothing has a value here."
        : answer.narrow > 0 ? `${answer.narrow} call paths are too narrow to be seen.` : "";
    this.draw();
  }

  /** @param {number | undefined} node */
  async zoom(node) {
    this.top = node;
    await this.show({ ...this.parameters });
  }

  draw() {
    if (this.panel.hidden) return;
    const width = this.canvas.clientWidth;
    const rows = this.boxes.reduce((most, box) => Math.max(most, box.row + 1), 1);
    const context = sized(this.canvas, width, rows * rowHeight);
    this.boxes.forEach((box, at) => {
      const left = box.start * width, wide = box.width * width, top = box.row * rowHeight;
      context.fillStyle = colourOf(box.name, 10, 45);
      context.fillRect(left, top, Math.max(wide - 0.5, 0.5), rowHeight - 1);
      context.fillStyle = "#000";
      if (wide > 20) context.fillText(fitted(context, box.name, wide - 6), left + 3, top + rowHeight / 2);
      if (at !== this.at) return;
      context.lineWidth = 2;
      context.strokeStyle = "#0645ad";
      context.strokeRect(left + 1, top + 1, Math.max(wide - 2.5, 1), rowHeight - 3);
    });
  }

  /** @param {MouseEvent} event @returns {Box | undefined} */
  boxAt(event) {
    const place = event.offsetX / this.canvas.clientWidth, row = Math.floor(event.offsetY / rowHeight);
    return this.boxes.find(box => box.row === row && box.start <= place && place < box.start + box.width);
  }

  /** The call paths above one that has a box, from the root downwards. @param {number} node @returns {number[]} */
  above(node) {
    const box = this.boxes.find(each => each.node === node);
    /** @type {number[]} */
    const above = [];
    if (!box) return above;
    const middle = box.start + box.width / 2;
    for (let row = box.row - 1; row >= 0; --row) {
      const up = this.boxes.find(each => each.row === row && each.start <= middle && middle <= each.start + each.width);
      if (up) above.unshift(up.node);
    }
    return above;
  }

  /** @param {Box | undefined} box */
  tell(box) {
    if (box) this.told.textContent = `${box.name}: ${shown(box.value, this.unit)}, ${percent(box.value, this.whole)}`;
  }

  /** @param {string} key */
  pressed(key) {
    const box = this.boxes[this.at];
    if (!box) return false;
    const middle = box.start + box.width / 2;
    const row = this.boxes.filter(each => each.row === box.row).sort((one, other) => one.start - other.start);
    /** @type {Box | undefined} */
    let next;
    if (key === "ArrowLeft") next = row[row.indexOf(box) - 1];
    else if (key === "ArrowRight") next = row[row.indexOf(box) + 1];
    else if (key === "ArrowUp")
      next = this.boxes.find(each => each.row === box.row - 1 && each.start <= middle && middle <= each.start + each.width);
    else if (key === "ArrowDown")
      next = this.boxes.filter(each => each.row === box.row + 1 && each.start >= box.start - 1e-9 &&
          each.start < box.start + box.width).sort((one, other) => other.width - one.width)[0];
    else if (key === "Enter") void this.zoom(box.node);
    else if (key === "Escape") void this.zoom(undefined);
    else if (key === " ") this.chosen(box.node);
    else return false;
    if (next) {
      this.at = this.boxes.indexOf(next);
      this.draw();
      this.tell(next);
    }
    return true;
  }
}
