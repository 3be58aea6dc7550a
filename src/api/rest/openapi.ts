import { type TierLimits, WINDOW_MS } from '../../access/limits/tiers.ts';
import { type ErrorCode, errorMeanings, errorStatuses } from '../../lib/errors.ts';
import { contactUrl, DEFAULT_SERVICE, PROGRAM, type Service } from '../../lib/text/service.ts';
import { CHANGES_TEXT, HISTORY_TEXT, MARKET_TEXT } from '../../startups/history/descriptions.ts';
import { historyParameters, marketParameters } from '../../startups/history/parameters.ts';
import { fieldsOf, startupFields } from '../../startups/model/fields.ts';
import { changesParameters } from '../../startups/model/requests/changes-request.ts';
import {
  listParameters,
  RECORDS_PER_READ,
  summaryParameters,
} from '../../startups/model/requests/list-parameters.ts';
import type { QueryParameters } from '../../startups/model/requests/query-parameters.ts';
import { REST_BASE } from './endpoints.ts';
import { changePageSchema, changeSchema, errorSchema, pageSchema, summarySchema } from './openapi-bodies.ts';
import { daysSchema, marketDaySchema, startupPointSchema } from './openapi-days.ts';
import { type ApiExamples, examplesOf, type RecordedBodies } from './openapi-examples.ts';
import { errorHeaders, headers, referHeaders } from './openapi-headers.ts';
import {
  fieldSchema,
  objectSchema,
  parameterSchema,
  refer,
  type Schema,
  startupSchema,
} from './openapi-schemas.ts';
import { MOST_SNAPSHOTS, SNAPSHOT_COST, snapshotFields } from './snapshot.ts';

/** A parameter of an operation. */
interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required?: true;
  readonly description: string;
  readonly style?: 'form';
  readonly explode?: false;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** A response of an operation. */
interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<
    Partial<Record<MediaType, { readonly schema: Schema; readonly example?: unknown }>>
  >;
}

type MediaType = 'application/json' | 'application/x-ndjson';

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
export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** Errors of every operation here; each may add others. */
const commonErrors: ErrorCode[] = [
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'ACCESS_DISABLED',
  'RATE_LIMITED',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** What distinguishes one operation from the others. */
interface OperationParts extends Omit<OpenApiOperation, 'parameters' | 'responses'> {
  /** Whether its path has the slug of a startup. */
  readonly hasSlug?: true;
  readonly parameters: QueryParameters;
  /** The description and the schema of its 200, and its media type if that is not JSON. */
  readonly response: readonly [string, Schema, MediaType?];
  /** Headers of its 200, and errors, that not every operation has. */
  readonly headers?: readonly string[];
  readonly errors?: readonly ErrorCode[];
}

/** @param examples for each parameter and response; without them, there are none. */
function operation(
  { hasSlug, parameters, response, headers = [], errors = [], ...rest }: OperationParts,
  examples: ApiExamples | undefined,
): { readonly get: OpenApiOperation } {
  const content = (schema: Schema, example: unknown, mediaType: MediaType = 'application/json') => ({
    [mediaType]: { schema, ...(example !== undefined && { example }) },
  });
  const codes = [...commonErrors, ...(hasSlug ? ['NOT_FOUND' as const] : []), ...errors];
  const failures = codes.map((code): [string, OpenApiResponse] => [
    String(errorStatuses[code]),
    {
      description: codes
        .filter((other) => errorStatuses[other] === errorStatuses[code])
        .map((other) => `${other}: ${errorMeanings[other]}`)
        .join(' '),
      headers: referHeaders('X-Request-Id', ...(errorHeaders[code] ?? [])),
      content: content(refer('schemas', 'Error'), examples?.ofError(code)),
    },
  ]);
  const [description, schema, mediaType] = response;
  const slug: OpenApiParameter = {
    name: 'slug',
    in: 'path',
    required: true,
    description: startupFields.slug.description,
    schema: fieldSchema('slug'),
    ...(examples !== undefined && { example: examples.slug }),
  };
  const inQuery = Object.entries(parameters).map(
    ([name, parameter]): OpenApiParameter => ({
      name,
      in: 'query',
      description: parameter.description,
      // Arrays are separated by commas.
      ...('plural' in parameter && { style: 'form', explode: false }),
      schema: parameterSchema(parameter),
      ...(examples !== undefined && { example: examples.ofParameter(name, parameter) }),
    }),
  );
  return {
    get: {
      ...rest,
      parameters: [...(hasSlug ? [slug] : []), ...inQuery],
      responses: {
        '200': {
          description,
          headers: referHeaders('ETag', 'X-Request-Id', ...headers),
          content: content(schema, examples?.bodies[rest.operationId], mediaType),
        },
        '304': {
          description: 'Unchanged since the response with the ETag in If-None-Match.',
          headers: referHeaders('ETag', 'X-Request-Id'),
        },
        ...Object.fromEntries(failures),
      },
    },
  };
}

/** What is an error of every operation with parameters. */
const STRICT = 'An unknown, repeated or empty parameter is an error.';

/** The operations by their paths. */
const operations: Readonly<Record<string, OperationParts>> = {
  '/startups': {
    operationId: 'listStartups',
    tags: ['Startups'],
    summary: 'List startups',
    description: `Startups, filtered, sorted and paged. All filters must match. ${STRICT}`,
    parameters: listParameters,
    response: ['A page of startups.', refer('schemas', 'StartupPage')],
    headers: ['Link'],
  },
  '/summary': {
    operationId: 'getSummary',
    tags: ['Startups'],
    summary: 'Get a summary of a list',
    description:
      'Counts by value, and statistics, of all startups that match. Takes the filters of a list. Costs 3, and 4 with by.',
    parameters: summaryParameters,
    response: ['The summary.', refer('schemas', 'Summary')],
  },
  '/startups/{slug}': {
    operationId: 'getStartup',
    tags: ['Startups'],
    summary: 'Get a startup',
    description:
      'A startup by its slug, with further fields that lists leave out. No other parameter is allowed.',
    hasSlug: true,
    parameters: {},
    response: ['The startup.', objectSchema({ data: refer('schemas', 'StartupDetail') })],
  },
  '/changes': {
    operationId: 'listChanges',
    tags: ['Changes'],
    summary: 'List changes',
    description: `${CHANGES_TEXT} To receive each change once, pass meta.next of a response as since of the next request. Costs 1 for each ${RECORDS_PER_READ} of limit.`,
    parameters: changesParameters,
    response: ['Changes.', refer('schemas', 'ChangePage')],
    errors: ['CURSOR_EXPIRED'],
  },
  '/snapshot': {
    operationId: 'getSnapshot',
    tags: ['Changes'],
    summary: 'Download all startups',
    description: `All startups at once, as NDJSON: a record a line, in the order in which they were first imported, from one moment. The lines can be imported. Link leads to the changes since then. Only for keys that the operator has allowed it. Costs ${SNAPSHOT_COST}, once an hour for each key, and at most ${MOST_SNAPSHOTS} are sent at a time. Accepts gzip. No parameter is allowed.`,
    parameters: {},
    response: [
      'The startups, one a line; the schema is that of a line.',
      refer('schemas', 'SnapshotStartup'),
      'application/x-ndjson',
    ],
    headers: ['Link'],
    errors: ['SNAPSHOT_NOT_ALLOWED'],
  },
  '/startups/{slug}/history': {
    operationId: 'getStartupHistory',
    tags: ['Startups'],
    summary: 'Get the history of a startup',
    description: `${HISTORY_TEXT} Costs 2. ${STRICT}`,
    hasSlug: true,
    parameters: historyParameters,
    response: ['The points.', refer('schemas', 'StartupHistory')],
  },
  '/market': {
    operationId: 'getMarket',
    tags: ['Market'],
    summary: 'Get the market by day',
    description: `${MARKET_TEXT} ${STRICT}`,
    parameters: marketParameters,
    response: ['The days.', refer('schemas', 'Market')],
  },
};

/**
 * Describes the REST surface, from the same vocabulary that it is made of.
 *
 * @param limits the limits of this gateway's tiers.
 * @param origin the public origin of the gateway, such as https://api.example.com; without it, URLs are relative.
 * @param service whose name and contact it states.
 * @param recorded responses to show as examples; without them, there are no examples.
 */
export function openApiDocument(
  limits: TierLimits,
  origin = '',
  recorded?: RecordedBodies,
  service = DEFAULT_SERVICE,
) {
  const rateLimit = `A standard key has a limit of ${limits.standard}, a premium key of ${limits.premium}, for ${WINDOW_MS / 1000} seconds. A request costs 1 unless its description says otherwise.`;
  const examples = recorded && examplesOf(recorded);
  const paths = Object.fromEntries(
    Object.entries(operations).map(([path, parts]) => [path, operation(parts, examples)]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: service.name,
      version: REST_BASE.replace(/^.*v/, ''),
      summary: 'Startups whose revenue is verified through payment providers.',
      description: `A read-only API. Money is in US cents. ${rateLimit}`,
      termsOfService: `${origin}/policy`,
      license: { name: 'Acceptable-use policy', url: `${origin}/policy` },
      contact: contactOf(service, origin),
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
        Startup: startupSchema('A startup in a list.', fieldsOf('list')),
        StartupDetail: startupSchema('A startup with all its fields.', fieldsOf('list', 'detail')),
        SnapshotStartup: snapshotSchema(),
        StartupPage: pageSchema(),
        Summary: summarySchema(),
        Change: changeSchema(),
        ChangePage: changePageSchema(),
        StartupPoint: startupPointSchema,
        StartupHistory: daysSchema(refer('schemas', 'StartupPoint')),
        MarketDay: marketDaySchema,
        Market: daysSchema(refer('schemas', 'MarketDay')),
        Error: errorSchema(),
      },
    },
  };
}

function contactOf({ name, contact }: Service, origin: string) {
  const owner = name === PROGRAM ? 'Operator of this gateway' : name;
  const url = contactUrl(contact ?? `${origin}/policy`);
  return url.startsWith('mailto:') ? { name: owner, email: contact } : { name: owner, url };
}

/** A record of a snapshot, which has the description as it is stored. */
function snapshotSchema() {
  const { properties, ...schema } = startupSchema('A startup in a snapshot.', snapshotFields);
  const { maxLength } = startupFields.description;
  const description = 'Short description, not cut. Null when there is none.';
  const whole = { ...fieldSchema('description'), maxLength, description };
  return { ...schema, properties: { ...(properties as object), description: whole } };
}
