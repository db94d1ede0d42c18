// SPDX-License-Identifier: BSD-3-Clause
// What stands below the panes: a tab each.

import { Flame } from "./flame.js";
import { showSummary } from "./summary.js";

/**
 * `show`: asks for what is to be seen, and shows it; `offers`: what of it may be shown alone, as text and word of the address;
 * `leave`: another view takes the place of this one.
 * @typedef {{ show: () => Promise<void>, offers?: () => [string, string][], leave?: () => void }} Detail
 * @typedef {{ name: string, title: string, make: (panel: HTMLElement, browser: import("./browser.js").Browser) => Detail }} DetailKind
 */

/** What the run is about, in words. @type {DetailKind} */
export const summaryDetail = {
  name: "summary", title: "Summary", make: (panel, browser) => {
    panel.tabIndex = 0;
    let asked = 0;
    return {
      show: async () => {
        const now = ++asked;
        const summary = await browser.ask("summary", {});
        if (now === asked) showSummary(panel, summary);
      },
    };
  },
};

/** What the selected metric means. @type {DetailKind} */
export const metricDetail = {
  name: "metric", title: "Metric", make: (panel, browser) => {
    panel.tabIndex = 0;
    let asked = 0;
    return {
      show: async () => {
        const now = ++asked;
        const metric = await browser.ask("metric", browser.ofMetric());
        if (now !== asked) return;
        panel.replaceChildren(...[`${metric.displayName} (${metric.uniqueName})`, metric.description,
          metric.notEvaluated ? "Not evaluated: " + metric.notEvaluated : ""].filter(Boolean).map(text => {
          const element = document.createElement("p");
          element.textContent = text;
          return element;
        }));
      },
    };
  },
};

/** @type {DetailKind} */
export const flameDetail = {
  name: "flame", title: "Flame graph", make: (panel, browser) => {
    const flame = new Flame(panel, browser.source, node => void browser.revealPath(node, flame.above(node)));
    return {
      show: () => flame.show({ ...browser.ofView(), ...browser.ofMetric() }),
      leave: () => { flame.top = undefined; },
    };
  },
};
