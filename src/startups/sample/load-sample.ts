import { Readable } from 'node:stream';
import type { DatabaseKind } from '../../db/transaction.ts';
import { importStartups } from '../import/import.ts';
import type { ImportClient } from '../import/staging.ts';
import type { ImportSummary } from '../import/summary.ts';
import { type SampleOptions, sampleNdjson } from './sample.ts';

/**
 * Loads generated startups, marked as the sample, which the first import of other data removes.
 *
 * @throws OperatorError if the database has startups.
 */
export function loadSample({
  client,
  kind,
  ...options
}: SampleOptions & { client: ImportClient; kind: DatabaseKind }): Promise<ImportSummary> {
  const open = () => Readable.from(sampleNdjson(options), { objectMode: false });
  return importStartups({
    client,
    kind,
    inputs: [{ name: 'sample.ndjson', open }],
    sample: true,
  });
}
