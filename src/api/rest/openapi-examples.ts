import { hashDocument } from '../../access/keys/documents/list.ts';
import { type ErrorCode, errorMeanings, errorStatuses } from '../../lib/errors.ts';
import { addDays, type Day } from '../../lib/text/days.ts';
import { bounds } from '../../startups/model/bounds.ts';
import { type StartupFieldPath, startupFieldList } from '../../startups/model/fields.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import { FROM_THE_START } from '../../startups/model/requests/changes-request.ts';
import type { ByKind, QueryParameter } from '../../startups/model/requests/list-parameters.ts';
import type { operations } from './endpoint-table.ts';

/** A body as JSON. */
type Json = Readonly<Record<string, unknown>>;

/**
 * Bodies that were recorded with the sample data, from which all examples are made: clients that import the document send
 * these values, and get a 200 from a server with the sample.
 */
export interface RecordedBodies {
  /** By the operation that they are of: those of a 200. A snapshot has the record of changes. */
  readonly responses: Readonly<Record<Exclude<keyof typeof operations, 'snapshot'>, Json>>;
  /** The day on which the document is made: when they were recorded, a sample of this day has no history. */
  readonly today: Day;
  /** Those of errors that were recorded; others are written from the meaning of their code. */
  readonly errors: { readonly [Code in ErrorCode]?: Json };
}

/** From the first to the last day of an example: fewer than a sample has. */
const EXAMPLE_DAYS = 30;

/** A record, or a part of one. */
const valueAt = (record: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (inner as Json | null)?.[name], record);

/** Examples of one recording. */
export type Examples = ReturnType<typeof createExamples>;

/** Makes all examples of the document. */
export function createExamples({ responses, errors, today }: RecordedBodies, own: readonly OwnField[]) {
  const record = responses.startup.data as Json;
  const days = { from: addDays(today, 1 - EXAMPLE_DAYS), to: today };

  /** A round number on one side of a value of the record, so that a range of both has the record. */
  function boundExample(name: string): number {
    const bound = bounds.find(({ min, max }) => min === name || max === name);
    const field = startupFieldList.find(({ property }) => property === bound?.column);
    const value = Number((field && valueAt(record, field.path)) ?? 0);
    const round = bound?.min === name ? Math.floor : Math.ceil;
    const power = value === 0 ? 1 : 10 ** Math.floor(Math.log10(Math.abs(value)));
    const rounded = round(value / power) * power;
    return Number((bound?.unit === 'fraction' ? rounded / 100 : rounded).toPrecision(6));
  }

  const values: ByKind<QueryParameter, [name: string], unknown> = {
    integer: (parameter) => parameter.default,
    number: (_, name) => boundExample(name),
    boolean: (_, name) => String(valueAt(record, name) ?? true),
    choice: ({ values: allowed, plural }, name) => {
      const value = valueAt(record, name) ?? allowed[0];
      return plural === undefined ? value : [value];
    },
    country: (_, name) => [valueAt(record, name)],
    date: (_, name) => days[name as keyof typeof days],
    instant: (_, name) => (name.endsWith('Before') ? '2026-01-01' : '2020-01-01'),
    handle: (_, name) => valueAt(record, name),
    website: (_, name) => valueAt(record, name),
    search: () => String(record.name).split(' ')[0],
    texts: (_, name) => (valueAt(record, name) as readonly unknown[]).slice(0, 1),
    cursor: () => FROM_THE_START,
    slug: () => record.slug,
    slugs: () => [record.slug],
    ownValues: ({ choices }) => choices.slice(0, 1),
  };
  /** Nothing is known of the values of declared fields. */
  const ownValues = own.length === 0 ? {} : { own: Object.fromEntries(own.map(({ name }) => [name, null])) };
  const changed = (responses.changes.data as readonly Json[]).map((change) =>
    change.startup === null ? change : { ...change, startup: { ...(change.startup as Json), ...ownValues } },
  );

  return {
    publishing,
    /** A value of a parameter. */
    parameter: (name: string, parameter: QueryParameter): unknown =>
      values[parameter.kind](parameter as never, name),
    /** A value of a field in a path. */
    field: (path: StartupFieldPath): unknown => valueAt(record, path),
    /** The body of a 200. */
    response(name: keyof typeof operations): unknown {
      switch (name) {
        case 'snapshot':
          return changed[0]?.startup;
        case 'changes':
          return { ...responses.changes, data: changed };
        case 'startup':
          return { ...responses.startup, data: { ...record, ...ownValues } };
        default:
          return responses[name];
      }
    },
    /** The body of an error. */
    error: (code: ErrorCode): { readonly summary: string; readonly value: Json } => ({
      summary: errorMeanings[code],
      value: errors[code] ?? errorOf(code),
    }),
  };
}

/** A document as a deployment publishes it; the key is that of no one. */
const PUBLISHED =
  'query Cheapest { startups(filter: { onSale: true }, sort: PRICE_ASC) { page { slug askingPrice } } }';
const publishing = {
  request: { key: 'key_0123456789AB', documents: [PUBLISHED] },
  response: {
    data: [
      { id: `sha256:${hashDocument(PUBLISHED)}`, operations: ['Cheapest'], replacedId: null, isNew: true },
    ],
  },
};

/** An error of which no response was recorded. */
function errorOf(code: ErrorCode): Json {
  const requestId = `00000000-0000-4000-8000-000000000${errorStatuses[code]}`;
  return { error: { code, message: errorMeanings[code].replace(/\..*$/s, ''), requestId } };
}
