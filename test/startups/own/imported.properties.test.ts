import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { importFieldsFor } from '../../../src/startups/import/columns/import-fields.ts';
import { readDeclared } from '../../../src/startups/import/declared.ts';
import { importStartups } from '../../../src/startups/import/import.ts';
import { MAX_CENTS, MAX_COUNT } from '../../../src/startups/model/vocabulary.ts';
import { addOwnField } from '../../../src/startups/own/declarations.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { input, ndjson } from '../import/inputs.ts';

const database = await openTestDatabase();
const client = await database.openClient();
const kinds = {
  note: 'text',
  deck: 'url',
  toString: 'count',
  profit: 'cents',
  churn: 'percent',
  constructor: 'number',
  since: 'date',
  type: 'boolean',
  stage: 'choice',
  tags: 'texts',
} as const;
for (const [at, [name, kind]] of Object.entries(kinds).entries()) {
  const indexed = at % 2 === 0 && !['text', 'url', 'texts'].includes(kind);
  await addOwnField(database.prisma, { name, kind, indexed });
}
const gateway = await openTestGateway({ database, limits: 1_000_000 });
const { key } = await gateway.key();

const plainText = (maxLength: number) =>
  fc.string({ unit: 'grapheme', maxLength, size: 'max' }).filter((text) => !text.includes('\0'));
const item = plainText(90)
  .map((text) => text.replace(/[,\p{Cc}\u2028\u2029]/gu, '').trim())
  .filter((text) => text.length > 0 && text.length <= 100);
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
const ownValues = fc.record(
  {
    note: maybe(plainText(1_000).filter((text) => text.length <= 1_000)),
    deck: maybe(fc.webUrl()),
    toString: maybe(fc.oneof(fc.constantFrom(0, MAX_COUNT), fc.nat())),
    profit: maybe(fc.oneof(fc.constantFrom(-MAX_CENTS, MAX_CENTS, 0), fc.maxSafeInteger())),
    churn: maybe(number),
    constructor: maybe(number),
    since: maybe(
      fc
        .date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        })
        .map((date) => date.toISOString()),
    ),
    type: maybe(fc.boolean()),
    stage: maybe(fc.constantFrom('Seed', '__proto__', "Series 'A'", '"\\', 'ü 🚀')),
    tags: maybe(fc.array(item, { maxLength: 50, size: 'small' })),
  },
  { requiredKeys: [] },
);

const read = async (slugs: readonly string[]): Promise<unknown[]> => {
  const query = `query Q($slugs: [String!]!) { startupsBySlug(slugs: $slugs) { own { ${Object.keys(kinds).join(' ')} } } }`;
  const { json } = await gateway.post({ query, variables: { slugs } }, { key });
  return json.data.startupsBySlug.map((one: { own: object } | null) => one?.own);
};

it('what is imported of declared fields is what clients read', async () => {
  const fields = importFieldsFor(await readDeclared(client));
  await fc.assert(
    fc.asyncProperty(
      fc.array(ownValues, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (all, isUpdate) => {
        const slugs = all.map((_, index) => `s${index}`);
        const before = isUpdate ? await read(slugs) : [];
        const records = all.map((own, index) => ({ ...record(`s${index}`), own }));
        const inputs = [input('a.ndjson', ndjson(...records))];
        await importStartups({ client, kind: database.kind, fields, inputs, update: isUpdate });
        const none = Object.fromEntries(Object.keys(kinds).map((name) => [name, null]));
        const expected = all.map((own, index) => ({
          ...none,
          ...(before[index] as object | undefined),
          ...own,
          // An empty list is none.
          ...(own.tags?.length === 0 && { tags: null }),
        }));
        await vi.waitFor(async () => expect(await read(slugs)).toEqual(expected), {
          timeout: 20_000,
          interval: 50,
        });
      },
    ),
    runs(8),
  );
}, 120_000);
