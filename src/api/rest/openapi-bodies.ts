import { type ErrorCode, errorMeanings, errorStatuses, feedErrors, importErrors } from '../../lib/errors.ts';
import { changeKinds } from '../../startups/catalogue/changes/change-list.ts';
import { FACETS, FIGURES, STATS } from '../../startups/catalogue/query/summary.ts';
import { changeTexts } from '../../startups/history/descriptions.ts';
import { changesParameters } from '../../startups/model/requests/changes-request.ts';
import { listParameters } from '../../startups/model/requests/list-parameters.ts';
import {
  countSchema,
  enumSchema,
  fieldSchema,
  objectSchema,
  parameterSchema,
  refer,
  type Schema,
} from './openapi-schemas.ts';

/** A change. */
export function changeSchema(): Schema {
  return objectSchema(
    {
      slug: { ...fieldSchema('slug'), description: changeTexts.slug },
      kind: { ...enumSchema(changeKinds), description: changeTexts.kind },
      at: { type: 'string', format: 'date-time', description: changeTexts.at },
      startup: {
        oneOf: [refer('schemas', 'StartupDetail'), { type: 'null' }],
        description: changeTexts.startup,
      },
    },
    changeTexts.itself,
  );
}

/** A part of the changes. */
export function changePageSchema(): Schema {
  return objectSchema({
    data: { type: 'array', maxItems: changesParameters.limit.maximum, items: refer('schemas', 'Change') },
    meta: objectSchema({
      next: { type: 'string', description: changeTexts.next },
      hasMore: { type: 'boolean', description: 'True when more changes follow.' },
    }),
  });
}

/** A page of a list. */
export function pageSchema(): Schema {
  return objectSchema({
    data: { type: 'array', maxItems: listParameters.limit.maximum, items: refer('schemas', 'Startup') },
    meta: pageMetaSchema(),
  });
}

/** Where a page is in its list. */
export function pageMetaSchema(): Schema {
  const meta = {
    total: countSchema('Count of matching startups over all pages.'),
    page: parameterSchema(listParameters.page),
    limit: parameterSchema(listParameters.limit),
    hasMore: { type: 'boolean', description: 'True when another page follows.' },
  };
  return objectSchema({ ...meta, corrected: correctedSchema }, undefined, Object.keys(meta));
}

const correctedSchema: Schema = {
  type: 'boolean',
  description: 'Present and true if the search matched only after correcting typing errors in its words.',
};

const valueSchema: Schema = {
  type: ['string', 'null'],
  description: 'The value; null counts startups without one.',
};

/** A summary of a list. */
export function summarySchema(): Schema {
  const facet = (name: string): Schema => ({
    type: 'array',
    items: objectSchema({
      value:
        name === 'onSale'
          ? { type: 'boolean', description: 'Whether they are listed for sale.' }
          : valueSchema,
      count: countSchema('Number of startups.'),
    }),
  });
  const ranges: Schema = {
    type: 'array',
    items: objectSchema({
      from: { type: ['number', 'null'], description: 'The minimum of the range. Null: it has none.' },
      to: {
        type: ['number', 'null'],
        description: 'The end of the range, which is not part of it. Null: it has none.',
      },
      count: countSchema('Number of startups with a value in the range.'),
    }),
  };
  const figure = (name: string): Schema =>
    name === 'count'
      ? countSchema('Number of startups that have the value.')
      : name === 'sum'
        ? { type: 'number', description: 'Sum of the values.' }
        : { type: ['number', 'null'] };
  const byName = (names: readonly string[], schemaOf: (name: string) => Schema): Record<string, Schema> =>
    Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
  const total = countSchema('Count of matching startups.');
  const stats = objectSchema(
    byName(STATS, () => objectSchema(byName(FIGURES, figure))),
    'Statistics in US cents, except multiple (a ratio) and growth (a percentage). All but count and sum are null if no startup has the value.',
  );
  const group = {
    value: valueSchema,
    count: countSchema('Number of startups.'),
    onSale: countSchema('Number of those that are listed for sale.'),
    stats,
  };
  const summary = {
    facets: objectSchema(
      { ...byName(FACETS, facet), ...byName(STATS, () => ranges) },
      'Counts by value, the most frequent first; values that no startup has are left out. Figures are counted in ranges between round numbers, the least first, in the units of the statistics.',
    ),
    stats,
  };
  const groups = {
    type: 'array',
    items: objectSchema(group),
    description: 'Present with by: a group for each value that startups have, the largest first.',
  };
  return objectSchema({
    data: objectSchema({ ...summary, groups }, undefined, Object.keys(summary)),
    meta: objectSchema({ total, corrected: correctedSchema }, undefined, ['total']),
  });
}

/** The body of every error. */
export function errorSchema(): Schema {
  const text = (description: string): Schema => ({ type: 'string', description });
  const codes = (Object.keys(errorStatuses) as ErrorCode[]).filter(
    (code) => !importErrors.has(code) && !feedErrors.has(code),
  );
  const properties = {
    code: {
      type: 'string',
      enum: codes,
      'x-enumDescriptions': Object.fromEntries(codes.map((code) => [code, errorMeanings[code]])),
      description: 'The kind of the error, for programs. New codes may be added.',
    },
    message: text('What went wrong, for people.'),
    details: {
      type: 'array',
      items: objectSchema({
        parameter: text('Name of the invalid parameter.'),
        message: text('The value it got, and the allowed values.'),
      }),
      description: 'Every invalid parameter.',
    },
    requestId: text('The same as X-Request-Id.'),
  };
  return objectSchema({ error: objectSchema(properties, undefined, ['code', 'message', 'requestId']) });
}
