// Every goal with what was measured for it.

/** @returns one line per goal that the results say something of. */
export function goalsOf({
  loads = [],
  search = [],
  history = [],
  writes,
  ready = [],
  growth = [],
  worst = [],
  flood = [],
  fairness = [],
  options,
}) {
  return [
    ...[...loads, ...search].flatMap(ratioGoals),
    ...historyGoals(history),
    ...(writes === undefined ? [] : writeGoals(writes, loads, options)),
    ...ready.map(readyGoal),
    ...growthGoals(growth),
    ...worstGoals(worst),
    ...flood.flatMap(floodGoals),
    ...fairness.filter(({ load }) => load !== 'nothing').map(fairnessGoal),
  ];
}

const rowsText = (rows) => `${rows.toLocaleString('en')} rows`;

function ratioGoals({ title, rows, ratios }) {
  return ratios.map(({ peer, must, ratio, low, high }) => ({
    title: `${title}, ${rowsText(rows)}, against ${peer}`,
    must,
    unit: '×',
    value: ratio,
    low,
    high,
    verdict: ratio >= must ? 'pass' : '**fail**',
  }));
}

/** A goal that is a limit. */
function limit(title, must, unit, value, more = {}) {
  return { title, must, unit, value, atMost: true, ...more, verdict: value <= must ? 'pass' : '**fail**' };
}

/** So long may a history take where requests come at a steady rate over 32 connections. */
const HISTORY_MS = 20;

function historyGoals(results) {
  return results
    .filter(({ target }) => target === 'revgate')
    .map(({ load, rows, steady }) =>
      limit(
        `History of ${load === 'H1' ? 'one' : 'ten'} (p99), ${rowsText(rows)}`,
        HISTORY_MS,
        'ms',
        steady.p99,
      ),
    );
}

function writeGoals({ latency, stalls }, loads, { rows, largeRows }) {
  const lines = [];
  const large = latency.filter((one) => one.rows === (largeRows ?? rows));
  for (const [name, word] of [
    ['cold', 'lists not asked for before, a write a second'],
    ['writing', 'a write a second'],
    ['quiet', 'no writes'],
  ]) {
    const values = large.map((one) => one[name].p99);
    const title = `p99 at 32 connections, ${word}, ${rowsText(large[0].rows)}, worst load`;
    lines.push(
      limit(title, 20, 'ms', Math.max(...values), { low: Math.min(...values), high: Math.max(...values) }),
    );
  }
  for (const size of [rows, largeRows]) {
    const must = size > 100_000 ? 800 : 400;
    const own = latency.filter((one) => one.rows === size);
    if (own.length > 0) {
      const quiet = [
        ...own.map((one) => one.quiet.rss),
        ...loads.flatMap((one) => (one.rows === size ? (one.targets.revgate?.rss ?? []) : [])),
      ];
      const writing = own.map((one) => Math.max(...[one.cold, one.writing].map(({ rss }) => rss)));
      lines.push(limit(`RSS under load, ${rowsText(size)}`, must, 'MB', Math.max(...quiet)));
      lines.push(
        limit(`RSS under load and a write a second, ${rowsText(size)}`, must, 'MB', Math.max(...writing)),
      );
    }
  }
  for (const { rows, surface, refreshing, quiet } of stalls) {
    lines.push(
      limit(
        `Longest ${surface} request during refreshes, ${rowsText(rows)}`,
        50,
        'ms',
        refreshing.longestRequest,
      ),
      limit(
        `Longest turn of the event loop then (${quiet.longestStall.toFixed(0)} without)`,
        50,
        'ms',
        refreshing.longestStall,
      ),
    );
  }
  return lines;
}

function readyGoal({ place, rows, ms, low, high }) {
  const must = place === 'embedded' ? 2_500 : rows > 100_000 ? 6_000 : 2_000;
  return limit(`Ready on ${place}, ${rowsText(rows)}`, must, 'ms', ms, { low, high });
}

function worstGoals(operations) {
  if (operations.length === 0) {
    return [];
  }
  const { rows, kind, cost, stall } = operations.reduce((one, other) =>
    other.stall > one.stall ? other : one,
  );
  return [limit(`Longest turn by one operation (${kind}, cost ${cost}), ${rowsText(rows)}`, 50, 'ms', stall)];
}

function floodGoals({ kind, during, after }) {
  return [
    limit(`/health while 250 connections pipeline requests for ${kind}`, 100, 'ms', during),
    limit('/health after they have left', 100, 'ms', after),
  ];
}

/** So long may a list wait for other keys that spend their whole limit. */
const WAIT_MS = 250;

function fairnessGoal({ load, rows, max }) {
  return limit(
    `Longest list while five other premium keys send ${load}, ${rowsText(rows)}`,
    WAIT_MS,
    'ms',
    max,
  );
}

// Measurements differ by a little from run to run even where nothing grows.
const NOISE = 1.25;

function growthGoals(points) {
  const own = points.filter(({ target }) => target === 'revgate');
  const at = (surface, rows, load) =>
    own.find((one) => one.surface === surface && one.rows === rows && one.load === load)?.micros;
  const sizes = [...new Set(own.map(({ rows }) => rows))];
  return [...new Set(own.map(({ surface }) => surface))].flatMap((surface) => {
    const [small, large] = [sizes[0], sizes.at(-1)];
    const depth = at(surface, large, 'D90') / at(surface, large, 'D0');
    const lines = [
      limit(
        `Cost over ${surface} at 90 % depth, by that of the first page, ${rowsText(large)}`,
        NOISE,
        '×',
        depth,
      ),
    ];
    for (const load of small === large ? [] : ['W1', 'W5']) {
      const growth = at(surface, large, load) / at(surface, small, load);
      const title = `Cost over ${surface} of ${load} at ${rowsText(large)}, by that at ${rowsText(small)}`;
      lines.push(limit(title, large / small, '×', growth));
    }
    return lines;
  });
}
