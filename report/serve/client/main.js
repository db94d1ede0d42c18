// SPDX-License-Identifier: BSD-3-Clause
// The page of holos serve: panes that fill it, and the address of what they show.

import { Browser } from "./browser.js";
import { flameDetail, metricDetail, summaryDetail } from "./details.js";
import { Server, takeToken } from "./server.js";
import { Table } from "./table.js";
import { Timeline } from "./timeline.js";

takeToken();
const server = new Server();

/** @param {import("./source.js").Listed | undefined} of */
function noTrace(of) {
  return of?.live ? "The program runs: its trace can be seen when it has ended." : of ? "No trace lies beside this experiment."
      : "Several experiments have no trace together.";
}

const mostTimelines = 4;

/** Of several experiments those with a trace stand below each other, on one scale. @type {import("./details.js").DetailKind} */
const timelineDetail = {
  name: "timeline", title: "Timeline", make: (panel, browser) => {
    /** @type {Timeline[]} */
    let timelines = [];
    let shown = "";
    const said = document.createElement("p");
    return {
      show: async () => {
        const all = browser.combinedNumbers.numbers.filter(each => browser.experiments[Number(each)]?.timeline);
        const numbers = all.slice(0, mostTimelines);
        if (numbers.join(",") !== shown || numbers.length === 0) {
          shown = numbers.join(",");
          const boxes = numbers.map(() => document.createElement("div"));
          panel.replaceChildren(said, ...boxes);
          timelines = boxes.map((box, at) => new Timeline(box, server, numbers.length > 1 ? browser.experiments[Number(numbers[at])].name : ""));
          for (const each of timelines) {
            each.together = timelines;
            each.mostRows = Math.ceil(each.mostRows / numbers.length);
          }
        }
        said.textContent = numbers.length === 0 ? browser.listed ? noTrace(browser.listed) : "No trace lies beside these experiments."
            : all.length > numbers.length ? `The first ${numbers.length} of ${all.length} timelines` : "";
        said.hidden = said.textContent === "";
        await Promise.all(timelines.map((each, at) => each.show(numbers[at])));
        browser.offerParts();
      },
      offers: () => {
        if (!browser.listed || timelines.length !== 1 || !timelines[0].tile) return [];
        const [from, to] = timelines[0].sight();
        return [["the time in sight", `range=${from}:${to}`]];
      },
    };
  },
};

/** @type {import("./details.js").DetailKind} */
const tableDetail = {
  name: "table", title: "Table", make: (panel, browser) => {
    const table = new Table(panel, server);
    table.changed = () => {
      browser.view.table = table.link;
      browser.tellAddress();
    };
    return {
      show: async () => {
        if (browser.view.table !== "" && browser.view.table !== table.link) table.link = browser.view.table;
        if (browser.listed?.timeline) await table.show(browser.view.experiment, browser.view.only.join(","));
        else table.told.textContent = noTrace(browser.listed);
      },
    };
  },
};

const root = /** @type {HTMLElement} */ (document.querySelector("main"));
const browser = new Browser(root, server, [summaryDetail, metricDetail, flameDetail, timelineDetail, tableDetail], {
  words: () => location.hash,
  put: (words, isStep) => {
    const address = location.pathname + (words === "" ? "" : "#" + words);
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  },
});
const title = document.createElement("h1");
title.textContent = "Holos";
root.querySelector("header")?.prepend(title);
window.addEventListener("unhandledrejection", event => {
  browser.complain(event.reason);
  event.preventDefault();
});
window.addEventListener("popstate", () => browser.goToAddress());

/** Recordings that go on are looked at again when there is more. */
async function follow() {
  while (browser.experiments.some(each => each.live)) {
    await server.listen(async () => {
      browser.experiments = await server.ask("experiments");
      await browser.show();
    }).catch(() => {});
    await new Promise(done => setTimeout(done, 3000));
    browser.experiments = await server.ask("experiments");
  }
}

async function start() {
  await browser.start();
  document.title = "Holos: " + browser.experiments.map(each => each.name).join(", ");
  await follow();
}
start().catch(error => browser.complain(error));
