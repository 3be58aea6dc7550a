import type { OwnKind } from '../../model/own-fields.ts';
import type { Word } from '../notation/notations.ts';
import type { InputError } from '../rows/errors.ts';
import type { RepeatAnswer } from './repeats.ts';

// What is asked and said about a table, as data: the words of each surface are in words.ts.

/** One of several notations that the values of a column may have, with what one of them would be: `1,000 is $10.00`, if any. */
export interface Way {
  readonly words: readonly Word[];
  /** That value as people would see it; undefined if no value is an example. */
  readonly shown?: string;
  readonly reads: string;
}

/** A value with the line of its row. */
export interface PlacedValue {
  readonly line: number;
  readonly value: unknown;
}

interface Asked<Kind extends string> {
  readonly kind: Kind;
  /** The field that it is about; empty if that is asked. */
  readonly field: string;
  /** The notations that answer it; none if it is not about one. */
  readonly notations: readonly Way[];
}

/** What is asked about one column. */
export type ColumnQuestion =
  /** Which unit its amounts have, with the notations in which some of them have a fraction of a cent, if they do. */
  | (Asked<'unit'> & { readonly rounding?: readonly string[] })
  /** What values mean that several notations read. */
  | (Asked<'meaning'> & {
      readonly meanings: readonly { readonly value: unknown; readonly notations: readonly Way[] }[];
    })
  /** Whether fractions of a cent, such as of this value, are rounded, as the words do. */
  | (Asked<'fraction'> & { readonly value: unknown; readonly words: readonly Word[] })
  /** Amounts that are not US dollars, by the heading or a column of currencies. */
  | (Asked<'currency'> & { readonly currency: string })
  /** Cells that are not US dollars. */
  | (Asked<'foreign cells'> & { readonly currency: string; readonly rows: readonly PlacedValue[] })
  /** Whether it is the field that the heading names without certainty, or in other words; if so, the rest is a question or an answer. */
  | (Asked<'other heading'> & {
      readonly contained: string | undefined;
      readonly otherwise: ColumnQuestion | string;
    })
  /** Whether names of founders are handles, as this value. */
  | (Asked<'handle'> & { readonly value: unknown })
  /** Whether values that are not allowed in the field, of which this is the first, are errors. */
  | (Asked<'misfits'> & { readonly misfits: number; readonly values: number; readonly value: unknown })
  /** Whether it is the field of its heading, which it clears, as all of its cells are empty in an update in part. */
  | Asked<'empty'>
  /** Whether it is the field of whose few values every value is one. */
  | Asked<'choices'>
  /** Which one of several columns is the field. */
  | (Asked<'rivals'> & { readonly columns: readonly string[] })
  /** It is the field of another column, too. */
  | Asked<'taken'>
  | Asked<'no heading'>
  /** Somebody chose the field without a notation. */
  | Asked<'chosen'>
  /** As a mapping has it. */
  | (Asked<'given'> & { readonly text: string });

export type ColumnQuestionKind = ColumnQuestion['kind'];

/** Why a column is left out. */
export type Reason =
  /** As a mapping has it; empty if somebody chose it. */
  | { readonly kind: 'given'; readonly text: string }
  | { readonly kind: 'no field' }
  | { readonly kind: 'no values' }
  /** Revgate computes or records it. */
  | { readonly kind: 'computed' }
  /** Another column is its field. */
  | { readonly kind: 'other column'; readonly field: string }
  | {
      readonly kind: 'misfits';
      readonly field: string;
      readonly misfits: number;
      readonly values: number;
      readonly value: unknown;
    }
  /** It names the money of other columns: not US dollars, or not in each row. */
  | { readonly kind: 'currencies'; readonly currency: string | undefined }
  /** Its heading says so. */
  | { readonly kind: 'heading'; readonly why: string };

/** What is asked about a table before it can be imported. */
export type TableQuestion =
  /** Which column is the name of the startup. */
  | { readonly kind: 'name' }
  | { readonly kind: 'column'; readonly column: string; readonly question: ColumnQuestion }
  /** Which unit the amounts of several columns have. */
  | { readonly kind: 'units'; readonly columns: readonly string[]; readonly rounding: readonly string[] }
  /** A required field without a value. */
  | { readonly kind: 'default'; readonly field: string }
  /** What a text of a field means; amounts in the unit of its column. */
  | {
      readonly kind: 'text';
      readonly field: string;
      readonly text: string;
      readonly unit: Word | undefined;
    }
  /** What is done with a row that may be no startup, or with records that repeat a name: as a mapping asks it. */
  | { readonly kind: 'row'; readonly row: string; readonly why: string }
  /** Others of a kind, which are asked next. */
  | { readonly kind: 'more texts'; readonly field: string; readonly more: number }
  | { readonly kind: 'more rows' | 'more names'; readonly more: number }
  /** A default that is not allowed, in the words of its check. */
  | { readonly kind: 'wrong default'; readonly field: string; readonly wrong: string };

/** What of one input was skipped. */
export type SkippedNote =
  /** Rows above the header. */
  | { readonly kind: 'titles skipped'; readonly titles: readonly string[] }
  /** A row that is no startup, by an answer. */
  | { readonly kind: 'row left out'; readonly line: number; readonly row: string };

/** What people should know about a table or an import. */
export type Note =
  | (SkippedNote & { readonly file: string })
  /** Records that repeat a name or slug, and which of them is imported. */
  | {
      readonly kind: 'repeats left out';
      readonly name: string;
      readonly repeats: number;
      readonly kept: RepeatAnswer;
    }
  /** Amounts that were rounded to whole cents, and the largest difference in cents. */
  | { readonly kind: 'rounded'; readonly count: number; readonly largest: number }
  /** Other money that is taken for US dollars. */
  | { readonly kind: 'foreign money'; readonly column: string; readonly currency: string }
  /** A figure that is in no file. */
  | {
      readonly kind: 'default figure';
      readonly field: string;
      readonly value: string;
      /** The value as people see it. */
      readonly shown: string;
      readonly isRequired: boolean;
      /** Whether stored startups keep what they have. */
      readonly isUpdate: boolean;
    }
  /** A field that the import declares. */
  | { readonly kind: 'declared'; readonly field: string; readonly label: string; readonly ownKind: OwnKind }
  /** Values of a declared field that startups lose, because their records do not have it. */
  | { readonly kind: 'own cleared'; readonly field: string; readonly count: number }
  /** Rows above the header, before the import. */
  | { readonly kind: 'titles'; readonly titles: readonly string[] }
  /** A file that is no UTF-8 at all. */
  | { readonly kind: 'encoding' }
  /** Columns of the mapping that the table does not have. */
  | { readonly kind: 'absent columns'; readonly columns: readonly string[] }
  /** Values of a field that say that there is none. */
  | { readonly kind: 'counted as empty'; readonly field: string; readonly rows: readonly PlacedValue[] };

/** What an import would refuse. */
export type Problem =
  | { readonly kind: 'unreadable'; readonly file: string; readonly error: InputError }
  /** Values of a column that are not allowed in its field, and the first of them. */
  | {
      readonly kind: 'not allowed';
      readonly column: string;
      readonly field: string;
      readonly misfits: number;
      readonly rows: readonly PlacedValue[];
    }
  /** Records without a required figure. */
  | { readonly kind: 'no value'; readonly field: string; readonly lines: readonly number[] };
