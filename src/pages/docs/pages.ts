import type { DocsData, Section } from './section.ts';
import {
  describeEnumerations,
  describeGraphqlTypes,
  describeRestTypes,
  describeSchemaText,
} from './types.ts';

/** A page: its text is the part of docs/api.md with its title, unless it says otherwise. */
export interface Page extends Partial<Omit<Section, 'text'>> {
  readonly title: string;
  /** The field of GraphQL that it describes, from which its id and its description follow. */
  readonly operation?: string;
  /** The path of REST that it describes, if no field does the same. */
  readonly path?: string;
  readonly write?: (data: DocsData) => string;
}

/** All pages but the first, in their order. */
export const groups: readonly { readonly title: string; readonly pages: readonly Page[] }[] = [
  {
    title: 'Basics',
    pages: [
      {
        title: 'Introduction',
        description: 'Base addresses, currency and units, and what REST and GraphQL have in common.',
        sample: 'first',
      },
      {
        title: 'Authentication',
        description: 'How to send a key, and what a request without a valid one gets.',
        sample: 'unauthenticated',
      },
      {
        id: 'rate-limits',
        title: 'Rate limits and costs',
        description:
          'How many requests a minute a key may send, what each costs, and what to do after a 429.',
        sample: 'summaries',
      },
      {
        title: 'Errors',
        description: 'The body of an error, and every error code with its status and meaning.',
        sample: 'invalid',
        isDense: true,
      },
      {
        title: 'Response headers',
        description: 'Every header of the API, and the responses that have it.',
      },
      {
        title: 'Conditional requests',
        description: 'Save transfers with ETag and If-None-Match.',
        sample: 'unchanged',
      },
      {
        title: 'Paging',
        description: 'Read a whole list, by pages or by cursors.',
        sample: 'paging',
      },
      {
        title: 'GraphQL requests',
        description: 'What /graphql accepts and returns, as GraphQL over HTTP specifies, and GraphiQL.',
      },
    ],
  },
  {
    title: 'Operations',
    pages: [
      { operation: 'startups', title: 'List startups', sample: 'list' },
      {
        title: 'Search',
        description: 'Find startups by words, with typing errors corrected.',
        sample: 'search',
      },
      {
        id: 'summaries',
        path: '/summary',
        title: 'Facets and statistics',
        description: 'Counts by value, medians and other statistics of all startups that match.',
        sample: 'summaries',
      },
      { operation: 'startup', title: 'Get a startup', sample: 'detail' },
      {
        operation: 'startupsBySlug',
        slug: 'startups-by-slug',
        title: 'Get startups by slug',
        sample: 'startupsBySlug',
      },
      { operation: 'changes', title: 'List changes' },
      { operation: 'history', title: 'Get the history of a startup' },
      { operation: 'market', title: 'Get the market by day' },
      { operation: 'node', title: 'Get a record by its id', sample: 'node' },
      { operation: 'nodes', title: 'Get records by their ids', sample: 'nodes' },
      { operation: 'dataset', title: 'Get the version of the data', sample: 'dataset' },
    ],
  },
  {
    title: 'Types',
    pages: [
      {
        id: 'Startup',
        slug: 'startup-record',
        title: 'The startup record',
        description: 'Every field of a startup over REST and GraphQL, with its type, unit and meaning.',
        sample: 'detail',
      },
      {
        id: 'rest-types',
        title: 'REST responses',
        description: 'The JSON bodies that REST returns.',
        write: describeRestTypes,
      },
      {
        title: 'GraphQL types',
        description: 'Objects, inputs and scalars of the GraphQL schema, field by field.',
        write: describeGraphqlTypes,
      },
      {
        title: 'Enumerations',
        description: 'Sort orders, categories and all other lists of values, as REST and GraphQL write them.',
        write: describeEnumerations,
        isDense: true,
      },
      {
        id: 'limits',
        title: 'Limits on requests',
        description: 'How large requests, documents, pages and numbers may be.',
      },
      {
        id: 'schema',
        title: 'GraphQL schema',
        description: 'Every type of the GraphQL schema, as the server prints it.',
        write: describeSchemaText,
        isSchema: true,
      },
    ],
  },
  {
    title: 'Applications',
    pages: [
      {
        id: 'embedding',
        title: 'Show data on your page',
        description: 'Put a list, figures or a chart on your own web page, without a server of your own.',
      },
      {
        id: 'trusted-documents',
        slug: 'published-documents',
        title: 'Published documents',
        description: 'Store GraphQL documents on the server, request them by id, and restrict a key to them.',
        sample: 'published',
      },
      {
        title: 'Embed keys',
        description: 'Keys that web pages can contain: bound to your origins and your published documents.',
      },
      {
        title: 'Web component',
        description: 'The elements that show a list, figures or a chart on your own web page.',
      },
      {
        file: 'client/README.md',
        title: 'JavaScript client',
        description: 'revgate-client for browsers, Node, Deno, Bun and edge runtimes.',
      },
    ],
  },
  {
    title: 'Guides',
    pages: [
      {
        file: 'docs/tutorial.md',
        title: 'Tutorial',
        description:
          'Load your own data, such as a CSV file, create a key, run queries, and show the result on a page.',
      },
      {
        file: 'docs/operate.md',
        id: 'operate',
        title: 'Operating revgate',
        description:
          'Settings, databases, backups, upgrades and monitoring, and what happens when something is down.',
      },
      {
        title: 'Other paths',
        description: 'Pages, descriptions and checks of health that need no key.',
      },
      {
        file: 'CHANGELOG.md',
        title: 'Changelog',
        description: 'What changed in each version.',
      },
    ],
  },
];
