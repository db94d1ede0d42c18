// SPDX-License-Identifier: BSD-3-Clause
// What the run is about, in words.

/**
 * @typedef {{ mistake: boolean, what: string, costs: string, where: string, who: string, why: string, remedy: string, gain: string,
 *             chance: string }} Problem
 * @typedef {{ first: string[], text: string, problems: Problem[], notes: string[], doubts: { text: string, command: string }[] }} Summary
 */

/** A unit stays in the line of its number. @param {string} text */
function together(text) { return text.replace(/(\d) (?=(%|[nµum]?s|[kMG]?B)(?!\w))/g, "$1\u00a0"); }

/** @param {string} text @param {string} [name] */
function paragraph(text, name) {
  const element = document.createElement("p");
  if (name) element.className = name;
  element.textContent = together(text);
  return element;
}

/** What is said of a problem, each with a word in front; what is not known is left out. @param {Problem} problem */
function sayings(problem) {
  const list = document.createElement("dl");
  /** @type {[string, string][]} */
  const all = [["where", problem.where], ["who", problem.who], ["why", problem.why], ["helps", problem.remedy], ["gain", problem.gain],
    ["but", problem.chance]];
  for (const [word, text] of all) {
    if (!text) continue;
    for (const [kind, said] of [["dt", word], ["dd", text]]) {
      const element = document.createElement(kind);
      element.textContent = together(said);
      list.append(element);
    }
  }
  return list;
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
  for (const text of [...summary.first, summary.text]) if (text) panel.append(paragraph(text));
  const list = document.createElement("ol");
  for (const problem of summary.problems) {
    const item = document.createElement("li");
    item.append(paragraph(`${problem.what} (${problem.costs})`, problem.mistake ? "mistake" : ""), sayings(problem));
    list.append(item);
  }
  if (summary.problems.length > 0) panel.append(list);
  for (const note of summary.notes) panel.append(paragraph("Counters: " + note));
  for (const doubt of summary.doubts) panel.append(paragraph("Note: " + doubt.text + (doubt.command ? ": " + doubt.command : "")));
}
