// SPDX-License-Identifier: BSD-3-Clause
// How values are written.

const prefixes = ["n", "µ", "m", "", "k", "M", "G", "T", "P"];

/**
 * Four digits and a prefix; small whole numbers as they are; null: undefined.
 * @param {number | null} value
 * @returns {string}
 */
export function shown(value) {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value === 0 || (Number.isInteger(value) && size < 1e5)) return String(value);
  const power = Number(size.toExponential(3).split("e")[1]);
  const place = Math.min(Math.max(Math.floor(power / 3), -3), 5);
  const digits = Math.max(0, Math.min(4, 3 - (power - 3 * place)));
  return ((value / 10 ** (3 * place)).toFixed(digits) + " " + prefixes[place + 3]).trim();
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
