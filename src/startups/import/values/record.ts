import type { fieldTable } from '../../model/field-table.ts';

type Entries = typeof fieldTable;
type Path = {
  [Each in keyof Entries]: Entries[Each] extends { stored: 'computed' | 'recorded' } ? never : Each;
}[keyof Entries];

type NumberKind = 'cents' | 'count' | 'percent' | 'ratio';
type ValueOf<Entry> =
  | (Entry extends { kind: 'boolean' }
      ? boolean
      : Entry extends { kind: NumberKind }
        ? number
        : Entry extends { kind: 'texts' | 'handles' }
          ? string[]
          : Entry extends { values: readonly (infer Value)[] }
            ? Value
            : string)
  | (Entry extends { nullable: true } ? null : never);

/**
 * A startup as an import takes it: the detail record without its computed and recorded fields, plus `active`. What each
 * field means is in `startupFields`. Fields that may be null may also be left out.
 */
export type ImportRecord = {
  -readonly [Each in Path as Each extends `revenue.${string}` ? never : Each]: ValueOf<Entries[Each]>;
} & {
  revenue: { [Each in Path as Each extends `revenue.${infer Name}` ? Name : never]: ValueOf<Entries[Each]> };
};
