// SPDX-License-Identifier: BSD-3-Clause
// Panes of experiments that a page carries within it: each element of class `holos-data` has some as JSON, and the panes come behind it.

import { Browser } from "./browser.js";
import { flameDetail, metricDetail } from "./details.js";
import { Embedded } from "./embedded.js";

for (const data of document.querySelectorAll("script.holos-data")) {
  const root = document.createElement("div");
  data.after(root);
  const browser = new Browser(root, new Embedded(JSON.parse(data.textContent ?? "[]")), [metricDetail, flameDetail],
    { words: () => "", put: () => {} });
  browser.start().catch(error => browser.complain(error));
}
