import { randomBytes } from 'node:crypto';
import type { CreatedKey } from '../../../src/access/keys/create.ts';
import { generateToken } from '../../../src/access/keys/token.ts';
import { categories, startupSorts } from '../../../src/startups/model/vocabulary.ts';
import type { SampleRandom } from '../../../src/startups/sample/sample-random.ts';
import type { Answer } from '../../support/gateway.ts';
import { expectedAnswer, type ListCase } from '../../support/model/rest-list.ts';
import type { ImportRecord } from '../../support/records.ts';
import type { Dataset } from './model.ts';

/** A key as its holder has it. */
export type HeldKey = Pick<CreatedKey, 'id' | 'key'>;

/** A request, and what is right as its answer. */
export interface Ask {
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** The key of an operator's actions that it uses: its state decides the status. */
  readonly keyId?: string;
  /** Why an answer cannot be from a dataset; undefined: it can. Not asked for a 503 or no answer. */
  judge(answer: Answer, dataset: Dataset): string | undefined;
}

/** Those by values of records. The times at which they were stored are in no model. */
const sorts = startupSorts.filter((sort) => !/^(created|updated)-/.test(sort));

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

function differ(got: unknown, wanted: unknown): string | undefined {
  const [is, be] = [JSON.stringify(got), JSON.stringify(wanted)];
  return is === be ? undefined : `got ${is?.slice(0, 600)}, wanted ${be?.slice(0, 600)}`;
}

/** What is compared of a record: its values of one version. */
const pick = ({ slug, customers, revenue }: ImportRecord) => [slug, customers, revenue.last30Days];
const pickSlugs = ({ records }: Dataset, slugs: readonly string[]) =>
  slugs.flatMap((one) => records.find(({ slug }) => slug === one) ?? []).map(pick);

/** A random list over REST. */
export function restList(random: SampleRandom, { key }: HeldKey): Ask {
  const minRevenue = random.below(300_000);
  const list: ListCase = {
    ...(random.chance(0.3) ? { category: random.pick(categories) } : {}),
    ...(random.chance(0.2) ? { onSale: random.chance(0.5) } : {}),
    ...(random.chance(0.4) ? { minRevenue } : {}),
    ...(random.chance(0.2) ? { maxRevenue: minRevenue + random.below(3_000_000) } : {}),
    ...(random.chance(0.7) ? { sort: random.pick(sorts) } : {}),
    ...(random.chance(0.5) ? { page: 1 + random.below(6) } : {}),
  };
  const query = new URLSearchParams(Object.entries(list).map(([name, value]) => [name, String(value)]));
  return {
    path: `/api/v1/startups?${query}`,
    headers: bearer(key),
    judge({ status, json }, dataset) {
      const { meta, slugs } = expectedAnswer(dataset.records, list);
      return differ([status, json.meta, json.data?.map(pick)], [200, meta, pickSlugs(dataset, slugs)]);
    },
  };
}

/** A key that nobody has, for which a node has to read the database. */
export function unknownKey(): Ask {
  const headers = bearer(generateToken(randomBytes));
  return { path: '/api/v1/startups', headers, judge: ({ status }) => differ(status, 401) };
}

/** Requests whose answers are judged by their status alone. */
export function other(random: SampleRandom): Ask {
  const [wanted, path] = random.pick<[number, string]>([
    [200, '/health'],
    [200, '/ready'],
    [303, '/dashboard/keys'],
    [404, '/nothing'],
  ]);
  return random.chance(0.2) ? unknownKey() : { path, judge: ({ status }) => differ(status, wanted) };
}
