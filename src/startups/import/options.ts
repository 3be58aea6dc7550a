import { isDay } from '../../lib/text/days.ts';

/** One option of an import. */
export interface ImportOption {
  /** What it does, in the words of the command. */
  readonly about: string;
  /** Its values as text. */
  readonly allowed: string;
  /** The value of a text; undefined if it is not allowed. */
  read(text: string): boolean | string | undefined;
}

const flag = (about: string): ImportOption => ({
  about,
  allowed: 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
});

/** The options of an import, beside its mapping: the same in the command, over HTTP and in the form. */
export const importOptions = {
  dryRun: flag('validate and count; import nothing'),
  skipInvalid: flag('import the valid records and write the invalid ones to a file'),
  replace: flag('also remove the startups that are not in the input'),
  yes: flag('also remove them if they are more than half of all startups'),
  asOf: {
    about: 'import the data of a past day (YYYY-MM-DD) into the history',
    allowed: 'a day in UTC such as 2026-05-31',
    read: (text) => (isDay(text) ? text : undefined),
  },
} as const satisfies Record<string, ImportOption>;
