import { MAX_DOCUMENTS } from '../../access/keys/documents/publish-and-remove.ts';
import { type TierLimits, WINDOW_MS } from '../../access/limits/tiers.ts';
import { type ErrorCode, errorMeanings, errorStatuses, errorSurfaces } from '../../lib/errors.ts';
import { contactUrl, DEFAULT_SERVICE, PROGRAM, type Service } from '../../lib/text/service.ts';
import { fieldsOf, startupFields } from '../../startups/model/fields.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import { ownValueTexts } from '../../startups/model/requests/own-parameters.ts';
import { copiedSchema } from './copied-record.ts';
import {
  type OperationName,
  type OperationWords,
  operations,
  operationsWith,
  type RestOperation,
} from './endpoint-table.ts';
import { REST_BASE } from './find-endpoint.ts';
import { createExamples, type Examples, type RecordedBodies } from './openapi-examples.ts';
import { errorHeaders, headers, referHeaders } from './openapi-headers.ts';
import { bodySchema } from './openapi-responses.ts';
import {
  addComponent,
  fieldSchema,
  objectSchema,
  ownSchema,
  queryParameterSchema,
  refer,
  type Schema,
  startupSchema,
  withOwn,
} from './openapi-schemas.ts';
import { DOCUMENTS_PATH, PUBLISH_BODY_LIMIT, PUBLISH_LIMIT, publishMembers } from './publish-documents.ts';

/** The GET of a path. */
export type OpenApiOperation = ReturnType<typeof describeOperation>['get'];

const tags = [
  { name: 'Changes', description: 'What imports have created, updated and removed.' },
  { name: 'Documents', description: 'Documents that web pages request by their ids.' },
  { name: 'Limits', description: 'What is left of the rate limit of a key.' },
  { name: 'Market', description: 'Figures of all startups by day.' },
  { name: 'Startups', description: 'Lists of startups, and one startup with its history.' },
] as const satisfies readonly {
  readonly name: OperationWords['tag'] | 'Documents';
  readonly description: string;
}[];

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

/** Errors of publishing. */
const publishErrors: readonly ErrorCode[] = [
  ...commonErrors,
  'NOT_FOUND',
  'DOCUMENT_NOT_TRUSTED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** All errors that an operation here has. */
const listedErrors: readonly ErrorCode[] = [
  ...new Set([
    ...publishErrors,
    ...Object.values<OperationWords>(operations).flatMap(({ errors = [] }) => errors),
  ]),
];

/** What is an error of every operation with parameters. */
const STRICT = 'An unknown, repeated or empty parameter is an error.';

function describeOperation(
  operation: OperationWords,
  [description, schema, mediaType = 'application/json']: readonly [string, Schema, string?],
  name: OperationName,
  examples: Examples | undefined,
  ownTexts: ReadonlyMap<string, string>,
) {
  const { id, path, tag, title, words, price, parameters, headers = [], errors = [], isVolatile } = operation;
  const hasSlug = path.includes('{slug}');
  const codes = [...commonErrors, ...(hasSlug ? ['NOT_FOUND' as const] : []), ...errors];
  const slug = {
    name: 'slug',
    in: 'path',
    required: true,
    description: startupFields.slug.description,
    schema: fieldSchema('slug'),
    ...(examples && { example: examples.field('slug') }),
  };
  const inQuery = Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: 'query',
    description: parameter.description,
    // Arrays are separated by commas.
    ...(('plural' in parameter || parameter.kind === 'ownValues') && { style: 'form', explode: false }),
    schema: queryParameterSchema(parameter, ownTexts),
    ...(examples && { example: examples.parameter(name, parameter) }),
  }));
  return {
    get: {
      operationId: id,
      tags: [tag],
      summary: title,
      description: [words, price, inQuery.length > 0 && STRICT].filter(Boolean).join(' '),
      parameters: [...(hasSlug ? [slug] : []), ...inQuery],
      responses: {
        '200': {
          description,
          headers: referHeaders(...(isVolatile ? [] : ['ETag']), 'X-Request-Id', ...headers),
          content: { [mediaType]: { schema, ...(examples && { example: examples.response(name) }) } },
        },
        ...(!isVolatile && {
          '304': {
            description: 'Unchanged since the response with the ETag in If-None-Match.',
            headers: referHeaders('ETag', 'X-Request-Id'),
          },
        }),
        ...describeErrors(codes, examples),
      },
    },
  };
}

/** The responses of errors, by their statuses. */
function describeErrors(codes: readonly ErrorCode[], examples: Examples | undefined) {
  return Object.fromEntries(
    codes.map((code) => {
      const alike = codes.filter((other) => errorStatuses[other] === errorStatuses[code]);
      const response = {
        description: alike.map((other) => `${other}: ${errorMeanings[other]}`).join(' '),
        headers: referHeaders('X-Request-Id', ...(errorHeaders[code] ?? [])),
        content: {
          'application/json': {
            schema: refer('schemas', 'Error'),
            ...(examples && {
              examples: Object.fromEntries(alike.map((one) => [one, refer('examples', one)])),
            }),
          },
        },
      };
      return [String(errorStatuses[code]), response] as const;
    }),
  );
}

/** The one operation that writes. */
function describePublishing(examples: Examples | undefined) {
  const text: Schema = { type: 'string' };
  const body = objectSchema(
    {
      key: { type: 'string', pattern: '^key_[0-9A-Za-z]{12}$', description: publishMembers.key },
      documents: {
        type: 'array',
        items: text,
        minItems: 1,
        maxItems: MAX_DOCUMENTS,
        description: publishMembers.documents,
      },
      manifest: { type: 'object', additionalProperties: true, description: publishMembers.manifest },
    },
    undefined,
    ['key'],
  );
  return {
    operationId: 'publishDocuments',
    tags: ['Documents'],
    summary: 'Publish documents',
    description:
      'Publishes GraphQL documents for an embed key of the account of a secret key: all of them, or none. Publishing them ' +
      `again changes nothing. Costs nothing of the limit; a key can publish ${PUBLISH_LIMIT} times a minute. A body has at ` +
      `most ${PUBLISH_BODY_LIMIT.toLocaleString('en')} bytes.`,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: body, ...(examples && { example: examples.publishing.request }) },
      },
    },
    responses: {
      '200': {
        description: 'The published documents, each once.',
        headers: referHeaders('X-Request-Id'),
        content: {
          'application/json': {
            schema: objectSchema({ data: { type: 'array', items: refer('schemas', 'Publication') } }),
            ...(examples && { example: examples.publishing.response }),
          },
        },
      },
      ...describeErrors(publishErrors, examples),
    },
  };
}

/** What is answered of each document. */
function publicationSchema(): Schema {
  return objectSchema(
    {
      id: { type: 'string', description: 'The id to request it by: sha256: and the SHA-256 of its text.' },
      operations: { type: 'array', items: { type: 'string' }, description: 'The names of its operations.' },
      replacedId: {
        type: ['string', 'null'],
        description: 'Its id in the manifest if clients cannot use it, such as an MD5; otherwise null.',
      },
      isNew: { type: 'boolean', description: 'False if it was published before.' },
    },
    'A published document.',
  );
}

/** What a path of the description has. */
interface PathItem extends Partial<ReturnType<typeof describeOperation>> {
  readonly post?: ReturnType<typeof describePublishing>;
}

const SNAPSHOT_LINES = 'The startups, one a line; the schema is that of a line.';

/** The paths, and the schemas of their bodies with those that these have a reference to. */
function describeAll(examples: Examples | undefined, own: readonly OwnField[]) {
  const schemas: Record<string, Schema> = {
    Startup: withOwn(startupSchema('A startup in a list.', fieldsOf('list')), own, true),
    StartupDetail: withOwn(startupSchema('A startup with all its fields.', fieldsOf('list', 'detail')), own),
    SnapshotStartup: withOwn(copiedSchema(), own),
    ...(own.length > 0 && { Own: ownSchema(own) }),
    Publication: publicationSchema(),
  };
  const ownTexts = ownValueTexts(own);
  const paths: Record<string, PathItem> = { [DOCUMENTS_PATH]: { post: describePublishing(examples) } };
  for (const [name, one] of Object.entries<OperationWords | RestOperation>(operationsWith(own))) {
    const operation = name as OperationName;
    if (!('document' in one)) {
      const lines = refer('schemas', 'SnapshotStartup');
      paths[one.path] = describeOperation(
        one,
        [SNAPSHOT_LINES, lines, 'application/x-ndjson'],
        operation,
        examples,
        ownTexts,
      );
      continue;
    }
    const { words, name: component } = one.response;
    let schema = bodySchema(one, schemas, own);
    if (component !== undefined) {
      addComponent(schemas, component, schema);
      schema = refer('schemas', component);
    }
    paths[one.path] = describeOperation(one, [words, schema], operation, examples, ownTexts);
  }
  return { paths, schemas: { ...schemas, Error: errorSchema() } };
}

/**
 * Describes the REST surface, from the same vocabulary that it is made of.
 *
 * @param limits the limits of this gateway's tiers.
 * @param origin the public origin of the gateway, such as https://api.example.com; without it, URLs are relative.
 * @param service whose name and contact it states.
 * @param recorded what examples are made of; without it, there are none.
 * @param own the declared fields.
 */
export function openApiDocument(
  limits: TierLimits,
  origin = '',
  service = DEFAULT_SERVICE,
  recorded?: RecordedBodies,
  own: readonly OwnField[] = [],
) {
  const rateLimit =
    `A standard key has a limit of ${limits.standard}, a premium key of ${limits.premium}, for ` +
    `${WINDOW_MS / 1000} seconds. A request costs 1 unless its description says otherwise.`;
  const examples = recorded && createExamples(recorded, own);
  const { paths, schemas } = describeAll(examples, own);
  return {
    openapi: '3.1.0',
    info: {
      title: service.name,
      version: REST_BASE.replace(/^.*v/, ''),
      summary: 'Startups whose revenue is verified through payment providers.',
      description: `Reads startups; only documents are written. Money is in US cents. ${rateLimit}`,
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
      schemas,
      ...(examples && {
        examples: Object.fromEntries(listedErrors.map((code) => [code, examples.error(code)])),
      }),
    },
  };
}

function contactOf({ name, contact }: Service, origin: string) {
  const owner = name === PROGRAM ? 'Operator of this gateway' : name;
  const url = contactUrl(contact ?? `${origin}/policy`);
  return url.startsWith('mailto:') ? { name: owner, email: contact } : { name: owner, url };
}

/** The body of every error. */
function errorSchema(): Schema {
  const text = (description: string): Schema => ({ type: 'string', description });
  const codes = (Object.keys(errorStatuses) as ErrorCode[]).filter(
    (code) => !['import', 'feeds'].includes(errorSurfaces[code]),
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
