import { isDay } from '../../lib/text/days.ts';

/** Whether a startup with the slug of a removed one is that one again. */
export const returnAnswers = ['same', 'new'] as const;
export type ReturnAnswer = (typeof returnAnswers)[number];

/** How many startups an import may remove, or how many percent of all. */
export interface MostRemoved {
  readonly number: number;
  readonly isPercent: boolean;
}

/** What an import may remove unless it says otherwise: half of all. */
export const USUAL_MOST_REMOVED: MostRemoved = { number: 50, isPercent: true };

/** One option of an import. */
export interface ImportOption {
  /** What it does, in the words of the command. */
  readonly about: string;
  /** Its values as text. */
  readonly allowed: string;
  /** The value of a text; undefined if it is not allowed. */
  read(text: string): unknown;
}

const flag = (about: string): ImportOption => ({
  about,
  allowed: 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
});

const SLUG_ANSWER = new RegExp(`^([a-z0-9-]+)=(${returnAnswers.join('|')})$`);

/** The answers of `acme=same,other=new`, by slug. */
function readReturns(text: string): Readonly<Record<string, ReturnAnswer>> | undefined {
  const found = text.split(',').map((part) => SLUG_ANSWER.exec(part.trim()));
  return found.every((match) => match !== null)
    ? Object.fromEntries(found.map(([, slug, answer]) => [slug, answer as ReturnAnswer]))
    : undefined;
}

/** The number of `20`, or the percentage of `5%`. */
function readMostRemoved(text: string): MostRemoved | undefined {
  const [, digits = '', percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  const isPercent = percent === '%';
  return digits === '' || (isPercent && number > 100) ? undefined : { number, isPercent };
}

/** The options of an import, beside its mapping: the same in the command, over HTTP and in the form. */
export const importOptions = {
  dryRun: flag('validate and count; import nothing'),
  skipInvalid: flag('import the valid records and write the invalid ones to a file'),
  replace: flag('also remove the startups that are not in the input'),
  update: flag(
    'update only the fields that a record has: others stay, an empty cell or null clears, and defaults are for new startups only',
  ),
  yes: flag('also remove them if they are more than half of all startups'),
  maxRemoved: {
    about: 'the most startups to remove, or percent of all, such as 20 or 5%; more than that import nothing',
    allowed: 'a number from 0, or a percentage from 0% to 100%',
    read: readMostRemoved,
  },
  returns: {
    about:
      'whether a startup with the slug of a removed one, and another name and website, is that one again (SLUG=same or SLUG=new)',
    allowed: 'SLUG=same or SLUG=new, several separated by commas',
    read: readReturns,
  },
  asOf: {
    about: 'import the data of a past day (YYYY-MM-DD) into the history',
    allowed: 'a day in UTC such as 2026-05-31',
    read: (text) => (isDay(text) ? text : undefined),
  },
} as const satisfies Record<string, ImportOption>;
