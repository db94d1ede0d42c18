// SPDX-License-Identifier: BSD-3-Clause
// What is known of a tree: the nodes that were loaded, and which of them are open.

/** @typedef {import("./source.js").Row} Row */
/** @typedef {import("./source.js").Rows} Rows */

/** How many rows below a node are asked for at a time, and for how many nodes. */
const part = 100;
const nodesAtOnce = 100;

/**
 * A node that was loaded. The first `children` of its `total` are known.
 * @typedef {{ row: Row, depth: number, parent: Branch | null, open: boolean, children: Branch[], total: number,
 *             place: number }} Branch
 */
/** @typedef {(nodes: string, from: number, count: number) => Promise<Rows[]>} Load */

export class Branches {
  /**
   * @param {Load} load
   * @param {() => void} isPending  called where the server has not made all values yet
   */
  constructor(load, isPending) {
    this.load = load;
    this.isPending = isPending;
    /** The parent of all roots. @type {Branch} */
    this.top = { row: { node: -1, name: "", children: 0, inclusive: null, exclusive: null }, depth: -1, parent: null, open: true,
      children: [], total: 0, place: 0 };
    /** @type {Map<number, Branch>} */
    this.byNode = new Map();
  }

  /** @param {Branch} branch */
  nameOf(branch) { return branch === this.top ? "roots" : String(branch.row.node); }

  /** @param {Rows} rows */
  take(rows) {
    const above = rows.node === null ? this.top : this.byNode.get(rows.node);
    if (!above) return;
    above.total = rows.total;
    if (rows.pending) this.isPending();
    for (const row of rows.rows) {
      const known = this.byNode.get(row.node);
      if (known) {
        known.row = row;
        continue;
      }
      /** @type {Branch} */
      const branch = { row, depth: above.depth + 1, parent: above, open: false, children: [], total: row.children,
        place: above.children.length };
      this.byNode.set(row.node, branch);
      above.children.push(branch);
    }
  }

  /** The first rows below each of these. @param {Branch[]} branches */
  async loadFirst(branches) {
    for (const answer of await Promise.all(this.firstOf(branches))) answer.forEach(rows => this.take(rows));
  }

  /** @param {Branch[]} branches @returns {Promise<Rows[]>[]} */
  firstOf(branches) {
    const questions = [];
    for (let at = 0; at < branches.length; at += nodesAtOnce)
      questions.push(this.load(branches.slice(at, at + nodesAtOnce).map(each => this.nameOf(each)).join(","), 0, part));
    return questions;
  }

  /** Further rows below a node. @param {Branch} branch */
  async loadMore(branch) {
    for (const rows of await this.load(this.nameOf(branch), branch.children.length, part)) this.take(rows);
  }

  /** Loads rows below a node until there is enough. @param {Branch} branch @param {() => boolean} isEnough */
  async loadUntil(branch, isEnough) {
    while (!isEnough() && branch.children.length < branch.total) {
      const before = branch.children.length;
      await this.loadMore(branch);
      if (branch.children.length === before) return;
    }
  }

  /** The rows of all that was loaded, as they are now: to be given to `take`. @returns {Promise<Rows[]>} */
  async anew() {
    const open = [this.top, ...this.byNode.values()].filter(each => each.open);
    const questions = this.firstOf(open);
    for (const each of open)
      for (let from = part; from < each.children.length; from += part) questions.push(this.load(this.nameOf(each), from, part));
    return (await Promise.all(questions)).flat();
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

  /** The names that lead to a branch. @param {Branch} branch @returns {string[]} */
  pathOf(branch) {
    const path = [];
    for (let at = branch; at.parent; at = at.parent)
      for (const [name, child] of this.named(at.parent)) if (child === at) path.unshift(name);
    return path;
  }

  /** @param {string[]} path @returns {Branch | undefined} */
  at(path) {
    /** @type {Branch | undefined} */
    let at = this.top;
    for (const name of path) at = at && this.named(at).get(name);
    return at;
  }

  /** Loads and opens what is loaded and open in another tree. @param {Branches} other */
  async openLike(other) {
    for (let level = [{ here: this.top, there: other.top }]; level.length > 0;) {
      const open = [];
      for (const { here, there } of level) {
        await this.loadUntil(here, () => here.children.length >= there.children.length);
        const names = other.named(there);
        for (const [name, child] of this.named(here)) {
          const like = names.get(name);
          child.open ||= child.row.children > 0 && like !== undefined && like.open;
          if (child.open && like) open.push({ here: child, there: like });
        }
      }
      await this.loadFirst(open.map(each => each.here).filter(each => each.children.length === 0));
      level = open;
    }
  }

  /**
   * Loads a node, and opens everything above it.
   * @param {number} node
   * @param {number[]} above  from the root downwards
   */
  async reveal(node, above) {
    let parent = this.top;
    for (const each of [...above, node]) {
      await this.loadUntil(parent, () => this.byNode.has(each));
      const found = this.byNode.get(each);
      if (!found) return;
      if (each === node) return;
      found.open = true;
      if (found.children.length === 0) await this.loadFirst([found]);
      parent = found;
    }
  }
}
