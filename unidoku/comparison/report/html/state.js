// The view: what is chosen, kept in the address after the hash, so that a link opens it again.

const DEFAULTS = {
  layout: "", source: "", group: "", outcome: "", off: "", plot: "cdf", x: "", y: "", boards: "1",
  over: "", sort: "", case: "",
};
const state = { ...DEFAULTS };

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(DEFAULTS)) state[name] = asked.get(name) ?? DEFAULTS[name];
}

function writeAddress() {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== DEFAULTS[name]) asked.set(name, value);
  }
  const hash = asked.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

function update(changes) {
  Object.assign(state, changes);
  writeAddress();
  changed(Object.keys(changes));
}

// Backends that are switched off, by label; a label may hold any character.
function offLabels() {
  try {
    return new Set(state.off ? JSON.parse(state.off) : []);
  } catch {
    return new Set(); // the address was typed by hand
  }
}

function toggleBackend(label) {
  const off = offLabels();
  if (!off.delete(label)) off.add(label);
  if (off.size === backends.length) off.clear(); // the last one off: all on again
  update({ off: off.size ? JSON.stringify([...off]) : "" });
}

function chosenBackends() {
  const off = offLabels();
  const all = backends.map((_, backend) => backend);
  const chosen = all.filter((backend) => !off.has(backends[backend]));
  return chosen.length ? chosen : all;
}

const OUTCOME_TESTS = {
  "all-solved": (found) => found.every((code) => code === SOLVED),
  "not-all-solved": (found) => found.some((code) => code !== SOLVED),
  "nobody": (found) => found.every((code) => code !== SOLVED),
};

function chosenCases(chosen, group = state.group) {
  const test = OUTCOME_TESTS[state.outcome];
  const asked = outcomes.indexOf(state.outcome);
  const numbers = [];
  for (let number = 0; number < cases.length; number++) {
    if (state.layout && layouts[cases.layout[number]].label !== state.layout) continue;
    if (state.source && sources[cases.source[number]] !== state.source) continue;
    if (group && groups.names[groups.of[number]] !== group) continue;
    if (state.outcome) {
      const found = chosen.map((backend) => cells.outcome[cellOf(backend, number)]);
      if (!(test ? test(found) : found.includes(asked))) continue;
    }
    numbers.push(number);
  }
  return numbers;
}

const isFiltered = () => ["layout", "source", "group", "outcome"].some((name) => state[name]);
