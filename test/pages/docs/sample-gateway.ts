import { type Sample, samples } from '../../../src/pages/docs/sample-requests.ts';
import { loadSample } from '../../../src/startups/import/load-sample.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';

export const allSamples: readonly (Sample & { id: string })[] = Object.entries(samples).map(
  ([id, sample]) => ({ id, ...sample }),
);

/** A gateway over the startups that the first start loads, which are what the reference shows. */
export async function openSampleGateway(now: () => number = Date.now, origin?: () => string) {
  const database = await openTestDatabase();
  const client = await database.connect();
  await loadSample({ client, kind: database.kind, count: 500, seed: 1 });
  await client.end();
  const gateway = await openTestGateway({ database, now, ...(origin && { origin }) });
  return {
    ...gateway,
    /** A key with a budget of its own, for which the documents of samples are published. */
    sampleKey: async (): Promise<string> => {
      const { id, key } = await gateway.key();
      const texts = allSamples.flatMap(({ isPublished, graphql = '' }) => (isPublished ? [graphql] : []));
      await gateway.publish(id, ...texts);
      return key;
    },
  };
}
