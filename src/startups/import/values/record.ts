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

/** Those that an import may leave out: what may be null, or has a default. */
type OptionalPath = {
  [Each in Path]: Entries[Each] extends { nullable: true } | { default: unknown } ? Each : never;
}[Path];

/**
 * A startup as an import takes it: the detail record without its computed and recorded fields, plus `active`. What each
 * field means is in `startupFields`.
 */
export type ImportRecord = {
  -readonly [Each in Exclude<Path, OptionalPath | `revenue.${string}`>]: ValueOf<Entries[Each]>;
} & {
  -readonly [Each in OptionalPath]?: ValueOf<Entries[Each]>;
} & {
  revenue: { [Each in Path as Each extends `revenue.${infer Name}` ? Name : never]: ValueOf<Entries[Each]> };
};
