// SPDX-License-Identifier: BSD-3-Clause
// A server that is asked. The token comes with the address (http://…/#TOKEN), and is sent with each question; it stays in this
// tab of the browser.

const kept = "holos-token";

/** What stands behind `#` is the token, or what was looked at (view.js), or both: the token leaves the address. */
export function takeToken() {
  const given = location.hash.slice(1).split(",");
  if (!given[0] || given[0].includes("=")) return;
  sessionStorage.setItem(kept, given[0]);
  history.replaceState(null, "", location.pathname + (given.length > 1 ? "#" + given.slice(1).join(",") : ""));
}

const authorization = () => ({ Authorization: "Bearer " + (sessionStorage.getItem(kept) ?? "") });

/** @implements {Source} @typedef {import("./source.js").Source} Source */
export class Server {
  constructor() {
    this.hasParts = true;
    this.view = 0;
    /** @type {(part: number | null) => void} */
    this.progress = () => {};
  }

  beginView() { ++this.view; }

  /**
   * @param {string} question
   * @param {import("./source.js").Parameters} [parameters]
   * @returns {Promise<any>}
   */
  async ask(question, parameters = {}) {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== "") words.set(name, String(value));
    const asked = this.view;
    for (let isPending = false;;) {
      let answer;
      try {
        answer = await fetch("/api/" + question + "?" + words, { headers: authorization() });
      } catch {
        throw new Error("The server does not answer. It ends when nobody has asked it for some time.");
      }
      const told = await answer.json();
      if (asked !== this.view) throw new DOMException("another view is shown", "AbortError");
      if (answer.status === 202) {
        isPending = true;
        this.progress(told.part);
        await new Promise(done => setTimeout(done, 400));
        continue;
      }
      if (isPending) this.progress(null);
      if (answer.status === 401) throw new Error("Open the address that holos serve has printed: it has a token at its end.");
      if (!answer.ok) throw new Error(told.error);
      return told;
    }
  }

  /**
   * Calls `heard` whenever the server says that there is more of a recording, until it ends.
   * @param {() => void} heard
   */
  async listen(heard) {
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
}
