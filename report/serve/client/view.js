// SPDX-License-Identifier: BSD-3-Clause
// What is looked at, as the address has it behind `#`: `experiment=0-1,metric=time,call=main/solve,only-kind=MPI`. The words are those
// of links of `holos view`.

/**
 * `only`: the part of the run, each word as it stands in the address. `call` and `system` are keys of rows, `metric` is a unique name.
 * @typedef {{ experiment: string, metric: string, call: string, system: string, mode: string, detail: string, table: string,
 *             only: string[] }} View
 */

/** @returns {View} */
export function emptyView() {
  return { experiment: "0", metric: "", call: "", system: "", mode: "absolute", detail: "summary", table: "", only: [] };
}

/** What a name is in a word. @param {string} name */
export function escaped(name) {
  return encodeURIComponent(name).replace(/%3A/g, ":").replace(/%40/g, "@").replace(/%20/g, " ")
      .replace(/[!'*]/g, each => "%" + each.charCodeAt(0).toString(16).toUpperCase());
}

/** @param {string} text @returns {string} */
export function unescaped(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

const plain = ["experiment", "metric", "mode", "detail", "table"];
const keys = ["call", "system"];

/** @param {string} hash @returns {View} */
export function viewFrom(hash) {
  const view = emptyView();
  for (const word of hash.replace(/^#/, "").replace(/%20/g, " ").split(",")) {
    const [name, ...rest] = word.split("=");
    const value = rest.join("=");
    if (value === "") continue;
    if (name === "range" || name.startsWith("only-")) view.only.push(word);
    else if (plain.includes(name)) Object.assign(view, { [name]: unescaped(value) });
    else if (keys.includes(name)) Object.assign(view, { [name]: value });
  }
  return view;
}

/** @param {View} view @returns {string} */
export function wordsOf(view) {
  const usual = /** @type {Record<string, any>} */ (emptyView()), now = /** @type {Record<string, any>} */ (view);
  const words = [...view.only];
  for (const name of plain) if (now[name] !== usual[name]) words.push(name + "=" + escaped(now[name]));
  for (const name of keys) if (now[name] !== "") words.push(name + "=" + now[name]);
  return words.join(",");
}

/** A word of `only`, as people read it. @param {string} word */
export function textOf(word) {
  const [name, value] = [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)];
  if (name === "range") return value.split(":").map(each => Number(Number(each).toPrecision(6)) + " s").join(" to ");
  if (name === "only-region") return "calls of " + unescaped(value) + " (without callees)";
  if (name === "only-kind") return "calls that belong to " + unescaped(value) + " (without callees of other kinds)";
  const parts = value.split("/").map(unescaped);
  return (name === "only-call" ? "in " : "") + (parts.length > 2 ? "… / " : "") + parts.slice(-2).join(" / ");
}
