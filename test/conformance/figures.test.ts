import { beforeEach, describe, expect, it } from 'vitest';
import { POINT_SELECTION, selectionOf } from '../../src/api/rest/endpoint-documents.ts';
import { standardFields } from '../../src/startups/import/columns/import-fields.ts';
import { importStartups } from '../../src/startups/import/import.ts';
import { type PointFigurePath, pointFigureList } from '../../src/startups/model/point-figures.ts';
import { avoidMidnight, input, ndjson } from '../startups/import/inputs.ts';
import { openTestDatabase } from '../support/database.ts';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

beforeEach(avoidMidnight);

/** A value of each figure that is that of no other. */
const values = new Map<PointFigurePath, number | boolean>(
  pointFigureList.map(({ path, kind }, index) => [path, kind === 'boolean' ? true : 10 + index]),
);

/** What is at a path such as `revenue.mrr`. */
function at(from: unknown, path: string): unknown {
  return path.split('.').reduce((found, name) => (found as Record<string, unknown>)?.[name], from);
}

/** Figures, nested as a record nests them. */
function nested(figures: Iterable<[string, unknown]>): Record<string, unknown> {
  const whole: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of figures) {
    const [head = '', below] = path.split('.');
    Object.assign(
      whole,
      below === undefined ? { [head]: value } : { [head]: { ...whole[head], [below]: value } },
    );
  }
  return whole;
}

const database = await openTestDatabase();
const client = await database.openClient();
/** What an earlier import of the same day had, of which nothing may be left. */
const earlier = new Map(
  [...values].map(([path, value]) => [path, value === true ? false : Number(value) + 100]),
);
for (const figures of [earlier, values]) {
  await importStartups({
    client,
    kind: database.kind,
    fields: standardFields,
    inputs: [input('one.ndjson', ndjson(record('one', { category: 'ai', ...nested(figures) })))],
  });
}
const gateway = await openTestGateway({ database, limits: 100_000 });
const { key } = await gateway.key();
const figures = selectionOf(pointFigureList.map(({ path }) => path));
const { json } = await gateway.graphql(
  `{
    startup(slug: "one") { ${figures} history { ${POINT_SELECTION} } }
    changes { edges { node { startup { ${figures} } } } }
    market(category: AI) { onSale revenue { sum median } mrr { sum median } }
  }`,
  {},
  { key },
);
const { json: history } = await gateway.call('/api/v1/startups/one/history', { key });

describe.each(pointFigureList.map(({ path }) => path))('%s of an import', (path) => {
  const value = values.get(path);

  it('is in the record', () => {
    expect(at(json.data.startup, path)).toBe(value);
  });

  it('is in the history over GraphQL', () => {
    expect(json.data.startup.history.map((point: unknown) => at(point, path))).toEqual([value]);
  });

  it('is in the history over REST', () => {
    expect(history.data.map((point: unknown) => at(point, path))).toEqual([value]);
  });

  it('is in the changes', () => {
    expect(at(json.data.changes.edges[0].node.startup, path)).toBe(value);
  });
});

it('revenue, MRR and sales of an import are in the market of its category', () => {
  const [revenue, mrr] = [values.get('revenue.last30Days'), values.get('revenue.mrr')];
  expect(json.data.market).toEqual([
    { onSale: 1, revenue: { sum: revenue, median: revenue }, mrr: { sum: mrr, median: mrr } },
  ]);
});
