import type { Startup } from '../../src/db/generated/client/client.ts';
import type { Database } from '../../src/db/open.ts';
import type { ImportRecord } from '../../src/startups/import/values/record.ts';
import type { StartupFieldKind } from '../../src/startups/model/field-kinds.ts';
import { storedStartupFields, tableFields } from '../../src/startups/model/fields.ts';

export type { ImportRecord };

/** A record that leaves nothing out. */
export type CompleteRecord = Required<ImportRecord>;

/** What an import may leave out, with the values that it gets then. */
const absent = Object.fromEntries(
  storedStartupFields.flatMap(({ path, nullable, default: usual }) =>
    nullable || usual !== undefined ? [[path, usual ?? null]] : [],
  ),
);

/** A record with everything that may be null null. */
export function record(slug: string, more: Partial<ImportRecord> = {}): CompleteRecord {
  return {
    ...(absent as unknown as CompleteRecord),
    name: slug.toUpperCase(),
    slug,
    paymentProvider: 'stripe',
    revenue: { last30Days: 100_00, mrr: 80_00, total: 1_000_00 },
    customers: 10,
    activeSubscriptions: 5,
    onSale: false,
    ...more,
  };
}

type Columns = Omit<Startup, 'id' | 'sample' | 'revision' | 'createdAt' | 'updatedAt'>;

/** The columns of a record. */
function columnsOf(record: ImportRecord): Columns {
  const columns = tableFields.map(({ path, property, kind }) => {
    const value = path
      .split('.')
      .reduce<unknown>((found, name) => (found as Record<string, unknown> | null)?.[name], record);
    return [property, columnValue(kind, value ?? absent[path] ?? null)];
  });
  return Object.fromEntries(columns) as Columns;
}

function columnValue(kind: StartupFieldKind, value: unknown): unknown {
  if (value === null) {
    return null;
  }
  switch (kind) {
    case 'cents':
      return BigInt(value as number);
    case 'date':
      return new Date(value as string);
    default:
      return value;
  }
}

/** Stores records in their order, past every check but the database's own. */
export async function insertRecords(database: Database, records: readonly ImportRecord[]): Promise<void> {
  const data = records.map(columnsOf).map(({ techStack, cofounders, ...row }) => ({
    ...row,
    // No list is null, as imports store it.
    ...(techStack.length > 0 && { techStack }),
    ...(cofounders.length > 0 && { cofounders }),
  }));
  await database.prisma.startup.createMany({ data });
}

/** The rows that records become which are imported together. */
export function rowsOf(records: readonly ImportRecord[]): Startup[] {
  const importedAt = new Date('2026-01-01');
  return records.map((record, index) => ({
    ...columnsOf(record),
    id: index + 1,
    sample: false,
    revision: 1n,
    createdAt: importedAt,
    updatedAt: importedAt,
  }));
}
