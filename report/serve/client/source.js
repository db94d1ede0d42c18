// SPDX-License-Identifier: BSD-3-Clause
// Who answers the questions of the panes: a server (server.js), or the page itself from data that it carries (embedded.js).

/**
 * @typedef {{ node: number, name: string, children: number, inclusive: number | null, exclusive: number | null,
 *             unit?: string, uniqueName?: string }} Row
 * @typedef {{ node: number | null, total: number, pending: boolean, rows: Row[] }} Rows
 * @typedef {Record<string, string | number | undefined>} Parameters
 */

/**
 * `missing`: why the experiment cannot be shown; `note`: what is to be known of its values.
 * @typedef {{ name: string, timeline: boolean, live: string | null, missing?: string, note?: string }} Listed
 */

/**
 * `ask`: the answer to one of the questions that report/serve/api.h lists.
 * `beginView`: what is asked for the view before the present one is not waited for any more.
 * `progress`: told the part that is done of what is still being made, and null when it is there.
 * `hasParts`: whether a part of the run can be shown alone, and experiments combined.
 * @typedef {{ ask: (question: string, parameters?: Parameters) => Promise<any>, beginView: () => void,
 *             progress: (part: number | null) => void, hasParts: boolean }} Source
 */

export {};
