// SPDX-License-Identifier: BSD-3-Clause
// What the run is about, in words.

/**
 * @typedef {{ mistake: boolean, what: string, where: string, who: string, why: string, remedy: string, chance: string,
 *             percent: number }} Problem
 * @typedef {{ text: string, problems: Problem[], notes: string[], doubts: { text: string }[] }} Summary
 */

/** @param {string} text @param {string} [name] */
function paragraph(text, name) {
  const element = document.createElement("p");
  if (name) element.className = name;
  element.textContent = text;
  return element;
}

/**
 * @param {HTMLElement} panel
 * @param {Summary | null} summary
 */
export function showSummary(panel, summary) {
  panel.replaceChildren();
  if (!summary) {
    panel.append(paragraph("There is nothing to say of this experiment in words."));
    return;
  }
  panel.append(paragraph(summary.text));
  const list = document.createElement("ol");
  for (const problem of summary.problems) {
    const item = document.createElement("li");
    item.append(paragraph(problem.what, problem.mistake ? "mistake" : ""));
    for (const text of [problem.where, problem.who, problem.why, problem.remedy, problem.chance])
      if (text) item.append(paragraph(text));
    list.append(item);
  }
  if (summary.problems.length > 0) panel.append(list);
  for (const note of summary.notes) panel.append(paragraph("Counters: " + note));
  for (const doubt of summary.doubts) panel.append(paragraph("Note: " + doubt.text));
}
