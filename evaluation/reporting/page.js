// A click on a heading sorts its table by that column; another one turns the order round.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const value = (row) => row.cells[column].dataset.v;
      const numeric = [...table.tBodies[0].rows].every((row) => value(row) !== "" && !isNaN(value(row)));
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : !numeric;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const order = (a, b) => (numeric ? value(a) - value(b) : value(a).localeCompare(value(b)));
      const rows = [...table.tBodies[0].rows].sort((a, b) => (up ? order(a, b) : order(b, a)));
      table.tBodies[0].append(...rows);
    });
  });
}
