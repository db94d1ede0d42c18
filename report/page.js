// SPDX-License-Identifier: BSD-3-Clause
// Tables that sort and fold.
"use strict";
// A row that has deeper rows behind it folds them. A heading sorts its column among rows that stand below the same one:
// the largest first, then the smallest, then as it was. The first column has names.
document.querySelectorAll("table.numbers").forEach(table => {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const top = { depth: -1, children: [], folded: false };
  const above = [top];
  for (const row of body.rows) {
    const name = row.cells[0];
    const node = { row, depth: Number(name.style.getPropertyValue("--depth")), children: [], folded: false };
    while (above.at(-1).depth >= node.depth) above.pop();
    above.at(-1).children.push(node);
    above.push(node);
  }
  function show(node, visible) {
    for (const child of node.children) {
      child.row.hidden = !visible;
      show(child, visible && !child.folded);
    }
  }
  function addFold(node) {
    for (const child of node.children) addFold(child);
    if (node === top || node.children.length === 0) return;
    const fold = document.createElement("button");
    fold.className = "fold";
    fold.setAttribute("aria-label", "What " + node.row.cells[0].textContent + " consists of");
    fold.setAttribute("aria-expanded", true);
    fold.addEventListener("click", () => {
      node.folded = !node.folded;
      fold.setAttribute("aria-expanded", !node.folded);
      show(node, !node.folded);
    });
    node.row.cells[0].prepend(fold);
  }
  addFold(top);

  const valueOf = (row, column) => column === 0 ? row.cells[0].textContent : Number(row.cells[column].dataset.value);
  function compare(column) {
    if (column === 0) return (one, other) => valueOf(other, 0).localeCompare(valueOf(one, 0));
    const missing = row => Number.isNaN(valueOf(row, column));
    return (one, other) => missing(one) || missing(other) ? missing(one) - missing(other)
                                                          : valueOf(other, column) - valueOf(one, column);
  }
  function append(node, order) {
    for (const child of order(node.children)) {
      body.append(child.row);
      append(child, order);
    }
  }
  headings.forEach((heading, column) => {
    heading.tabIndex = 0;
    const inRows = (one, other) => compare(column)(one.row, other.row);
    const orders = {
      descending: nodes => [...nodes].sort(inRows),
      ascending: nodes => [...nodes].sort(inRows).reverse(),
    };
    const sort = () => {
      const before = heading.getAttribute("aria-sort");
      const now = before === null ? "descending" : before === "descending" ? "ascending" : null;
      headings.forEach(each => each.removeAttribute("aria-sort"));
      if (now) heading.setAttribute("aria-sort", now);
      append(top, now ? orders[now] : nodes => nodes);
    };
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  });
});
