// SPDX-License-Identifier: BSD-3-Clause
// A trace over time: what most of the time in each pixel was spent in.

import { colourOf, fitted, sized } from "./canvas.js";

const nameWidth = 120;
const rowHeight = 18;
const mostRows = 40;

/**
 * `runs`: region (0: none; 1: the first), share in percent and number of bins, again and again.
 * @typedef {{ first: number, locations: number, name: string, runs: number[] }} TileRow
 * @typedef {{ ready: boolean, part?: number, seconds: number, locations: number, from: number, to: number, bins: number,
 *             regions: { name: string, activity: string }[], rows: TileRow[] }} Tile
 */

/** Hue and its spread. @type {Record<string, [number, number]>} */
const hues = { user: [90, 60], mpi: [0, 30], openmp: [200, 30], "openmp waiting": [35, 15], other: [260, 40], nothing: [0, 1] };

export class Timeline {
  /**
   * @param {HTMLElement} panel @param {import("./source.js").Source} source
   * @param {string} [name]  of the run, where several stand below each other
   */
  constructor(panel, source, name = "") {
    this.panel = panel;
    this.source = source;
    this.name = name;
    this.mostRows = mostRows;
    /** Timelines on one scale: their times in sight are the same. @type {Timeline[]} */
    this.together = [this];
    /** @type {Tile | null} */
    this.tile = null;
    this.experiment = "0";
    this.from = 0;
    /** Infinite: to the end of the longest run. */
    this.to = Infinity;
    this.first = 0;
    this.locations = Infinity;
    this.asked = 0;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label",
      `${name === "" ? "Timeline" : "Timeline of " + name}. Left and right move in time, plus and minus zoom, up and down go to other threads, 0 shows the whole run.`);
    this.told = document.createElement("p");
    this.told.className = "told";
    this.told.setAttribute("aria-live", "polite");
    panel.append(this.told, this.canvas);
    this.canvas.addEventListener("mousemove", event => this.tell(event));
    this.canvas.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 0.5 : 2, this.placeOf(event));
    }, { passive: false });
    this.canvas.addEventListener("dblclick", event => this.zoom(event.shiftKey ? 2 : 0.5, this.placeOf(event)));
    this.canvas.addEventListener("pointerdown", event => this.drag(event));
    this.canvas.addEventListener("keydown", event => { if (this.pressed(event.key)) event.preventDefault(); });
    new ResizeObserver(() => this.draw()).observe(panel);
  }

  /** @param {string} experiment */
  async show(experiment) {
    if (experiment !== this.experiment) [this.from, this.to, this.first, this.locations] = [0, Infinity, 0, Infinity];
    this.experiment = experiment;
    const now = ++this.asked;
    /** @type {Tile} */
    const tile = await this.source.ask("timeline", {
      experiment,
      from: this.from,
      to: Number.isFinite(this.to) ? this.to : undefined,
      first: this.first,
      locations: Number.isFinite(this.locations) ? this.locations : undefined,
      rows: this.mostRows,
      pixels: Math.max(200, this.panel.clientWidth - nameWidth),
    });
    if (now !== this.asked) return;
    if (!tile.ready) {
      this.say(`the trace is read: ${Math.round(100 * (tile.part ?? 0))} %`);
      setTimeout(() => { if (now === this.asked) void this.show(experiment); }, 500);
      return;
    }
    this.tile = tile;
    if (!Number.isFinite(this.locations)) this.locations = tile.locations;
    for (const each of this.together) {
      if (each.tile) each.say(`${each.from.toPrecision(5)} s to ${each.end.toPrecision(5)} s`);
      each.draw();
    }
  }

  /** @param {string} text */
  say(text) { this.told.textContent = this.name === "" ? text : `${this.name}: ${text}`; }

  /** Seconds of the longest run. */
  get seconds() { return Math.max(0, ...this.together.map(each => each.tile?.seconds ?? 0)); }
  get end() { return Number.isFinite(this.to) ? this.to : this.seconds; }
  /** The time in sight. @returns {[number, number]} */
  sight() { return [this.from, this.end]; }

  /** Threads of the process that the line before has go without its name, so that what tells them apart is not cut off.
   * @param {number} line */
  nameIn(line) {
    const { rows } = /** @type {Tile} */ (this.tile), row = rows[line];
    const process = row.name.slice(0, row.name.lastIndexOf(" / ") + 3);
    const isKnown = process.length > 2 && line > 0 && rows[line - 1].name.startsWith(process);
    const name = isKnown ? "   " + row.name.slice(process.length) : row.name;
    return row.locations > 1 ? `${name} and ${row.locations - 1} more` : name;
  }

  draw() {
    const width = this.canvas.clientWidth;
    if (width === 0 || !this.tile) return;
    const { rows, regions, bins, from, to } = this.tile;
    const context = sized(this.canvas, width, Math.max(1, rows.length) * rowHeight);
    const wide = width - nameWidth;
    /** @type {(bin: number) => number} */
    const xOf = bin => nameWidth + (from + (to - from) * bin / bins - this.from) / (this.end - this.from) * wide;
    rows.forEach((row, line) => {
      let bin = 0;
      for (let at = 0; at < row.runs.length; at += 3) {
        const [number, share, count] = row.runs.slice(at, at + 3);
        if (number > 0) {
          const region = regions[number - 1];
          const [hue, spread] = hues[region.activity] ?? hues.other;
          const left = Math.max(nameWidth, xOf(bin)), right = Math.min(width, xOf(bin + count));
          bin += count;
          if (right < left) continue;
          context.globalAlpha = 0.35 + 0.65 * share / 100;
          context.fillStyle = colourOf(region.name, hue, spread);
          context.fillRect(left, line * rowHeight, Math.max(right - left, 0.5), rowHeight - 1);
          context.globalAlpha = 1;
          context.fillStyle = "#000";
          if (right - left > 30)
            context.fillText(fitted(context, region.name, right - left - 6), left + 3, line * rowHeight + rowHeight / 2);
        } else bin += count;
      }
      context.fillStyle = getComputedStyle(this.canvas).color;
      const name = this.nameIn(line);
      context.fillText(fitted(context, name, nameWidth - 6), 2, line * rowHeight + rowHeight / 2);
    });
  }

  /** The time below the pointer. @param {MouseEvent} event */
  placeOf(event) {
    const part = (event.offsetX - nameWidth) / (this.canvas.clientWidth - nameWidth);
    return this.from + Math.min(1, Math.max(0, part)) * (this.end - this.from);
  }

  /** @param {MouseEvent} event */
  tell(event) {
    if (!this.tile || event.offsetX < nameWidth) return;
    const row = this.tile.rows[Math.floor(event.offsetY / rowHeight)];
    if (!row) return;
    const time = this.placeOf(event);
    let bin = Math.floor((time - this.tile.from) / (this.tile.to - this.tile.from) * this.tile.bins);
    for (let at = 0; at < row.runs.length; at += 3) {
      bin -= row.runs[at + 2];
      if (bin >= 0) continue;
      const region = row.runs[at] > 0 ? this.tile.regions[row.runs[at] - 1].name : "nothing recorded";
      this.say(`${row.name}, ${time.toPrecision(6)} s: ${region}`);
      return;
    }
  }

  /** @param {number} factor @param {number} around */
  zoom(factor, around) {
    if (!this.tile) return;
    const now = this.end - this.from;
    const length = Math.min(this.seconds, Math.max(now * factor, this.seconds * 1e-9));
    const part = (around - this.from) / now;
    this.move(around - part * length, length);
  }

  /** @param {number} from @param {number} length */
  move(from, length) {
    this.lookAt(from, length);
    for (const each of this.together) void each.show(each.experiment);
  }

  /** Draws what is known of this time, in all on one scale. @param {number} from @param {number} length */
  lookAt(from, length) {
    const start = Math.min(Math.max(0, from), this.seconds - length);
    for (const each of this.together) {
      [each.from, each.to] = [start, start + length];
      each.draw();
    }
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const start = event.clientX, from = this.from, length = this.end - this.from;
    const perPixel = length / (this.canvas.clientWidth - nameWidth);
    this.canvas.setPointerCapture(event.pointerId);
    /** @type {(moved: PointerEvent) => void} */
    const follow = moved => {
      if (this.tile && moved.clientX !== start) this.lookAt(from - (moved.clientX - start) * perPixel, length);
    };
    this.canvas.addEventListener("pointermove", follow);
    this.canvas.addEventListener("pointerup", () => {
      this.canvas.removeEventListener("pointermove", follow);
      if (this.from !== from) for (const each of this.together) void each.show(each.experiment);
    }, { once: true });
  }

  /** @param {string} key */
  pressed(key) {
    if (!this.tile) return false;
    const length = this.end - this.from, middle = this.from + length / 2;
    if (key === "ArrowLeft") this.move(this.from - length / 4, length);
    else if (key === "ArrowRight") this.move(this.from + length / 4, length);
    else if (key === "+" || key === "=") this.zoom(0.5, middle);
    else if (key === "-") this.zoom(2, middle);
    else if (key === "0") {
      [this.first, this.locations] = [0, this.tile.locations];
      this.move(0, this.seconds);
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      // Below each other: all threads, then the first rows alone, and from these to the next ones.
      const few = Math.min(this.mostRows, this.tile.locations);
      if (this.locations > few) this.locations = few;
      else this.first = Math.min(Math.max(0, this.first + (key === "ArrowDown" ? few : -few)), Math.max(0, this.tile.locations - few));
      void this.show(this.experiment);
    } else return false;
    return true;
  }
}
