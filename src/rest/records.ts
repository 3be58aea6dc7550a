import type { ExecutionResult } from 'graphql';
import { ApiError } from '../errors.ts';
import type { GraphQLContext } from '../graphql/context.ts';
import type { ExecuteGraphQL } from '../graphql/engine.ts';
import { codeOf } from '../graphql/errors.ts';
import {
  categoryValues,
  fundingStatusValues,
  paymentProviderValues,
  startupSortValues,
  targetAudienceValues,
  teamSizeValues,
} from '../graphql/types/enums.ts';
import type { StartupRecord } from '../startups/record.ts';
import type { StartupList } from '../startups/startup-list.ts';
import { choiceFields, RECORDS_DOCUMENT } from './documents.ts';

/** A record as GraphQL gives it. */
export type GraphQLRecord = { [field: string]: unknown };

const enums = [
  categoryValues,
  fundingStatusValues,
  paymentProviderValues,
  startupSortValues,
  targetAudienceValues,
  teamSizeValues,
];
/** REST's spelling of a value → GraphQL's. No two vocabularies spell one value differently. */
export const graphqlNames = new Map<string, string>(
  enums.flatMap((values) => Object.entries(values).map(([name, { value }]) => [value, name])),
);
const restValues = new Map(
  enums.flatMap((values) => Object.entries(values).map(([name, { value }]) => [name, value])),
);

/** @throws ApiError for the first error; execution gives no partial answer to REST. */
export function dataOf({ data, errors }: ExecutionResult): { [field: string]: unknown } {
  const [error] = errors ?? [];
  if (error !== undefined || data === null || data === undefined) {
    throw new ApiError(codeOf(error) ?? 'INTERNAL_SERVER_ERROR', error?.message ?? 'Internal server error');
  }
  return data;
}

/** Respells a record's values in place: results belong to whom they are given to. */
export function respell(record: GraphQLRecord): GraphQLRecord {
  for (const field of choiceFields) {
    const value = record[field];
    if (typeof value === 'string') {
      record[field] = restValues.get(value);
    }
  }
  return record;
}

/** Records as JSON in UTF-8: a record never changes, and lives as long as its row is kept in memory. */
const rendered = new WeakMap<StartupRecord, Buffer>();

/**
 * The records of a list in JSON, as the list endpoint gives them. Each is executed by GraphQL once: what was
 * read is handed to its resolvers, and nothing is read again.
 */
export async function renderRecords(
  { entries }: StartupList,
  context: GraphQLContext,
  execute: ExecuteGraphQL,
): Promise<Buffer[]> {
  const records = entries.map(({ record }) => record as StartupRecord);
  const missing = records.filter((record) => !rendered.has(record));
  if (missing.length > 0) {
    const params = {
      query: RECORDS_DOCUMENT,
      operationName: null,
      variables: { slugs: missing.map(({ slug }) => slug) },
    };
    const startups = { ...context.startups, getBySlugs: async () => missing };
    const data = dataOf(await execute(params, { ...context, startups }));
    for (const [index, record] of (data.startupsBySlug as GraphQLRecord[]).entries()) {
      rendered.set(missing[index] as StartupRecord, toBytes(JSON.stringify(respell(record))));
    }
  }
  return records.map((record) => rendered.get(record) as Buffer);
}

/** Not from the pool of small buffers, in which what lives long would keep what does not. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
