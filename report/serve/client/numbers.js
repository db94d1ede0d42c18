// SPDX-License-Identifier: BSD-3-Clause
// How values are written.

const prefixes = ["n", "µ", "m", "", "k", "M", "G", "T", "P"];
const plain = 3;

/** What units are written as, and how much of that they are: prefixes are put anew. @type {Record<string, [string, number]>} */
const written = {
  sec: ["s", 1], s: ["s", 1], msec: ["s", 1e-3], ms: ["s", 1e-3], usec: ["s", 1e-6], us: ["s", 1e-6], "µs": ["s", 1e-6],
  nsec: ["s", 1e-9], ns: ["s", 1e-9], bytes: ["B", 1], byte: ["B", 1], B: ["B", 1], kB: ["B", 1e3], KB: ["B", 1e3],
  MB: ["B", 1e6], GB: ["B", 1e9], KiB: ["B", 2 ** 10], MiB: ["B", 2 ** 20], GiB: ["B", 2 ** 30],
};

/** The third says whether a prefix stands right in front of it. @param {string} unit @returns {[string, number, boolean]} */
function baseOf(unit) {
  if (Object.hasOwn(written, unit)) return [...written[unit], true];
  if (!unit.endsWith("/s") || unit === "/s") return [unit, 1, false];
  const [base, scale, isJoined] = baseOf(unit.slice(0, -2));
  return [base + "/s", scale, isJoined];
}

/**
 * Four digits, a prefix and the unit, as in `316.3 ms`; small whole numbers as they are; null: undefined. Seconds have no
 * large prefixes, all else has no small ones.
 * @param {number | null} value
 * @param {string} [unit]  of the experiment, such as `sec`
 * @returns {string}
 */
export function shown(value, unit = "") {
  if (value === null || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const [base, scale, isJoined] = baseOf(unit);
  const number = value * scale, size = Math.abs(number);
  const behind = (/** @type {string} */ text, prefix = "") =>
      (text + " " + (prefix && base && !isJoined ? prefix + "\u2009" : prefix) + base).trim();
  if (Number.isInteger(number) && size < 1e5) return behind(String(number));
  const power = Number(size.toExponential(3).split("e")[1]);
  const least = base === "s" ? 0 : plain, most = base === "s" ? plain : prefixes.length - 1;
  const place = Math.min(Math.max(Math.floor(power / 3) + plain, least), most);
  const inPrefix = number / 10 ** (3 * (place - plain)), before = power - 3 * (place - plain);
  if (before < -3) return behind(inPrefix.toExponential(3), prefixes[place]);
  return behind(inPrefix.toFixed(Math.max(0, 3 - before)), prefixes[place]);
}

/**
 * @param {number | null} value
 * @param {number | null} whole  100 percent
 * @returns {string}
 */
export function percent(value, whole) {
  if (value === null || !whole) return "–";
  return (100 * value / whole).toFixed(2) + " %";
}
