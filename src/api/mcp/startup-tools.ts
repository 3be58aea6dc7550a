import { ApiError } from '../../lib/errors.ts';
import { amount } from '../../lib/text/amount.ts';
import { type StartupFieldPath, startupFieldList, startupFields } from '../../startups/model/fields.ts';
import { CHANGES_TEXT } from '../../startups/model/requests/changes-request.ts';
import { listParameters } from '../../startups/model/requests/list-parameters.ts';
import { parameterError } from '../../startups/model/requests/list-request.ts';
import { listArguments } from '../../startups/model/requests/query-parameters.ts';
import { dollars } from '../../startups/model/words.ts';
import { HISTORY_SELECTION, HISTORY_VARIABLES, selectionOf } from '../rest/endpoint-documents.ts';
import { operations } from '../rest/operations.ts';
import { createTool, type ToolAnswer } from './tool.ts';
import {
  boundsText,
  CORRECTED,
  countFitting,
  earlierText,
  fittingLines,
  startupLine,
  startupTexts,
} from './words.ts';

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
/** What a change says of its startup. */
const CHANGED: readonly StartupFieldPath[] = [
  'name',
  'slug',
  'category',
  'revenue.last30Days',
  'onSale',
  'askingPrice',
];
/** What a result can have of each startup. */
export const readable = startupFieldList.filter(({ shape }) => shape !== 'import').map(({ path }) => path);

const fields = {
  kind: 'choice',
  values: readable,
  plural: 'fields',
  description: `Fields of each startup, beside name and slug. Default: ${SHORT.slice(2).join(', ')}.`,
} as const;

/** These fields in the order of the interface, with name and slug. */
function withIdentity(asked: unknown): readonly StartupFieldPath[] {
  const chosen = asked === undefined ? SHORT : [asked].flat();
  return readable.filter((path) => path === 'name' || path === 'slug' || chosen.includes(path));
}

interface ListMeta {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
  readonly corrected: boolean;
}

export const searchStartups = createTool<{ startups: { page: object[]; meta: ListMeta } }>({
  name: 'search_startups',
  title: 'Search startups',
  description:
    'Lists startups with verified revenue, filtered, sorted and paged: 10 a page. All filters must match. Bounds of money are in US cents ($100,000 is 10000000), bounds of growth are fractions (0.24 is 24%). Costs 1.',
  parameters: { ...listParameters, fields },
  call({ fields: asked, ...args }) {
    const paths = withIdentity(asked);
    return {
      query: `query McpSearch($filter: StartupFilter, $sort: StartupSort, $page: Int, $limit: Int) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) {
    page { ${selectionOf(paths)} }
    meta { total page limit hasMore corrected }
  }
}`,
      variables: listArguments(args),
      answer({ startups: { page: data, meta } }) {
        const pages = Math.ceil(meta.total / meta.limit);
        const summary = `${amount(meta.total, 'startup')} found; page ${meta.page} of ${pages}.${boundsText(args)}${meta.corrected ? CORRECTED : ''}`;
        const first = (meta.page - 1) * meta.limit + 1;
        const lines = fittingLines((shown) =>
          data.map((record, index) => `${first + index}. ${startupLine(record, paths, shown)}`),
        );
        return { body: { data, meta }, summary, lines };
      },
    };
  },
});

const getParameters = {
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
} as const;

interface Point {
  readonly day: string;
  readonly revenue: { readonly last30Days: number; readonly mrr: number };
  readonly customers: number;
}

interface Matches {
  readonly page: readonly object[];
  readonly meta: { readonly total: number };
}

export const getStartup = createTool<{ startup?: object | null; startups?: Matches }>({
  name: 'get_startup',
  title: 'Get a startup',
  description:
    'One startup by its slug or website, with all fields; with its history on request. If several have the website, lists them. Costs 1, with history 2.',
  parameters: getParameters,
  call({ slug, website, history, ...range }) {
    const hasHistory = history === true;
    const selected = `${selectionOf(readable)} ${hasHistory ? HISTORY_SELECTION : ''}`;
    const bySlug = website === undefined;
    const variables = hasHistory ? `, ${HISTORY_VARIABLES}` : '';
    const isAmbiguous = bySlug === (slug === undefined);
    const isWithoutHistory = !hasHistory && Object.keys(range).length > 0;
    return {
      query: bySlug
        ? `query McpStartup($slug: String!${variables}) { startup(slug: $slug) { ${selected} } }`
        : `query McpWebsite($filter: StartupFilter${variables}) { startups(filter: $filter) { page { ${selected} } meta { total } } }`,
      variables: { ...(bySlug ? { slug: slug ?? '' } : { filter: { website } }), ...(hasHistory && range) },
      errors: [
        ...(isAmbiguous ? [parameterError('slug', slug ?? null, 'either a slug or a website')] : []),
        ...(isWithoutHistory
          ? [parameterError('history', history ?? null, 'true with from, to, last or fill')]
          : []),
      ],
      answer({ startup, startups }) {
        const found = startup ?? startups?.page[0];
        if (found === undefined) {
          const [name, value] = bySlug ? ['slug', slug] : ['website', website];
          throw new ApiError(
            'NOT_FOUND',
            `No startup has the ${name} ${JSON.stringify(String(value).slice(0, 120))}`,
          );
        }
        if (startups !== undefined && startups.meta.total > 1) {
          return severalStartups(startups);
        }
        const { history: points = [] } = found as { history?: readonly Point[] };
        const days = points
          .toReversed()
          .map(
            ({ day, revenue, customers }) =>
              `${day}: revenue ${dollars(revenue.last30Days)} in 30 days, MRR ${dollars(revenue.mrr)}, ${amount(customers, 'customer')}`,
          );
        const texts = startupTexts(found, readable, 1_000);
        const shown = countFitting(days, texts);
        const from = points[points.length - shown]?.day ?? '';
        const earlier = earlierText(from, days.length - shown);
        return {
          body: { data: hasHistory ? { ...found, history: points.slice(points.length - shown) } : found },
          summary: hasHistory
            ? `1 startup found, with ${amount(shown, 'earlier day')}, the latest first.${earlier}`
            : '1 startup found.',
          lines: [...texts, ...days.slice(0, shown)],
        };
      },
    };
  },
});

/** The startups that share a website. */
function severalStartups({ page: data, meta: { total } }: Matches): ToolAnswer {
  const more = total > data.length ? ` The first ${data.length}:` : '';
  return {
    body: { data, meta: { total } },
    summary: `${amount(total, 'startup')} have this website: call again with the slug of one.${more}`,
    lines: fittingLines((shown) => data.map((record) => startupLine(record, SHORT, shown))),
  };
}

/** The most changes of a result, which fit into its text. */
const MAX_CHANGES = 50;

interface ChangeNode {
  readonly slug: string;
  readonly kind: string;
  readonly at: string;
  readonly startup: object | null;
}

export const listChanges = createTool<{
  changes: { edges: { node: ChangeNode }[]; pageInfo: { hasNextPage: boolean }; next: string };
}>({
  name: 'list_changes',
  title: 'List changes',
  description: `${CHANGES_TEXT} To learn what is new later, pass the cursor of a result as since of the next call; for what changed since a day, use search_startups with updatedSince. A result has at most ${MAX_CHANGES}. Costs 1 for each 10.`,
  parameters: operations.changes.parameters,
  call: (variables) => ({
    query: `query McpChanges($since: String, $limit: Int) {
  changes(since: $since, first: $limit) {
    edges { node { slug kind at startup { ${selectionOf(CHANGED)} } } }
    pageInfo { hasNextPage }
    next
  }
}`,
    variables: { ...variables, ...(Number(variables.limit) > MAX_CHANGES && { limit: MAX_CHANGES }) },
    answer({ changes: { edges, pageInfo, next } }) {
      const data = edges.map(({ node }) => node);
      const more = pageInfo.hasNextPage ? ' More follow.' : '';
      return {
        body: { data, meta: { next, hasMore: pageInfo.hasNextPage } },
        summary: `${amount(data.length, 'change')}, oldest first.${more} Pass this as since of the next call: ${next}`,
        lines: fittingLines((shown) =>
          data.map(
            ({ slug, kind, at, startup }) =>
              `${at} ${kind}: ${startup === null ? slug : startupLine(startup, CHANGED, shown)}`,
          ),
        ),
      };
    },
  }),
});
