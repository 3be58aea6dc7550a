import { DEFAULT_LIMITS } from '../../../src/access/limits/tiers.ts';
import { loadSample, recordSampleHistory } from '../../../src/startups/sample/load-sample.ts';
import { type Sample, samples } from '../../../src/web/docs/sample-requests.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';

export const allSamples: readonly (Sample & { id: string })[] = Object.entries(samples).map(
  ([id, sample]) => ({ id, ...sample }),
);

/** The time of the responses of the reference. */
export const NOW = Date.UTC(2026, 0, 15, 12);

/**
 * A gateway with a dashboard, over the startups that the first start loads, which are what the reference shows. Their days
 * end with that of NOW, and of the market there are two.
 */
export async function openSampleGateway(origin: () => string) {
  const database = await openTestDatabase();
  const client = await database.connect();
  await loadSample({ client, kind: database.kind, count: 500, seed: 1 });
  await recordSampleHistory(client);
  for (const table of ['startup_points', 'market_days']) {
    await client.query(`UPDATE ${table} SET day = day - (revgate_utc_day(clock_timestamp()) - $1::date)`, [
      '2026-01-15',
    ]);
  }
  await client.query(`DELETE FROM market_days WHERE day < '2026-01-13'`);
  await client.query(`UPDATE market_days SET day = '2026-01-14' WHERE day = '2026-01-13'`);
  await client.end();
  const gateway = await openTestGateway({
    database,
    now: () => NOW,
    dashboard: {
      origin,
      secret: 'secret of the dashboard, of 32 characters',
      github: undefined,
      mailer: { kind: 'none', send: async () => {}, check: async () => {}, close: () => {} },
    },
  });
  return {
    ...gateway,
    /** A key with a limit of its own, used up for some, for which the documents of samples are published. */
    sampleKey: async ({ isExhausted }: Sample): Promise<string> => {
      const { id, key } = await gateway.key();
      const texts = allSamples.flatMap(({ isPublished, graphql = '' }) => (isPublished ? [graphql] : []));
      await gateway.publish(id, ...texts);
      for (let left = isExhausted === true ? DEFAULT_LIMITS.standard : 0; left > 0; left -= 1) {
        await gateway.call('/api/v1/startups?limit=1', { key });
      }
      return key;
    },
  };
}

/** A body as everyone gets it: the time of an import and the cursor of changes are those of a database. */
export const withoutDatabase = (body: string): string =>
  body
    .replace(/"(next)":"[^"]*"/g, `"$1":"${CHANGE_CURSOR}"`)
    .replace(/"(at)":"[^"]*"/g, `"$1":"${new Date(NOW).toISOString()}"`);

const CHANGE_CURSOR = 'ZtGcEvPcKLE_8AAAAAAAAAAAAAEAAAAAAAAAAJ2HX6pCZSDx';
