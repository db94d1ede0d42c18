// SPDX-License-Identifier: BSD-3-Clause
// Three panes, of which each shows what is selected in those to its left, and details below them.

import { layOut } from "./layout.js";
import { Tree } from "./tree.js";
import { escaped, textOf, viewFrom, wordsOf } from "./view.js";

/** @typedef {import("./details.js").Detail} Detail */
/** @typedef {import("./tree.js").Place} Place */
/** @typedef {import("./view.js").View} View */
/** Where the page keeps what is looked at. `isStep`: the browser's Back is to take it back.
 * @typedef {{ words: () => string, put: (words: string, isStep: boolean) => void }} Address */

export class Browser {
  /**
   * @param {HTMLElement} root  is filled with the panes
   * @param {import("./source.js").Source} source
   * @param {import("./details.js").DetailKind[]} details
   * @param {Address} address
   */
  constructor(root, source, details, address) {
    this.source = source;
    this.address = address;
    this.find = layOut(root, details);
    this.choice = /** @type {HTMLSelectElement} */ (this.find("experiment"));
    this.how = /** @type {HTMLSelectElement} */ (this.find("how"));
    this.other = /** @type {HTMLSelectElement} */ (this.find("other"));
    this.only = /** @type {HTMLSelectElement} */ (this.find("only"));
    this.values = /** @type {HTMLSelectElement} */ (this.find("values"));
    this.typed = /** @type {HTMLInputElement} */ (this.find("find"));
    /** What the address has. */
    this.view = viewFrom(address.words());
    /** @type {import("./source.js").Listed[]} */
    this.experiments = [];
    /** The selected nodes. @type {{ calls?: Place, system?: Place }} */
    this.places = {};
    /** Done when the last selected node stands in the address. */
    this.noted = Promise.resolve();
    /** The parts for which buttons stand there. */
    this.shownParts = "";
    source.progress = part => {
      this.find("making").hidden = part === null;
      this.find("making").textContent = part === null ? "" : `This part is being made: ${Math.round(100 * part)} %`;
    };

    this.metrics = new Tree(this.find("metrics"), this.loaderOf("metrics"), row => this.choseMetric(row));
    // Hierarchies of metrics are of different units: each root is its own whole.
    this.metrics.whole = (/** @type {import("./branches.js").Branch} */ branch) => {
      let root = branch;
      while (root.parent && root.parent.parent) root = root.parent;
      return root.row.inclusive;
    };
    this.calls = new Tree(this.find("calls"), this.loaderOf("calls"), row => {
      void this.system.refresh();
      this.noted = this.notePlace("calls", row.node);
    });
    this.system = new Tree(this.find("system"), this.loaderOf("system"), row => { this.noted = this.notePlace("system", row.node); });
    this.trees = { metrics: this.metrics, calls: this.calls, system: this.system };

    /** @type {Record<string, Detail>} */
    this.details = {};
    for (const each of details) this.details[each.name] = each.make(this.find(each.name), this);
    this.tabs = details.map(each => this.find("tab-" + each.name));
    this.detail = details[0].name;
    this.listenToTabs();
    this.listenToHeading();
  }

  /** @param {unknown} error */
  complain(error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    this.find("message").hidden = false;
    this.find("message").textContent = error instanceof Error ? error.message : String(error);
  }

  /** What every question says of the view. */
  ofView() { return { experiment: this.view.experiment, part: this.view.only.join(",") }; }
  /** The selected metric. An open node stands for itself alone. */
  ofMetric() { return { metric: this.metrics.chosen?.row.node ?? 0, metricAlone: this.metrics.chosen?.open ? 1 : 0 }; }
  ofPath() { return { path: this.calls.chosen?.row.node, pathAlone: this.calls.chosen?.open ? 1 : 0 }; }
  /** The experiment that is shown; none where several are combined. */
  get listed() { return this.experiments[Number(this.view.experiment)]; }

  /** All that are combined, by their numbers. */
  get combinedNumbers() {
    const [, word = "", list = ""] = /^(mean:|merge:)?(.*)$/.exec(this.view.experiment) ?? [];
    return { word, numbers: list.split(word === "" ? "-" : ",") };
  }

  /** @param {string} question @param {import("./source.js").Parameters} parameters */
  ask(question, parameters) { return this.source.ask(question, { ...this.ofView(), ...parameters }); }

  /** @param {string} tree @returns {import("./branches.js").Load} */
  loaderOf(tree) {
    return (node, from, count) => this.ask("rows", {
      tree, node, from, count, ...(tree === "metrics" ? {} : this.ofMetric()), ...(tree === "system" ? this.ofPath() : {}),
    });
  }

  /** Puts the view into the address. @param {boolean} [isStep]  one that the browser's Back takes back */
  tellAddress(isStep = false) { this.address.put(wordsOf(this.view), isStep); }

  /** @param {import("./source.js").Row} row */
  choseMetric(row) {
    this.metrics.key = escaped(row.uniqueName ?? "");
    this.view.metric = row.uniqueName ?? "";
    this.tellAddress();
    void this.calls.refresh();
    void this.system.refresh();
    void this.showDetail();
  }

  /** @param {"calls" | "system"} name @param {number} node */
  async notePlace(name, node) {
    const place = await this.ask("place", { tree: name, node });
    if (this.trees[name].selection !== node) return;
    this.places[name] = place;
    this.trees[name].key = place.key;
    this.view[name === "calls" ? "call" : "system"] = place.key;
    this.tellAddress();
    this.offerParts();
  }

  /** What of the selected may be shown alone. */
  offerParts() {
    /** @type {[string, string][]} */
    const offers = [];
    const { calls: call, system: place } = this.places;
    if (call) offers.push([call.name + " and what it calls", "only-call=" + call.key]);
    for (const [name, value] of [["region", call?.region], ["kind", call?.kind]])
      if (value) {
        const word = "only-" + name + "=" + escaped(value);
        offers.push([textOf(word), word]);
      }
    if (place) offers.push([place.name, "only-system=" + place.key]);
    offers.push(...this.details[this.detail].offers?.() ?? []);
    offer(this.only, [[this.view.only.length === 0 ? "the whole run" : "…", ""], ...offers.filter(each => !this.view.only.includes(each[1]))
        .map(([text, word]) => /** @type {[string, string]} */ ([text.slice(0, 80), word]))]);
    this.only.value = "";
  }

  showParts() {
    if (this.shownParts === this.view.only.join(",")) return;
    this.shownParts = this.view.only.join(",");
    this.find("part").replaceChildren(...this.view.only.map(word => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.textContent = textOf(word) + " ✕";
      button.title = "Shown alone. Click to show more again.";
      button.setAttribute("aria-label", `Only ${textOf(word)}; remove`);
      button.addEventListener("click", () => void this.look({ only: this.view.only.filter(each => each !== word) }));
      item.append(button);
      return item;
    }));
  }

  /** Selects a call path. @param {number} node @param {number[]} above  those that lead to it, from the root downwards */
  async revealPath(node, above) {
    await this.calls.reveal(node, above);
    this.calls.select(node);
  }

  listenToTabs() {
    this.tabs.forEach((tab, at) => {
      tab.addEventListener("click", () => this.chooseDetail(this.nameOf(tab)));
      tab.addEventListener("keydown", event => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (by === 0) return;
        const next = this.tabs[(at + by + this.tabs.length) % this.tabs.length];
        next.focus();
        this.chooseDetail(this.nameOf(next));
      });
    });
  }
  /** @param {HTMLElement} tab */
  nameOf(tab) { return (tab.dataset.part ?? "").replace("tab-", ""); }

  /** @param {string} name */
  markTab(name) {
    for (const tab of this.tabs) {
      const isChosen = this.nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      this.find(this.nameOf(tab)).hidden = !isChosen;
    }
    this.detail = name;
  }

  /** @param {string} name */
  chooseDetail(name) {
    this.markTab(name);
    this.view.detail = name;
    this.tellAddress();
    void this.showDetail();
  }

  async showDetail() {
    if (!this.metrics.isLeft) await this.details[this.detail].show();
  }

  /** Another view, and a step in the browser's history. @param {Partial<View>} other */
  async look(other) {
    await this.noted.catch(() => {});
    Object.assign(this.view, other);
    this.tellAddress(true);
    await this.show();
  }

  /** Shows what the address has become. */
  goToAddress() {
    this.view = viewFrom(this.address.words());
    if (this.details[this.view.detail]) this.chooseDetail(this.view.detail);
    void this.show();
  }

  /** Shows what the address says. What was open stays open, and what is done meanwhile counts. */
  async show() {
    this.source.beginView();
    this.find("message").hidden = true;
    this.source.progress(null);
    this.showChoices();
    this.showParts();
    for (const detail of Object.values(this.details)) detail.leave?.();
    for (const tree of Object.values(this.trees)) tree.leave();
    const metric = this.placeOf("metrics", escaped(this.view.metric), error => this.complain(error));
    const call = this.placeOf("calls", this.view.call, () => {});
    const place = this.placeOf("system", this.view.system, () => {});
    await this.metrics.again(await metric);
    if (this.metrics.selection === null) {
      this.metrics.selection = this.metrics.lines[0]?.branch?.row.node ?? null;
      this.metrics.draw();
    }
    await this.calls.again(this.places.calls = await call);
    await this.system.again(this.places.system = await place);
    this.offerParts();
    await Promise.all([this.showDetail(), this.search(false)]);
  }

  /**
   * Where a node of the address is.
   * @param {string} tree @param {string} key  empty: none @param {(error: unknown) => void} isMissing  called where it is not there
   * @returns {Promise<Place | undefined>}
   */
  async placeOf(tree, key, isMissing) {
    if (key === "") return undefined;
    try {
      return await this.ask("place", { tree, key });
    } catch (error) {
      if (error instanceof DOMException) throw error;
      isMissing(error);
    }
  }

  /** What stands in the heading. */
  showChoices() {
    const { word, numbers } = this.combinedNumbers;
    this.choice.value = numbers[0];
    this.how.value = word !== "" ? word : numbers.length > 1 ? "-" : "";
    this.fillOthers();
    if (this.how.value !== "") this.other.value = numbers.slice(1).join(",");
    this.showMode();
    const of = numbers.map(each => this.experiments[Number(each)]);
    const live = of.map(each => each?.live).find(Boolean), note = of.map(each => each?.note).find(Boolean);
    this.find("live").hidden = !live && !note;
    this.find("live").textContent = live ? "The program runs; this is not all of it. " + live : note ?? "";
  }

  showMode() {
    for (const tree of Object.values(this.trees)) tree.percent = this.view.mode === "percent";
    this.values.value = this.view.mode === "percent" ? "percent" : "absolute";
  }

  /** Lists the experiments that can stand beside the first. */
  fillOthers() {
    const all = this.experiments.map((_, at) => String(at)).filter(at => at !== this.choice.value);
    this.other.hidden = this.how.value === "";
    /** @type {[string, string][]} */
    const single = all.map(at => [this.experiments[Number(at)].name, at]);
    offer(this.other, this.how.value !== "-" && all.length > 1 ? [["all others", all.join(",")], ...single] : single);
  }

  /** Marks what has the text of the field. @param {boolean} isNew  whether it is to be brought into sight, too */
  async search(isNew) {
    const text = this.typed.value.trim();
    let count = 0;
    for (const [name, tree] of Object.entries(this.trees)) {
      const answer = text === "" ? { count: 0, found: [] } : await this.ask("search", { tree: name, text });
      if (this.typed.value.trim() !== text) return;
      count += answer.count;
      tree.found = new Set(answer.found.map((/** @type {{ node: number }} */ each) => each.node));
      if (isNew) {
        for (const each of answer.found.slice(0, 20)) await tree.reveal(each.node, each.above);
        tree.showFirst(tree.found);
      }
      tree.draw();
    }
    this.find("found").textContent = text === "" ? "" : count === 1 ? "1 found" : count + " found";
  }

  listenToHeading() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let soon;
    this.typed.addEventListener("input", () => {
      clearTimeout(soon);
      soon = setTimeout(() => void this.search(true), 250);
    });
    this.values.addEventListener("change", () => {
      this.view.mode = this.values.value;
      this.tellAddress();
      this.showMode();
      for (const tree of Object.values(this.trees)) tree.draw();
    });
    for (const each of [this.choice, this.how, this.other])
      each.addEventListener("change", () => this.combined(each !== this.other));
    this.only.addEventListener("focus", () => this.offerParts());
    this.only.addEventListener("change", () => {
      const word = this.only.value, { only } = this.view;
      if (word === "") return;
      void this.look({ only: word.startsWith("range=") ? [...only.filter(each => !each.startsWith("range=")), word] : [...only, word] });
    });
  }

  /** Shows the experiments that were chosen. @param {boolean} areOthersOld  whether the first or how it is combined is another one */
  combined(areOthersOld) {
    if (areOthersOld) this.fillOthers();
    const { choice, how, other, view } = this;
    void this.look({
      experiment: how.value === "" ? choice.value : how.value === "-" ? choice.value + "-" + other.value
          : how.value + choice.value + "," + other.value,
      only: how.value !== "" ? view.only.filter(word => !word.startsWith("range=")) : view.only,
    });
  }

  /** Asks which experiments there are, and shows what the address says of them. */
  async start() {
    this.experiments = await this.source.ask("experiments");
    this.experiments.forEach((each, at) => {
      const option = new Option(each.missing ? `${each.name}: ${each.missing}` : each.name, String(at));
      option.disabled = Boolean(each.missing);
      this.choice.append(option);
    });
    this.find("with").hidden = this.experiments.length < 2 || !this.source.hasParts;
    /** @type {HTMLElement} */ (this.only.parentElement).hidden = !this.source.hasParts;
    const first = this.experiments.findIndex(each => !each.missing);
    if (first < 0) throw new Error(this.experiments[0]?.missing ?? "There is no experiment.");
    if (this.listed?.missing) this.view.experiment = String(first);
    this.markTab(this.details[this.view.detail] ? this.view.detail : this.detail);
    await this.show().catch(error => this.complain(error));
  }
}

/** Puts options into a list, which stays as it is where they stand there: it may be open.
 * @param {HTMLSelectElement} list @param {[string, string][]} options  text and value */
function offer(list, options) {
  const there = [...list.options].map(each => [each.text, each.value]);
  if (JSON.stringify(there) !== JSON.stringify(options))
    list.replaceChildren(...options.map(([text, value]) => new Option(text, value)));
}
