import {
  MAX_ACCOUNT_DOCUMENT_BYTES,
  MAX_ACCOUNT_DOCUMENTS,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
} from '../../access/keys/documents/publish-and-remove.ts';
import { ACCOUNT_LIMIT, tiers, WINDOW_MS } from '../../access/limits/tiers.ts';
import { GRAPHQL_BODY_LIMIT, jsonLimits, SENT_WITH_EVERY_TYPE } from '../../api/graphql/over-http.ts';
import { documentCaps } from '../../api/graphql/planning/caps.ts';
import type { Schema } from '../../api/rest/openapi-schemas.ts';
import { PUBLISH_BODY_LIMIT, PUBLISH_LIMIT } from '../../api/rest/publish-documents.ts';
import {
  type ErrorCode,
  errorMeanings,
  errorStatuses,
  errorSurfaces,
  fieldErrors,
} from '../../lib/errors.ts';
import { foldedLetters } from '../../lib/text/words.ts';
import { DESCRIPTION_LIMIT } from '../../startups/model/record.ts';
import { listParameters, RECORDS_PER_READ } from '../../startups/model/requests/list-parameters.ts';
import { MAX_CENTS, MAX_COUNT } from '../../startups/model/vocabulary.ts';
import { PAGES_PER_MINUTE } from '../page/access.ts';
import { count } from '../shared/figures.tsx';
import type { DocsData, GeneratedParts } from './contents.ts';
import { code, entryList, jsonFacts, schemaEntries, table } from './entries.ts';
import {
  describeCategoryNames,
  describeImportFormat,
  describeNotations,
  describeOwnKinds,
} from './import-format.ts';
import { describeEnumerations, describeOperations, describeRecord, describeSummaries } from './operations.ts';

/** What the generated parts follow from: the code, and the limits of this gateway. */
type GeneratedFrom = Pick<DocsData, 'openApi' | 'limits' | 'embedLimit'>;

/** What writes each generated part of the documents, by its name. */
export function generate(data: GeneratedFrom): GeneratedParts {
  const { openApi } = data;
  return {
    ...describeOperations(openApi),
    ...Object.fromEntries(
      ['Error', 'Change', 'StartupPoint', 'MarketDay'].map((name) => [
        name,
        () => describeBody(name, openApi),
      ]),
    ),
    tiers: () => describeTiers(data),
    'error-codes': describeErrorCodes,
    headers: () => describeHeaders(openApi),
    summaries: () => describeSummaries(openApi),
    record: describeRecord,
    enumerations: describeEnumerations,
    sizes: describeSizes,
    'import-format': describeImportFormat,
    notations: describeNotations,
    'own-kinds': describeOwnKinds,
    'category-names': describeCategoryNames,
    'folded-letters': () => table([['Letter', 'Like'], ...Object.entries(foldedLetters)]),
  };
}

/** The fields of what REST responds with, other than startups. */
function describeBody(name: string, { components }: DocsData['openApi']): string {
  const { [name]: schema = {} }: Readonly<Record<string, Schema>> = components.schemas;
  const title = name === 'Error' ? 'The body of an error' : `Fields of ${name}`;
  return `## ${title} {#${name}}\n\n${entryList(schemaEntries(name, schema))}`;
}

function describeTiers({ limits, embedLimit }: GeneratedFrom): string {
  return table([
    ['Key', `Limit in ${WINDOW_MS / 1000} seconds`],
    ...tiers.map((tier) => [tier, count(limits[tier])]),
    ['signed in, without a key (GraphiQL)', count(ACCOUNT_LIMIT)],
    ['pages of the dashboard, for each account', count(PAGES_PER_MINUTE)],
    ['no valid key', `${count(limits.standard)} for each client address (IPv6: each /64)`],
    [
      '[Embed key](#embed-keys)',
      `that of its tier for each client address, and ${count(embedLimit)} for all clients together`,
    ],
  ]);
}

/** The text above the list says when a status is 200 instead. */
function graphqlStatuses(name: ErrorCode): string {
  const status = errorStatuses[name];
  const use = fieldErrors[name];
  const isAlso200 = use !== undefined || !SENT_WITH_EVERY_TYPE.has(status);
  return [use !== 'always' && code(status), isAlso200 && code(200)].filter(Boolean).join(' or ');
}

function describeErrorCodes(): string {
  const codes = Object.keys(errorStatuses) as ErrorCode[];
  return entryList(
    codes.map((name) => {
      const status = code(errorStatuses[name]);
      const surface = errorSurfaces[name];
      return {
        id: name,
        name,
        facts: [
          ...(surface === 'import' || surface === 'feeds' ? [`${code(`/${surface}`)} ${status}`] : []),
          ...(surface === 'both' || surface === 'rest' ? [`REST ${status}`] : []),
          ...(surface === 'both' || surface === 'graphql' ? [`GraphQL ${graphqlStatuses(name)}`] : []),
        ],
        description: errorMeanings[name],
      };
    }),
  );
}

function describeHeaders({ paths, components }: DocsData['openApi']): string {
  const responses = Object.values(paths).flatMap(({ get }) => Object.entries(get?.responses ?? {}));
  const entries = Object.entries(components.headers).map(([name, { description, schema }]) => {
    const statuses = new Set(
      responses.filter(([, { headers }]) => Object.hasOwn(headers, name)).map(([status]) => status),
    );
    const isEverywhere = responses.every(([status]) => statuses.has(status));
    return {
      id: `header.${name}`,
      name,
      facts: [
        ...jsonFacts(schema).slice(0, 1),
        isEverywhere ? 'every response' : `with ${[...statuses].sort().join(', ')}`,
      ],
      description,
    };
  });
  return entryList(entries);
}

function describeSizes(): string {
  return table([
    ['Measure', 'At most'],
    ['Body of a request', `${count(GRAPHQL_BODY_LIMIT)} bytes`],
    ['Body of a publication', `${count(PUBLISH_BODY_LIMIT)} bytes`],
    ['Publications of a key in a minute', count(PUBLISH_LIMIT)],
    ['JSON of a request: levels', count(jsonLimits.levels)],
    ['JSON of a request: names in an object', count(jsonLimits.names)],
    ...Object.entries(documentCaps).map(([measure, cap]) => [`GraphQL operation: ${measure}`, count(cap)]),
    ['Startups of a page, slugs or ids of one read', count(RECORDS_PER_READ)],
    ['Number of a page', count(listParameters.page.maximum)],
    ['Description of a startup', `${count(DESCRIPTION_LIMIT)} UTF-16 units`],
    ['Amount of money', `${count(MAX_CENTS)} US cents`],
    ['Count', count(MAX_COUNT)],
    ['Published documents of a key', count(MAX_DOCUMENTS)],
    ['Published documents of an account', count(MAX_ACCOUNT_DOCUMENTS)],
    [
      'All published documents of an account, comments included',
      `${count(MAX_ACCOUNT_DOCUMENT_BYTES)} bytes`,
    ],
    ['Published document, comments included', `${count(MAX_DOCUMENT_BYTES)} bytes`],
  ]);
}
