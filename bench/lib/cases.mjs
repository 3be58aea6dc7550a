// What is compared with the peer, and the least multiple of its requests per second in the same round.

/** The surface of each peer that asks for the same fields as one of ours. */
export const peerSurfaces = {
  'rest-sql': { graphql: 'cards', rest: 'records', history: 'histories' },
  constant: { rest: 'constant' },
};

const titles = {
  W1: 'list with filter, new bounds every time',
  W2: 'list, no filter',
  W3: 'detail',
  W4: 'page at 90 % depth',
  W5: 'lists without a category: several bounds, sorted by something else',
};

const searchTitles = {
  S1: 'search by the beginning of a name',
  S2: 'search by a frequent word and two letters in a category, new bounds every time',
  S3: 'search by a name with a wrong letter',
};

const contest = (surface, load, must, size = 'base') => ({
  id: `${surface}-${load}${size === 'large' ? '-large' : ''}`,
  surface,
  load,
  size,
  title: `${surface === 'rest' ? 'REST' : 'GraphQL'} ${{ ...titles, ...searchTitles }[load]} (${load})`,
  goals: { 'rest-sql': must },
});

export const cases = [
  contest('graphql', 'W1', 8),
  contest('graphql', 'W2', 25),
  contest('graphql', 'W3', 1.2),
  contest('graphql', 'W4', 150),
  contest('graphql', 'W5', 12),
  contest('rest', 'W1', 8),
  contest('rest', 'W2', 25),
  contest('rest', 'W3', 1.5),
  contest('rest', 'W4', 150),
  contest('graphql', 'W1', 60, 'large'),
  contest('graphql', 'W2', 250, 'large'),
  contest('graphql', 'W3', 1.5, 'large'),
  contest('rest', 'W3', 1.5, 'large'),
];

/** Those of the part of searches, beside `tsvector` and `pg_trgm`. */
export const searchCases = Object.keys(searchTitles).flatMap((load) => {
  // The beginning of a name is a look-up for both, like a detail.
  const must = load === 'S1' ? 1.2 : 10;
  return [contest('graphql', load, must), contest('rest', load, must)];
});

/** The cases that the options ask for. */
export function chosenCases({ loads, largeRows }) {
  return cases.filter(
    ({ id, load, size }) =>
      (loads.length === 0 || loads.includes(id) || loads.includes(load)) &&
      (size === 'base' || largeRows !== undefined),
  );
}
