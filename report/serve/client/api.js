// SPDX-License-Identifier: BSD-3-Clause
// Questions to the server. The token comes with the address (http://…/#TOKEN), and is sent with each question; it stays in this
// tab of the browser.

const kept = "holos-token";
const given = location.hash.slice(1);
if (given) {
  sessionStorage.setItem(kept, given);
  history.replaceState(null, "", location.pathname);
}

/**
 * @typedef {{ node: number, name: string, children: number, inclusive: number | null, exclusive: number | null,
 *             unit?: string, uniqueName?: string }} Row
 * @typedef {{ node: number | null, total: number, pending: boolean, rows: Row[] }} Rows
 * @typedef {Record<string, string | number | undefined>} Parameters
 */

/**
 * @param {string} path
 * @param {Parameters} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, parameters = {}, signal) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) words.set(name, String(value));
  let answer;
  try {
    answer = await fetch("/api/" + path + "?" + words, {
      headers: { Authorization: "Bearer " + (sessionStorage.getItem(kept) ?? "") },
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("The server does not answer. It ends when nobody has asked it for some time.");
  }
  const told = await answer.json();
  if (answer.status === 401) throw new Error("Open the address that holos serve has printed: it has a token at its end.");
  if (!answer.ok) throw new Error(told.error);
  return told;
}
