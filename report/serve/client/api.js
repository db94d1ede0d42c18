// SPDX-License-Identifier: BSD-3-Clause
// Questions to the server. The token comes with the address (http://…/#TOKEN), and is sent with each question; it stays in this
// tab of the browser.

const kept = "holos-token";
// What stands behind `#` is the token, or what was looked at (view.js), or both.
const given = location.hash.slice(1).split(",");
if (given[0] && !given[0].includes("=")) {
  sessionStorage.setItem(kept, given[0]);
  history.replaceState(null, "", location.pathname + (given.length > 1 ? "#" + given.slice(1).join(",") : ""));
}

/** What is asked for the view before the present one is not waited for any more. */
let view = 0;
export function beginView() { ++view; }

/** Called with the part that is done of what the server still makes, and with nothing when it is there.
 * @type {{ tell: (part: number | null) => void }} */
export const progress = { tell: () => {} };

const authorization = () => ({ Authorization: "Bearer " + (sessionStorage.getItem(kept) ?? "") });

/**
 * @typedef {{ node: number, name: string, children: number, inclusive: number | null, exclusive: number | null,
 *             unit?: string, uniqueName?: string }} Row
 * @typedef {{ node: number | null, total: number, pending: boolean, rows: Row[] }} Rows
 * @typedef {Record<string, string | number | undefined>} Parameters
 */

/**
 * @param {string} path
 * @param {Parameters} [parameters]
 * @returns {Promise<any>}
 */
export async function ask(path, parameters = {}) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== "") words.set(name, String(value));
  const asked = view;
  for (let isPending = false;;) {
    let answer;
    try {
      answer = await fetch("/api/" + path + "?" + words, { headers: authorization() });
    } catch {
      throw new Error("The server does not answer. It ends when nobody has asked it for some time.");
    }
    const told = await answer.json();
    if (asked !== view) throw new DOMException("another view is shown", "AbortError");
    if (answer.status === 202) {
      isPending = true;
      progress.tell(told.part);
      await new Promise(done => setTimeout(done, 400));
      continue;
    }
    if (isPending) progress.tell(null);
    if (answer.status === 401) throw new Error("Open the address that holos serve has printed: it has a token at its end.");
    if (!answer.ok) throw new Error(told.error);
    return told;
  }
}

/**
 * Calls `heard` whenever the server says that there is more of a recording, until it ends.
 * @param {() => void} heard
 */
export async function listen(heard) {
  const answer = await fetch("/api/events", { headers: authorization() });
  if (!answer.ok || !answer.body) throw new Error("The server does not tell what is new.");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "";;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      if (rest.startsWith("data:")) heard();
      rest = rest.slice(end + 2);
    }
  }
}
