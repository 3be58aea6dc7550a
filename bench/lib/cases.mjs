// What is compared with whom, and what it has to reach: `must` and `aim` are multiples of a peer's
// requests per second in the same round.

/** The surface of each peer that asks for the same fields as one of ours. */
export const peerSurfaces = {
  'rest-sql': { graphql: 'cards', rest: 'records' },
  memory: { rest: 'records' },
  constant: { rest: 'constant' },
};

const graphql = (load, title, must, aim, size = 'base') => ({
  id: `graphql-${load}${size === 'large' ? '-large' : ''}`,
  surface: 'graphql',
  load,
  size,
  title: `GraphQL ${title} (${load})`,
  goals: { 'rest-sql': [must, aim] },
});
const rest = (load, title, must, aim, others = {}) => ({
  id: `rest-${load}`,
  surface: 'rest',
  load,
  size: 'base',
  title: `REST ${title} (${load})`,
  goals: { 'rest-sql': [must, aim], ...others },
});

export const cases = [
  graphql('W1', 'list with filter, new bounds every time', 4, 6),
  graphql('W2', 'list, no filter', 12, 20),
  graphql('W3', 'detail', 0.7, 1),
  graphql('W4', 'page at 90 % depth', 150, 300),
  graphql('W1h', '20 operations repeated', 5, 12),
  graphql('W5', 'lists without a category: several bounds, sorted by something else', 3, 6),
  rest('W1', 'list with filter, new bounds every time', 8, 12, { memory: [0.5, 0.7] }),
  rest('W2', 'list, no filter', 25, 40),
  rest('W3', 'detail', 1.5, 2.5, { memory: [0.5, 0.7] }),
  rest('W4', 'page at 90 % depth', 250, 500),
  rest('W1h', '20 operations repeated', 15, 25, { constant: [0.4, 0.6] }),
  graphql('W1', 'list with filter', 30, 60, 'large'),
  graphql('W2', 'list, no filter', 30, 60, 'large'),
];

/** The cases that the options ask for. */
export function chosenCases({ loads, largeRows }) {
  return cases.filter(
    ({ id, load, size }) =>
      (loads.length === 0 || loads.includes(id) || loads.includes(load)) &&
      (size === 'base' || largeRows !== undefined),
  );
}
