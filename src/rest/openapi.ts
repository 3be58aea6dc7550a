import { changeKinds } from '../catalogue/changes/change-list.ts';
import { FACETS, FIGURES, STATS } from '../catalogue/query/summary.ts';
import { type ErrorCode, errorMeanings, errorStatuses } from '../errors.ts';
import { type TierLimits, WINDOW_MS } from '../rate-limit/tiers.ts';
import { startupFields } from '../startups/fields.ts';
import { CHANGES_TEXT, changeTexts, HISTORY_TEXT, MARKET_TEXT } from '../startups/history/descriptions.ts';
import { historyParameters, marketParameters } from '../startups/history/parameters.ts';
import { changesParameters } from '../startups/requests/changes-request.ts';
import { filterParameters, listParameters, RECORDS_PER_READ } from '../startups/requests/list-parameters.ts';
import type { QueryParameters } from '../startups/requests/query-parameters.ts';
import { REST_BASE } from './endpoints.ts';
import { daysSchema, marketDaySchema, startupPointSchema } from './openapi-days.ts';
import {
  countSchema,
  enumSchema,
  fieldSchema,
  objectSchema,
  parameterSchema,
  type Schema,
  startupSchema,
} from './openapi-schemas.ts';

/** A parameter of an operation. */
interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required?: true;
  readonly description: string;
  readonly style?: 'form';
  readonly explode?: false;
  readonly schema: Schema;
}

/** A response of an operation. */
interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

/** The GET of a path. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly [TagName];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

const tags = [
  { name: 'Changes', description: 'What imports have created, updated and removed.' },
  { name: 'Market', description: 'Figures of all startups by day.' },
  { name: 'Startups', description: 'Lists of startups, and one startup with its history.' },
] as const;
type TagName = (typeof tags)[number]['name'];

/** The description of the REST surface, OpenAPI 3.1. */
export type OpenApiDocument = ReturnType<typeof describeApi>;

const LIMIT_HEADERS = {
  'X-RateLimit-Limit': `The limit of the key for a window of ${WINDOW_MS / 1000} seconds.`,
  'X-RateLimit-Remaining': 'What is left of the limit in the current window.',
  'X-RateLimit-Reset': 'When the window ends, in seconds since 1970 (Unix time), rounded up.',
};

/** Every answer of the API has these. */
const BUDGET_HEADERS = [...Object.keys(LIMIT_HEADERS), 'RateLimit-Policy', 'RateLimit'];

const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

const headers: Readonly<Record<string, { description: string; schema: Schema }>> = {
  ...Object.fromEntries(
    Object.entries(LIMIT_HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'integer', minimum: 0 } },
    ]),
  ),
  'RateLimit-Policy': textHeader(
    'The limit in the format of the IETF draft: q is the limit, w the length of the window in seconds.',
  ),
  RateLimit: textHeader(
    'The state of the limit in the format of the IETF draft: r is what is left, t the seconds until the window ends.',
  ),
  'Retry-After': {
    description: 'Seconds after which to retry: for a 429, those until the window ends.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: textHeader(
    'The tag of this response. Send it in If-None-Match to get a 304 without a body while the response is the same.',
  ),
  Link: textHeader('The first, prev, next and last pages with the same parameters, relative (RFC 8288).'),
  'WWW-Authenticate': textHeader('Bearer, and error="invalid_token" if a key was sent (RFC 6750).'),
  'X-Request-Id': textHeader('Identifies this response in the log of the server.'),
};

const refer = (kind: string, name: string): { $ref: string } => ({ $ref: `#/components/${kind}/${name}` });
const referHeaders = (...names: string[]): Record<string, { $ref: string }> =>
  Object.fromEntries([...BUDGET_HEADERS, ...names].map((name) => [name, refer('headers', name)]));
const json = (schema: Schema) => ({ 'application/json': { schema } });

/** Errors of every operation here; each may add others. */
const commonErrors: ErrorCode[] = [
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'ACCESS_DISABLED',
  'RATE_LIMITED',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** Headers of some errors only. */
const errorHeaders: Partial<Record<ErrorCode, string[]>> = {
  UNAUTHENTICATED: ['WWW-Authenticate'],
  RATE_LIMITED: ['Retry-After'],
  SERVICE_UNAVAILABLE: ['Retry-After'],
};

/**
 * The responses of an operation.
 *
 * @param others the headers of the 200, and the errors, that not every operation has.
 */
function responses(
  description: string,
  schema: Schema,
  others: { readonly headers?: string[]; readonly errors?: ErrorCode[] } = {},
): Record<string, OpenApiResponse> {
  const { headers = [], errors = [] } = others;
  const failures = [...commonErrors, ...errors].map((code): [string, OpenApiResponse] => [
    String(errorStatuses[code]),
    {
      description: `${code}: ${errorMeanings[code]}`,
      headers: referHeaders('X-Request-Id', ...(errorHeaders[code] ?? [])),
      content: json(refer('schemas', 'Error')),
    },
  ]);
  return {
    '200': { description, headers: referHeaders('ETag', 'X-Request-Id', ...headers), content: json(schema) },
    '304': {
      description: 'Unchanged since the response with the ETag in If-None-Match.',
      headers: referHeaders('ETag', 'X-Request-Id'),
    },
    ...Object.fromEntries(failures),
  };
}

const slugInPath: OpenApiParameter = {
  name: 'slug',
  in: 'path',
  required: true,
  description: startupFields.slug.description,
  schema: fieldSchema('slug'),
};

/**
 * Describes the REST surface, from the same vocabulary that it is made of.
 *
 * @param limits the limits of this gateway's tiers.
 * @param origin the public origin of the gateway, such as https://api.example.com; without it, URLs are relative.
 */
export function describeApi(limits: TierLimits, origin = '') {
  const rateLimit = `A standard key has a limit of ${limits.standard}, a premium key of ${limits.premium}, for ${WINDOW_MS / 1000} seconds. A request costs 1 unless its description says otherwise.`;
  const paths: Readonly<Record<string, { readonly get: OpenApiOperation }>> = {
    '/startups': {
      get: {
        operationId: 'listStartups',
        tags: ['Startups'],
        summary: 'List startups',
        description: `Startups, filtered, sorted and paged. All filters must match. An unknown, repeated or empty parameter is an error.`,
        parameters: queryParameters(listParameters),
        responses: responses('A page of startups.', refer('schemas', 'StartupPage'), { headers: ['Link'] }),
      },
    },
    '/summary': {
      get: {
        operationId: 'getSummary',
        tags: ['Startups'],
        summary: 'Get a summary of a list',
        description:
          'Counts by value, and statistics, of all startups that match. Takes the filters of a list. Costs 3.',
        parameters: queryParameters(filterParameters),
        responses: responses('The summary.', refer('schemas', 'Summary')),
      },
    },
    '/startups/{slug}': {
      get: {
        operationId: 'getStartup',
        tags: ['Startups'],
        summary: 'Get a startup',
        description:
          'A startup by its slug, with two more fields than in a list. No other parameter is allowed.',
        parameters: [slugInPath],
        responses: responses('The startup.', objectSchema({ data: refer('schemas', 'StartupDetail') }), {
          errors: ['NOT_FOUND'],
        }),
      },
    },
    '/changes': {
      get: {
        operationId: 'listChanges',
        tags: ['Changes'],
        summary: 'List changes',
        description: `${CHANGES_TEXT} To receive each change once, pass meta.next of a response as since of the next request. Costs 1 for each ${RECORDS_PER_READ} of limit.`,
        parameters: queryParameters(changesParameters),
        responses: responses('Changes.', refer('schemas', 'ChangePage'), { errors: ['CURSOR_EXPIRED'] }),
      },
    },
    '/startups/{slug}/history': {
      get: {
        operationId: 'getStartupHistory',
        tags: ['Startups'],
        summary: 'Get the history of a startup',
        description: `${HISTORY_TEXT} Costs 2. An unknown, repeated or empty parameter is an error.`,
        parameters: [slugInPath, ...queryParameters(historyParameters)],
        responses: responses('The points.', daysSchema(refer('schemas', 'StartupPoint')), {
          errors: ['NOT_FOUND'],
        }),
      },
    },
    '/market': {
      get: {
        operationId: 'getMarket',
        tags: ['Market'],
        summary: 'Get the market by day',
        description: `${MARKET_TEXT} An unknown, repeated or empty parameter is an error.`,
        parameters: queryParameters(marketParameters),
        responses: responses('The days.', daysSchema(refer('schemas', 'MarketDay'))),
      },
    },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'revgate',
      version: REST_BASE.replace(/^.*v/, ''),
      summary: 'Startups whose revenue is verified through payment providers.',
      description: `A read-only API. Money is in US cents. ${rateLimit}`,
      contact: { name: 'Operator of this gateway', url: `${origin}/policy` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}${REST_BASE}`, description: 'This gateway.' }],
    tags,
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, which begins with rvg_.' },
      },
      headers,
      schemas: {
        Startup: startupSchema('A startup in a list.', ['list']),
        StartupDetail: startupSchema('A startup with all its fields.', ['list', 'detail']),
        StartupPage: pageSchema(),
        Summary: summarySchema(),
        Change: changeSchema(),
        ChangePage: changePageSchema(),
        StartupPoint: startupPointSchema,
        MarketDay: marketDaySchema,
        Error: errorSchema(),
      },
    },
  };
}

function queryParameters(parameters: QueryParameters): OpenApiParameter[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: 'query',
    description: parameter.description,
    // Arrays are separated by commas.
    ...('plural' in parameter && { style: 'form', explode: false }),
    schema: parameterSchema(parameter),
  }));
}

function changeSchema(): Schema {
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

function changePageSchema(): Schema {
  return objectSchema({
    data: { type: 'array', maxItems: changesParameters.limit.maximum, items: refer('schemas', 'Change') },
    meta: objectSchema({
      next: { type: 'string', description: changeTexts.next },
      hasMore: { type: 'boolean', description: 'True when more changes follow.' },
    }),
  });
}

function pageSchema(): Schema {
  const meta = {
    total: countSchema('Count of matching startups over all pages.'),
    page: parameterSchema(listParameters.page),
    limit: parameterSchema(listParameters.limit),
    hasMore: { type: 'boolean', description: 'True when another page follows.' },
  };
  return objectSchema({
    data: { type: 'array', maxItems: listParameters.limit.maximum, items: refer('schemas', 'Startup') },
    meta: objectSchema({ ...meta, corrected: correctedSchema }, undefined, Object.keys(meta)),
  });
}

const correctedSchema: Schema = {
  type: 'boolean',
  description: 'Present and true if the search matched only after correcting typing errors in its words.',
};

function summarySchema(): Schema {
  const facet = (name: string): Schema => ({
    type: 'array',
    items: objectSchema({
      value:
        name === 'onSale'
          ? { type: 'boolean', description: 'Whether they are listed for sale.' }
          : { type: ['string', 'null'], description: 'The value; null counts startups without one.' },
      count: countSchema('Number of startups.'),
    }),
    description: 'Most frequent value first; values that no startup has are left out.',
  });
  const figure = (name: string): Schema =>
    name === 'count'
      ? countSchema('Number of startups that have the value.')
      : name === 'sum'
        ? { type: 'number', description: 'Sum of the values.' }
        : { type: ['number', 'null'], description: `The ${name}; null if no startup has the value.` };
  const byName = (names: readonly string[], schemaOf: (name: string) => Schema): Record<string, Schema> =>
    Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
  const total = countSchema('Count of matching startups.');
  return objectSchema({
    data: objectSchema({
      facets: objectSchema(byName(FACETS, facet), 'Counts by value.'),
      stats: objectSchema(
        byName(STATS, () => objectSchema(byName(FIGURES, figure))),
        'Statistics in US cents, except multiple (a ratio) and growth (a percentage).',
      ),
    }),
    meta: objectSchema({ total, corrected: correctedSchema }, undefined, ['total']),
  });
}

function errorSchema(): Schema {
  const text = (description: string): Schema => ({ type: 'string', description });
  const properties = {
    code: {
      type: 'string',
      enum: Object.keys(errorStatuses),
      'x-enumDescriptions': errorMeanings,
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
