// SPDX-License-Identifier: BSD-3-Clause
// The elements of the panes. Scripts and styles find them by `data-part` below a root: a page may have several of them.

let count = 0;

const text = `
<header>
  <label>Experiment <select data-part="experiment"></select></label>
  <span data-part="with"><select data-part="how" aria-label="Combined with others"><option value="">alone</option><option value="-">minus</option><option value="mean:">mean with</option><option value="merge:">merged with</option></select>
  <select data-part="other" aria-label="Other experiment" hidden></select></span>
  <label>Values <select data-part="values"><option value="absolute">absolute</option><option value="percent">percent</option></select></label>
  <label>Find <input data-part="find" type="search" autocomplete="off"></label>
  <output data-part="found" aria-live="polite"></output>
  <label>Only <select data-part="only"><option value="">the whole run</option></select></label>
  <ul data-part="part" aria-label="Part of the run that is shown"></ul>
</header>
<p data-part="live" role="status" hidden></p>
<p data-part="making" role="status" hidden></p>
<p data-part="message" role="alert" hidden></p>
<div class="panes">
  <section class="pane"><h3>Metrics</h3><div class="tree" data-part="metrics" aria-label="Metrics"></div></section>
  <section class="pane"><h3>Call paths</h3><div class="tree" data-part="calls" aria-label="Call paths"></div></section>
  <section class="pane"><h3>System</h3><div class="tree" data-part="system" aria-label="System"></div></section>
</div>
<div class="details"><div role="tablist" aria-label="Details"></div></div>`;

/**
 * Puts the elements into a root.
 * @param {HTMLElement} root
 * @param {{ name: string, title: string }[]} details  what there is below the panes: each gets a tab and a panel
 * @returns {(part: string) => HTMLElement}  finds an element; `tab-NAME` and `NAME` are those of a detail
 */
export function layOut(root, details) {
  const number = ++count;
  root.classList.add("holos");
  root.innerHTML = text;
  const box = /** @type {HTMLElement} */ (root.querySelector(".details")), list = /** @type {HTMLElement} */ (box.firstElementChild);
  for (const { name, title } of details) {
    const tab = document.createElement("button"), panel = document.createElement("div");
    tab.textContent = title;
    tab.setAttribute("role", "tab");
    panel.setAttribute("role", "tabpanel");
    tab.dataset.part = "tab-" + name;
    panel.dataset.part = name;
    tab.id = `holos-${number}-tab-${name}`;
    panel.id = `holos-${number}-${name}`;
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("aria-labelledby", tab.id);
    panel.hidden = true;
    list.append(tab);
    box.append(panel);
  }
  /** @type {(part: string) => HTMLElement} */
  const find = part => /** @type {HTMLElement} */ (root.querySelector(`[data-part="${part}"]`));
  // Rows are told to screen readers by ids.
  for (const tree of ["metrics", "calls", "system"]) find(tree).id = `holos-${number}-${tree}`;
  return find;
}
