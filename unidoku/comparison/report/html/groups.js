// The groups that the report was asked for: backends by group, coloured, each heading a filter.

const groups = raw.groups && { ...raw.groups, of: column(raw.groups.of) };

// The geometric mean of the times, where a case that is not solved costs twice the limit.
function typicalTime(backend, numbers) {
  const logs = [];
  let solved = 0;
  for (const number of numbers) {
    const cell = cellOf(backend, number);
    if (cells.outcome[cell] < 0) continue;
    if (isSolved(cell)) solved++;
    else if (timeLimit === null) continue;
    logs.push(isSolved(cell) ? logOf(cell) : Math.log(2 * timeLimit));
  }
  return { value: Math.exp(mean(logs)), solved, cases: numbers.length };
}

function groupsTable(rows) {
  const members = groups.names.map(() => []);
  for (const number of chosenCases(rows.map((row) => row.backend), "")) {
    members[groups.of[number]].push(number);
  }
  const there = members.flatMap((numbers, group) => (numbers.length ? [group] : []));
  const heads = there.map((group) => {
    const name = groups.names[group];
    const pressed = state.group === name;
    const choose = () => update({ group: pressed ? "" : name });
    return make("th", { scope: "col" },
      make("button", { "aria-pressed": String(pressed), onclick: choose }, name));
  });
  const columns = there.map((group) => rows.map((row) => typicalTime(row.backend, members[group])));
  const ends = columns.map((figures) => {
    const values = figures.map(({ value }) => value).filter((value) => !Number.isNaN(value));
    return [Math.min(...values), Math.max(...values)];
  });
  const figureCell = (figure, [best, worst]) => {
    const { value, solved, cases: all } = figure;
    if (Number.isNaN(value)) return make("td", { class: "number" }, NOTHING);
    const depth = worst > best ? 1 - Math.log(value / best) / Math.log(worst / best) : 1;
    return make("td", {
      class: value === best ? "number best" : "number",
      style: `--depth: ${Math.round(100 * depth)}%`,
      title: `${solved.toLocaleString("en")} of ${plural(all, "case")} solved`,
    }, seconds(value));
  };
  const body = rows.map(({ backend }, row) => make("tr", {},
    make("th", { scope: "row" }, ...key(backend)),
    ...columns.map((figures, index) => figureCell(figures[row], ends[index]))));
  return make("table", { class: "groups" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "backend"), ...heads)),
    make("tbody", {}, ...body));
}
