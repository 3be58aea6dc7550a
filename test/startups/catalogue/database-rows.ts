import type { ClientBase } from 'pg';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { tableFields } from '../../../src/startups/model/fields.ts';

/** Stores rows under the ids they have. */
export async function insertRows(client: ClientBase, rows: readonly Startup[]): Promise<void> {
  const json = rows.map((row) => ({
    id: row.id,
    sample: row.sample,
    revision: 0,
    ...Object.fromEntries(
      tableFields.map(({ property, column }) => [column, toJson(row[property as keyof Startup])]),
    ),
  }));
  await client.query(
    'INSERT INTO startups SELECT * FROM jsonb_populate_recordset(NULL::startups, $1::jsonb)',
    [JSON.stringify(json)],
  );
}

function toJson(value: Startup[keyof Startup]): unknown {
  // JSON has no -0.
  return typeof value === 'bigint' ? Number(value) : Object.is(value, -0) ? '-0' : value;
}
