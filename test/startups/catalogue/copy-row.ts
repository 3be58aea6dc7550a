import type { Startup } from '../../../src/db/generated/client/client.ts';
import { detailFields, plainColumns, textColumns } from '../../../src/startups/catalogue/store/columns.ts';
import { CopyRow } from '../../../src/startups/catalogue/store/copy-row.ts';
import { tableFields } from '../../../src/startups/model/fields.ts';

const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

const kinds = new Map<string, string>([
  ['id', 'count'],
  ['revision', 'cents'],
  ['createdAt', 'date'],
  ['updatedAt', 'date'],
  ['priceReducedAt', 'date'],
  ...tableFields.map(({ property, kind }): [string, string] => [property, kind]),
]);

/** A startup as a binary COPY of the selected columns gives it. */
export function copyRowOf(startup: Startup): CopyRow {
  const { askingPrice, previousAskingPrice, askingPriceChangedAt } = startup;
  const isReduced = askingPrice !== null && previousAskingPrice !== null && askingPrice < previousAskingPrice;
  const selected = { ...startup, priceReducedAt: isReduced ? askingPriceChangedAt : null };
  const names = [...plainColumns.map(({ name }) => name), ...textColumns];
  const values = [
    ...names.map((name) => encode(kinds.get(name) as string, selected[name as keyof Startup])),
    ...detailFields.map(({ property }) => encodeDetail(startup[property as keyof Startup])),
  ];
  const fields = values.flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value?.length ?? -1);
    return value === null ? length : [length, value];
  });
  const row = new CopyRow();
  row.set(Buffer.concat(fields));
  return row;
}

/** A detail as the selected expression gives it. */
function encodeDetail(value: unknown): Buffer | null {
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return null;
  }
  return Buffer.from(String(value instanceof Date ? value.getTime() : value));
}

function encode(kind: string, value: unknown): Buffer | null {
  if (value === null) {
    return null;
  }
  const bytes = Buffer.alloc(8);
  switch (kind) {
    case 'count':
      bytes.writeInt32BE(value as number);
      return bytes.subarray(0, 4);
    case 'cents':
      bytes.writeBigInt64BE(value as bigint);
      return bytes;
    case 'date':
      bytes.writeBigInt64BE(BigInt((value as Date).getTime() - POSTGRES_EPOCH_MS) * 1000n);
      return bytes;
    case 'percent':
      bytes.writeDoubleBE(value as number);
      return bytes;
    case 'boolean':
      return Buffer.of(Number(value));
    default:
      return Buffer.from(value as string);
  }
}
