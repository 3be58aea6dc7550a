import { ApiError, amount } from '../../lib/errors.ts';
import { fieldsOf, type StartupFieldPath, startupFields } from '../../startups/model/fields.ts';
import { type OwnField, type OwnPath, ownPath } from '../../startups/model/own-fields.ts';
import { CHANGES_TEXT } from '../../startups/model/requests/changes-request.ts';
import { parameterError } from '../../startups/model/requests/list-request.ts';
import { listArguments, type QueryParameters } from '../../startups/model/requests/query-parameters.ts';
import { dollars } from '../../startups/model/words.ts';
import {
  changesDocument,
  HISTORY_SELECTION,
  HISTORY_VARIABLES,
  listDocument,
  selectionOf,
} from '../rest/endpoint-documents.ts';
import { operations, operationsWith } from '../rest/endpoint-table.ts';
import { createTool, type ToolAnswer } from './tool.ts';
import { countFitting, earlierText, fittingLines, searchText, startupLine, startupTexts } from './words.ts';

/** Those of a list, without what the fields of an answer make superfluous. */
function ourParameters(own: readonly OwnField[]): QueryParameters {
  const { include: _include, ...parameters } = operationsWith(own).startups.parameters;
  return parameters;
}

/** What a change says of its startup. */
const CHANGED: readonly StartupFieldPath[] = [
  'name',
  'slug',
  'category',
  'revenue.last30Days',
  'onSale',
  'askingPrice',
];
/** What a search returns of each startup by default: little, as the context of an agent is small. */
const SHORT: readonly StartupFieldPath[] = [
  'name',
  'slug',
  'category',
  'country',
  'revenue.last30Days',
  'revenue.mrr',
  'growth30d',
  'onSale',
  'askingPrice',
  'multiple',
];
/** What a result can have of each startup. */
const readable = fieldsOf('list', 'detail').map(({ path }) => path);

const readableWith = (own: readonly OwnField[]): readonly (StartupFieldPath | OwnPath)[] => [
  ...readable,
  ...own.map(({ name }) => ownPath(name)),
];

const fieldsOfAnswer = (own: readonly OwnField[]) =>
  ({
    kind: 'choice',
    values: readableWith(own),
    plural: 'fields',
    description: `Fields of each startup, beside name and slug. Default: ${SHORT.slice(2).join(', ')}.`,
  }) as const;

/** These fields in the order of the interface, with name and slug. */
function withIdentity(asked: unknown, own: readonly OwnField[]): readonly (StartupFieldPath | OwnPath)[] {
  const chosen: readonly unknown[] = asked === undefined ? SHORT : [asked].flat();
  return readableWith(own).filter((path) => path === 'name' || path === 'slug' || chosen.includes(path));
}

/** The body of a list. */
interface ListBody {
  readonly data: readonly object[];
  readonly meta: {
    readonly total: number;
    readonly page: number;
    readonly limit: number;
    readonly corrected?: true;
  };
}

export const searchStartups = (own: readonly OwnField[]) =>
  createTool<ListBody>({
    name: 'search_startups',
    title: 'Search startups',
    description:
      'Lists startups with verified revenue, filtered, sorted and paged: 10 a page. All filters must match; one on a value excludes startups ' +
      'of which it is unknown. ' +
      'Bounds are inclusive; those of money are in US cents ($100,000 is 10000000), those of growth are fractions (0.24 is 24%). ' +
      'Costs 1.',
    parameters: { ...ourParameters(own), fields: fieldsOfAnswer(own) },
    call({ fields: asked, ...args }) {
      const paths = withIdentity(asked, own);
      return {
        operation: operations.startups,
        document: listDocument(selectionOf(paths)),
        variables: listArguments(args),
        answer({ data, meta: { total, page, limit, corrected } }) {
          const first = (page - 1) * limit + 1;
          return {
            summary: `${amount(total, 'startup')} found; page ${page} of ${Math.ceil(total / limit)}.${searchText(args, total, corrected)}`,
            lines: fittingLines((shown) =>
              data.map((record, index) => `${first + index}. ${startupLine(record, paths, shown, own)}`),
            ),
          };
        },
      };
    },
  });

interface Point {
  readonly day: string;
  readonly revenue: { readonly last30Days: number; readonly mrr: number };
  readonly customers: number;
}
type Found = object & { readonly history?: readonly Point[] };

export const getStartup = (own: readonly OwnField[]) =>
  createTool<{ data: Found } | ListBody>({
    name: 'get_startup',
    title: 'Get a startup',
    description:
      'One startup by its slug or website, with all fields; with its history on request. If several have the website, lists them. Costs 1, with history 2.',
    parameters: {
      slug: { kind: 'slug', description: startupFields.slug.description },
      website: {
        kind: 'website',
        description: 'In place of a slug: the website of the startup, as a URL or a host such as acme.io.',
      },
      history: {
        kind: 'boolean',
        description: 'Whether to add figures of earlier days, with from, to, last and fill. Default: false.',
      },
      ...operations.history.parameters,
    },
    call({ slug, website, history, ...range }) {
      const hasHistory = history === true;
      const selected = `${selectionOf(readableWith(own))} ${hasHistory ? HISTORY_SELECTION : ''}`;
      const bySlug = website === undefined;
      const variables = hasHistory ? `, ${HISTORY_VARIABLES}` : '';
      const isAmbiguous = bySlug === (slug === undefined);
      const isWithoutHistory = !hasHistory && Object.keys(range).length > 0;
      return {
        operation: bySlug ? operations.startup : operations.startups,
        document: bySlug
          ? `query McpStartup($slug: String!${variables}) { startup(slug: $slug) { ${selected} } }`
          : `query McpWebsite($filter: StartupFilter${variables}) { startups(filter: $filter) { page { ${selected} } meta { total } } }`,
        variables: { ...(bySlug ? { slug: slug ?? '' } : { filter: { website } }), ...(hasHistory && range) },
        errors: [
          ...(isAmbiguous ? [parameterError('slug', slug ?? null, 'either a slug or a website')] : []),
          ...(isWithoutHistory
            ? [parameterError('history', history ?? null, 'true with from, to, last or fill')]
            : []),
        ],
        answer(body) {
          if ('meta' in body && body.meta.total !== 1) {
            return severalStartups(body, String(website));
          }
          const [data = {}]: readonly Found[] = [body.data].flat();
          const points = data.history ?? [];
          const days = points
            .toReversed()
            .map(
              ({ day, revenue, customers }) =>
                `${day}: revenue ${dollars(revenue.last30Days)} in 30 days, MRR ${dollars(revenue.mrr)}, ${amount(customers, 'customer')}`,
            );
          const texts = startupTexts(data, readableWith(own), 1_000, own);
          const shown = countFitting(days, texts);
          const kept = points.slice(points.length - shown);
          const earlier = earlierText(kept[0]?.day ?? '', days.length - shown);
          return {
            body: { data: hasHistory ? { ...data, history: kept } : data },
            summary: hasHistory
              ? `1 startup found, with ${amount(shown, 'earlier day')}, the latest first.${earlier}`
              : '1 startup found.',
            lines: [...texts, ...days.slice(0, shown)],
          };
        },
      };
    },
  });

/** The startups that share a website. @throws ApiError if there is none. */
function severalStartups({ data, meta: { total } }: ListBody, website: string): ToolAnswer {
  if (total === 0) {
    const message = `No startup has the website ${JSON.stringify(website.slice(0, 120))}`;
    throw new ApiError('NOT_FOUND', message);
  }
  const more = total > data.length ? ` The first ${data.length}:` : '';
  return {
    summary: `${amount(total, 'startup')} have this website: call again with the slug of one.${more}`,
    lines: fittingLines((shown) => data.map((record) => startupLine(record, SHORT, shown))),
  };
}

/** The most changes of a result, which fit into its text. */
const MAX_CHANGES = 50;

interface Change {
  readonly slug: string;
  readonly kind: string;
  readonly at: string;
  readonly startup: object | null;
}

export const listChanges = createTool<{ data: Change[]; meta: { next: string; hasMore: boolean } }>({
  name: 'list_changes',
  title: 'List changes',
  description:
    `${CHANGES_TEXT} To learn what is new later, pass the cursor of a result as since of the next call; ` +
    'for what changed since a day, use search_startups with updatedSince. A result has at most ' +
    `${MAX_CHANGES}. Costs 1 for each 10.`,
  parameters: operations.changes.parameters,
  call: (args) => ({
    operation: operations.changes,
    document: changesDocument(selectionOf(CHANGED)),
    variables: { ...args, ...(Number(args.limit) > MAX_CHANGES && { limit: MAX_CHANGES }) },
    answer: ({ data, meta: { next, hasMore } }) => ({
      summary: `${amount(data.length, 'change')}, oldest first.${hasMore ? ' More follow.' : ''} Pass this as since of the next call: ${next}`,
      lines: fittingLines((shown) =>
        data.map(
          ({ slug, kind, at, startup }) =>
            `${at} ${kind}: ${startup === null ? slug : startupLine(startup, CHANGED, shown)}`,
        ),
      ),
    }),
  }),
});
