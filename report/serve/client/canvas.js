// SPDX-License-Identifier: BSD-3-Clause
// What both pictures need.

/**
 * A canvas with as many pixels as the display has.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width  in CSS pixels
 * @param {number} height
 * @returns {CanvasRenderingContext2D}
 */
export function sized(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.style.height = height + "px";
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(scale, scale);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  return context;
}

/** A colour for a name, always the same. @param {string} name @param {number} hue @param {number} spread */
export function colourOf(name, hue, spread) {
  let number = 0;
  for (let at = 0; at < name.length; ++at) number = (number * 31 + name.charCodeAt(at)) % 9973;
  return `hsl(${hue + number % spread} 65% ${58 + number % 13}%)`;
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
export function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + "…").width <= width) low = middle; else high = middle - 1;
  }
  return low > 1 ? text.slice(0, low) + "…" : "";
}
