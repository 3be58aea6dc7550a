import {
  isSortedBy,
  type OwnField,
  type OwnValue,
  type OwnValues,
  ownFilterOf,
} from '../../model/own-fields.ts';
import type { EditionData } from '../edition-data.ts';
import { detailColumns, numbersOf } from './columns.ts';
import { ownCodeColumn, ownNumberColumn, valueOfCode } from './own-columns.ts';
import { NOTHING, type PackedTexts } from './texts.ts';

type Packed = Readonly<Record<string, OwnValue>>;
const NONE_PACKED: Packed = {};
const OWN = detailColumns.indexOf('own');

/** Creates what reads the values of the record at a position: those that are indexed from their columns, others from JSON. */
export function createOwnReader(
  { own, columns }: EditionData,
  details: PackedTexts,
): (at: number) => OwnValues {
  // Of one shape, as records of JSON would not be.
  const Values = function Values() {} as unknown as new () => Record<string, OwnValue | null>;
  Values.prototype = Object.create(null);
  const readers = own.map((field) => ({ name: field.name, read: createReader(field) }));
  const arePacked = own.some((field) => ownFilterOf(field) === undefined);

  function createReader(field: OwnField): (at: number, packed: Packed) => OwnValue | null {
    const { name } = field;
    if (isSortedBy(field)) {
      const numbers = numbersOf(columns, ownNumberColumn(name));
      return (at) => {
        const value = numbers[at] as number;
        return Number.isNaN(value) ? null : value;
      };
    }
    if (ownFilterOf(field) !== undefined) {
      const codes = columns[ownCodeColumn(name)] as Uint8Array;
      return (at) => valueOfCode(field, codes[at] as number);
    }
    return (_, packed) => (Object.hasOwn(packed, name) ? (packed[name] as OwnValue) : null);
  }

  return (at) => {
    const json = arePacked ? jsonAt(at) : null;
    const packed: Packed = json === null ? NONE_PACKED : JSON.parse(json);
    const values = new Values();
    for (const { name, read } of readers) {
      values[name] = read(at, packed);
    }
    return values;
  };

  function jsonAt(at: number): string | null {
    const unit = columns.details[at] as number;
    return unit === NOTHING ? null : details.textOf(unit, OWN);
  }
}
