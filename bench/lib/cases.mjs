// What is compared with the peer.

/** The surface of each peer that asks for the same fields as one of ours. */
export const peerSurfaces = {
  'rest-sql': { graphql: 'cards', rest: 'records' },
  constant: { graphql: 'constant', rest: 'constant' },
};

const contest = (surface, load, size = 'base') => ({ id: `${surface}-${load}`, surface, load, size });

const cases = [
  ...['W1', 'W2', 'W3', 'W5'].map((load) => contest('graphql', load)),
  ...['W1', 'W2', 'W3'].map((load) => contest('rest', load)),
  ...['W1', 'W2', 'W3'].map((load) => contest('graphql', load, 'large')),
  contest('rest', 'W3', 'large'),
];

/** The cases that the options ask for. */
export function chosenCases({ loads, largeRows }) {
  return cases.filter(
    ({ id, load, size }) =>
      (loads.length === 0 || loads.includes(id) || loads.includes(load)) &&
      (size === 'base' || largeRows !== undefined),
  );
}
