// SPDX-License-Identifier: BSD-3-Clause
// Answers from experiments that the page carries within it: those that the server would give, from its values that are not zero.

import { escaped } from "./view.js";

/**
 * `way`: how values of parts make that of the whole; `apart`: the value is not a part of that of the metric above; `formula`: numbers,
 * metrics and signs, as they come onto a stack and take from it.
 * @typedef {{ name: string, uniqueName: string, parent: number, unit: string, description: string, way: "sum" | "minimum" | "maximum" |
 *             "formula" | "none", why?: string, apart?: boolean, hidden?: boolean, incomplete?: boolean,
 *             formula?: (number | string | { metric: number })[] }} Metric
 * @typedef {{ name: string, parent: number, hidden?: boolean }} Node
 */

/**
 * `values`: of each metric, without those below it that are added up to it, rows of a call path, then a location and its value, again
 * and again. `places`: the nodes of the system that are locations. `sums`: what threads were added up to.
 * @typedef {{ name: string, metrics: Metric[], paths: Node[], system: Node[], places: number[], values: number[][][], sums?: string }} Experiment
 */
/** One that has no values here has a name only. @typedef {Experiment | { name: string }} Carried */

/** `path`: which call paths count. @typedef {{ metric: number, metricAlone: boolean, path?: number, pathAlone: boolean }} Chosen */
/** Of each node what it has alone, and with everything below it. @typedef {{ own: number[], all: number[] }} Values */

const tooMany = "too many values for this page";
const mostFound = 200;
const mostBoxes = 1000;
/** How many results are remembered. */
const remembered = 200;

/** What parts make together, beginning with what nothing is. @type {Record<string, { fold: (one: number, other: number) => number, start: number }>} */
const ways = {
  sum: { fold: (one, other) => one + other, start: 0 },
  minimum: { fold: known(Math.min), start: NaN },
  maximum: { fold: known(Math.max), start: NaN },
  none: { fold: () => NaN, start: NaN },
};

/** @param {(one: number, other: number) => number} choose @returns {(one: number, other: number) => number} */
function known(choose) {
  return (one, other) => Number.isNaN(one) ? other : Number.isNaN(other) ? one : choose(one, other);
}

/** @param {number} value */
const orNull = value => Number.isFinite(value) ? value : null;

/** Nothing in parts is nothing, whatever they are. @param {number} left @param {number} right */
const divided = (left, right) => left === 0 ? 0 : right === 0 ? NaN : left / right;

/** @param {NonNullable<Metric["formula"]>} formula @param {(metric: number) => number} valueOf */
function evaluated(formula, valueOf) {
  /** @type {number[]} */
  const stack = [];
  const take = () => /** @type {number} */ (stack.pop());
  for (const step of formula) {
    if (typeof step === "number") stack.push(step);
    else if (typeof step !== "string") stack.push(valueOf(step.metric));
    else if (step === "negate") stack.push(-take());
    else {
      const right = take(), left = take();
      stack.push(step === "+" ? left + right : step === "-" ? left - right : step === "*" ? left * right : divided(left, right));
    }
  }
  return take();
}

/** A tree whose parents stand before their children. */
class Forest {
  /** @param {Node[]} nodes */
  constructor(nodes) {
    this.nodes = nodes;
    /** @type {number[]} */
    this.roots = [];
    /** By node, the children that are seen. @type {number[][]} */
    this.children = nodes.map(() => []);
    nodes.forEach((node, at) => {
      if (!node.hidden) (node.parent < 0 ? this.roots : this.children[node.parent]).push(at);
    });
  }

  /** From the root downwards. @param {number} node @returns {number[]} */
  above(node) {
    const above = [];
    for (let up = this.nodes[node].parent; up >= 0; up = this.nodes[up].parent) above.unshift(up);
    return above;
  }

  /** @param {number[]} own @param {(one: number, other: number) => number} fold */
  folded(own, fold) {
    const all = own.slice();
    for (let at = all.length - 1; at > 0; --at) {
      const { parent } = this.nodes[at];
      if (parent >= 0) all[parent] = fold(all[parent], all[at]);
    }
    return all;
  }

  /** @param {number} node @param {boolean} alone */
  within(node, alone) {
    const isIn = this.nodes.map((_, at) => at === node);
    if (!alone) this.nodes.forEach((each, at) => { isIn[at] ||= each.parent >= 0 && isIn[each.parent]; });
    return isIn;
  }

  /** A name among its twins, as addresses have it. @param {number} node */
  segmentOf(node) {
    const { name, parent } = this.nodes[node];
    const twins = (parent < 0 ? this.roots : this.children[parent]).filter(each => this.nodes[each].name === name);
    const twin = twins.indexOf(node) + 1;
    return escaped(name) + (twin > 1 ? ";" + twin : "");
  }
  /** @param {number} node */
  keyOf(node) { return [...this.above(node), node].map(each => this.segmentOf(each)).join("/"); }
  /** @param {string} key @returns {number | undefined} */
  withKey(key) {
    /** @type {number | undefined} */
    let found;
    for (const segment of key.split("/")) {
      found = (found === undefined ? this.roots : this.children[found]).find(each => this.segmentOf(each) === segment);
      if (found === undefined) return undefined;
    }
    return found;
  }
}

/** One experiment, and what was found out of it. */
class Shown {
  /** @param {Experiment} experiment */
  constructor(experiment) {
    this.experiment = experiment;
    this.metrics = experiment.metrics;
    const places = new Set(experiment.places);
    const threads = experiment.system.map(() => 0);
    for (const place of places) ++threads[experiment.system[place].parent];
    // The thread of a process that has no other is not told apart from it.
    const system = experiment.system.map((node, at) => ({ ...node, hidden: places.has(at) && threads[node.parent] === 1 }));
    /** @type {Record<string, Forest>} */
    this.trees = { metrics: new Forest(experiment.metrics), calls: new Forest(experiment.paths), system: new Forest(system) };
    /** @type {Map<string, any>} */
    this.results = new Map();
  }

  /** @template T @param {string} key @param {() => T} make @returns {T} */
  once(key, make) {
    let result = this.results.get(key);
    if (result === undefined) {
      result = make();
      this.results.set(key, result);
      const [oldest] = this.results.keys();
      if (this.results.size > remembered) this.results.delete(oldest);
    }
    return result;
  }

  /** The metrics of which this one's value is stored as the sum. @param {number} metric @returns {number[]} */
  stored(metric) {
    if (this.metrics[metric].way !== "sum") return [metric];
    return [metric, ...this.partsOf(metric).filter(each => this.metrics[each].way === "sum").flatMap(each => this.stored(each))];
  }
  /** The metrics below this one that are parts of its value. @param {number} metric @returns {number[]} */
  partsOf(metric) {
    return this.metrics.map((_, at) => at).filter(at => this.metrics[at].parent === metric && !this.metrics[at].apart);
  }

  /** @param {"calls" | "system"} tree @param {Chosen} chosen @returns {Values} */
  values(tree, chosen) {
    return this.once([tree, chosen.metric, chosen.metricAlone, chosen.path, chosen.pathAlone].join(), () =>
      chosen.metricAlone ? this.alone(tree, chosen) : this.whole(tree, chosen));
  }

  /** With the metrics below it. @param {"calls" | "system"} tree @param {Chosen} chosen @returns {Values} */
  whole(tree, chosen) {
    const { way, formula } = this.metrics[chosen.metric];
    if (way !== "formula" || !formula) return this.added(tree, this.stored(chosen.metric), chosen);
    const terms = new Map(formula.flatMap(step => typeof step === "object" ? [step.metric] : [])
        .map(metric => [metric, this.values(tree, { ...chosen, metric, metricAlone: false })]));
    /** @type {(which: "own" | "all") => number[]} */
    const every = which => this.trees[tree].nodes.map((_, at) =>
      evaluated(formula, metric => /** @type {Values} */ (terms.get(metric))[which][at]));
    return { own: every("own"), all: every("all") };
  }

  /** Without the metrics below it that are parts of it. @param {"calls" | "system"} tree @param {Chosen} chosen @returns {Values} */
  alone(tree, chosen) {
    const { way, apart } = this.metrics[chosen.metric];
    if (apart || way === "minimum" || way === "maximum" || way === "none") return this.whole(tree, chosen);
    const isSum = way === "sum";
    const found = isSum ? this.added(tree, [chosen.metric], chosen) : this.whole(tree, chosen);
    const result = { own: found.own.slice(), all: found.all.slice() };
    for (const metric of this.partsOf(chosen.metric)) {
      if (isSum && this.metrics[metric].way === "sum") continue;  // what is stored is without it
      const part = this.values(tree, { ...chosen, metric, metricAlone: false });
      for (const which of /** @type {const} */ (["own", "all"]))
        part[which].forEach((value, at) => { if (!Number.isNaN(value)) result[which][at] -= value; });
    }
    return result;
  }

  /** @param {"calls" | "system"} tree @param {number[]} metrics  whose stored values make the result @param {Chosen} chosen @returns {Values} */
  added(tree, metrics, chosen) {
    const { fold, start } = ways[this.metrics[metrics[0]].way];
    const forest = this.trees[tree], { places } = this.experiment;
    const counts = tree === "system" && chosen.path !== undefined ? this.trees.calls.within(chosen.path, chosen.pathAlone) : null;
    const own = new Array(forest.nodes.length).fill(start);
    for (const metric of metrics)
      for (const row of this.experiment.values[metric]) {
        if (counts && !counts[row[0]]) continue;
        for (let at = 1; at < row.length; at += 2) {
          const node = tree === "calls" ? row[0] : places[row[at]];
          own[node] = fold(own[node], row[at + 1]);
        }
      }
    return { own, all: forest.folded(own, fold) };
  }

  /** Of the whole run. @param {number} metric @param {boolean} metricAlone @returns {number} */
  total(metric, metricAlone) {
    return this.once(["total", metric, metricAlone].join(), () => {
      const { way, formula, apart } = this.metrics[metric];
      if (way === "formula" && formula) {
        let value = evaluated(formula, term => this.total(term, false));
        if (metricAlone && !apart)
          for (const part of this.partsOf(metric)) value -= this.total(part, false) || 0;
        return value;
      }
      const { all } = this.values("calls", { metric, metricAlone, pathAlone: false });
      return this.trees.calls.roots.reduce((value, root) => ways[way].fold(value, all[root]), ways[way].start);
    });
  }

  /** @param {string} tree @param {number} node */
  nameOf(tree, node) {
    const { name } = this.trees[tree].nodes[node];
    return tree === "metrics" && this.metrics[node].incomplete && !name.startsWith("~") ? "~" + name : name;
  }

  /** @param {string} tree @param {number} node @param {Chosen} chosen @returns {import("./source.js").Row} */
  row(tree, node, chosen) {
    const children = this.trees[tree].children[node].length;
    const row = { node, name: this.nameOf(tree, node), children };
    if (tree === "metrics") {
      const { uniqueName, unit } = this.metrics[node];
      return { ...row, inclusive: orNull(this.total(node, false)), exclusive: orNull(this.total(node, children > 0)), uniqueName, unit };
    }
    const { unit } = this.metrics[chosen.metric];
    if (tree === "calls") {
      const { own, all } = this.values("calls", { ...chosen, path: undefined });
      return { ...row, inclusive: orNull(all[node]), exclusive: orNull(own[node]), unit };
    }
    const inclusive = orNull(this.values("system", chosen).all[node]);
    return { ...row, inclusive, exclusive: children === 0 ? inclusive : null, unit };
  }

  /** Boxes of the flame graph. @param {Chosen} chosen @param {number | undefined} top @param {number} pixels */
  flame(chosen, top, pixels) {
    const { nodes, roots, children } = this.trees.calls;
    const { own } = this.values("calls", { ...chosen, path: undefined });
    const sizes = this.trees.calls.folded(own.map(value => Number.isFinite(value) ? Math.abs(value) : 0), (one, other) => one + other);
    const first = top === undefined ? roots : [top];
    const whole = first.reduce((sum, each) => sum + sizes[each], 0);
    /** @type {import("./flame.js").Box[]} */
    const boxes = [];
    if (!(whole > 0)) return { unit: this.metrics[chosen.metric].unit, whole, narrow: 0, boxes };
    /** @type {(node: number, row: number, start: number, width: number) => void} */
    const add = (node, row, start, width) => { boxes.push({ node, name: nodes[node].name, row, start, width, value: sizes[node] }); };
    const above = top === undefined ? [] : this.trees.calls.above(top);
    above.forEach((node, row) => add(node, row, 0, 1));
    let narrow = 0;
    /** @type {{ node: number, row: number, start: number }[]} */
    const open = [];
    /** @type {(siblings: number[], start: number, row: number) => void} */
    const addAll = (siblings, start, row) => {
      for (const node of siblings) {
        const width = sizes[node] / whole;
        if (width >= 1 / pixels) open.push({ node, row, start });
        else if (width > 0) ++narrow;
        start += width;
      }
    };
    addAll(first, 0, above.length);
    // Row by row, so that where there are too many boxes, the deepest are missing.
    for (let next = 0; next < open.length; ++next) {
      if (boxes.length >= mostBoxes) {
        narrow += open.length - next;
        break;
      }
      const { node, row, start } = open[next];
      add(node, row, start, sizes[node] / whole);
      addAll(children[node], start, row + 1);
    }
    return { unit: this.metrics[chosen.metric].unit, whole, narrow, boxes };
  }
}

/** @implements {Source} @typedef {import("./source.js").Source} Source */
export class Embedded {
  /** @param {Carried[]} experiments */
  constructor(experiments) {
    this.hasParts = false;
    this.carried = experiments;
    /** @type {(Shown | undefined)[]} */
    this.shown = [];
    /** @type {(part: number | null) => void} */
    this.progress = () => {};
  }

  beginView() {}

  /** @param {string} question @param {import("./source.js").Parameters} [parameters] @returns {Promise<any>} */
  async ask(question, parameters = {}) {
    if (question === "experiments") return this.listed();
    const carried = this.carried[Number(parameters.experiment ?? 0)];
    if (!carried || !("values" in carried)) throw new Error(`${carried?.name ?? "This experiment"}: ${tooMany}`);
    const shown = this.shown[Number(parameters.experiment ?? 0)] ??= new Shown(carried);
    const tree = String(parameters.tree);
    /** @type {Chosen} */
    const chosen = { metric: Number(parameters.metric ?? 0), metricAlone: parameters.metricAlone === 1,
      path: parameters.path === undefined ? undefined : Number(parameters.path), pathAlone: parameters.pathAlone === 1 };
    if (question === "rows") return rowsOf(shown, tree, chosen, parameters);
    if (question === "place") return placeOf(shown, tree, parameters);
    if (question === "search") return foundIn(shown, tree, String(parameters.text));
    if (question === "metric") return metricOf(shown, chosen.metric);
    if (question === "flame") return shown.flame(chosen, chosen.path, Number(parameters.pixels));
    throw new Error("The page cannot answer this.");
  }

  /** @returns {import("./source.js").Listed[]} */
  listed() {
    return this.carried.map(each => ({ name: each.name, timeline: false, live: null,
      ...("values" in each ? {} : { missing: tooMany }),
      ...("sums" in each ? { note: `With all threads there are ${tooMany}; it has ${each.sums}.` } : {}) }));
  }
}

/** @param {Shown} shown @param {string} tree @param {Chosen} chosen @param {import("./source.js").Parameters} parameters */
function rowsOf(shown, tree, chosen, parameters) {
  const from = Number(parameters.from), count = Number(parameters.count), { roots, children } = shown.trees[tree];
  return String(parameters.node).split(",").map(word => {
    const node = word === "roots" ? null : Number(word);
    const all = node === null ? roots : children[node];
    return { node, total: all.length, pending: false, rows: all.slice(from, from + count).map(each => shown.row(tree, each, chosen)) };
  });
}

/** @param {Shown} shown @param {string} tree @param {import("./source.js").Parameters} parameters @returns {import("./tree.js").Place} */
function placeOf(shown, tree, parameters) {
  const forest = shown.trees[tree], key = parameters.key === undefined ? undefined : String(parameters.key);
  const node = key === undefined ? Number(parameters.node)
      : tree === "metrics" ? shown.metrics.findIndex(each => escaped(each.uniqueName) === key) : forest.withKey(key) ?? -1;
  if (node < 0) throw new Error("this experiment has no " + key);
  return { node, above: forest.above(node), name: shown.nameOf(tree, node),
    key: tree === "metrics" ? escaped(shown.metrics[node].uniqueName) : forest.keyOf(node) };
}

/** @param {Shown} shown @param {string} tree @param {string} text */
function foundIn(shown, tree, text) {
  const { nodes } = shown.trees[tree], wanted = text.toLowerCase();
  const found = nodes.map((_, at) => at).filter(at => !nodes[at].hidden && shown.nameOf(tree, at).toLowerCase().includes(wanted));
  return { count: found.length, found: found.slice(0, mostFound).map(node => ({ node, above: shown.trees[tree].above(node) })) };
}

/** @param {Shown} shown @param {number} id */
function metricOf(shown, id) {
  const { name, uniqueName, unit, incomplete, description, why } = shown.metrics[id];
  return { uniqueName, displayName: name, unit, incomplete: Boolean(incomplete), description, value: orNull(shown.total(id, false)),
    notEvaluated: why };
}
