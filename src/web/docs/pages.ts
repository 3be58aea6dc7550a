import type { DocsData, Section } from './section.ts';
import { describeEnumerations } from './types.ts';

/** A page: its title and its text are those of its file, unless it is written from the code. */
export interface Page extends Partial<Pick<Section, 'id' | 'slug' | 'sample' | 'task' | 'isDense'>> {
  /** Its address is the file's name, unless `slug` says otherwise. */
  readonly file?: string;
  /** Default: the first sentence of what the schema says about its operation. */
  readonly description?: string;
  /** The field of GraphQL that it describes, from which its id and its description follow. */
  readonly operation?: string;
  /** The path of REST that it describes, if no field does the same. */
  readonly path?: string;
  readonly title?: string;
  readonly write?: (data: DocsData) => string;
}

interface PageGroup {
  readonly title: string;
  /** Whether only operators see it in lists of pages. Everyone can open its pages. */
  readonly isForOperators?: boolean;
  readonly pages: readonly Page[];
}

/** All pages but the first, in their order: for those who use the API, who publish data, and who show it. */
export const groups: readonly PageGroup[] = [
  {
    title: 'Use the API',
    pages: [
      {
        file: 'docs/use/introduction.md',
        description: 'Addresses, currency and units, and what REST and GraphQL have in common.',
        sample: 'first',
      },
      {
        file: 'docs/use/authentication.md',
        description: 'How to send a key, and what a request without a valid one gets.',
        sample: 'unauthenticated',
      },
      {
        file: 'docs/use/startups.md',
        description: 'Filter, sort and page startups.',
        task: 'Find startups',
        sample: 'list',
      },
      {
        file: 'docs/use/search.md',
        description: 'Find startups by words, with typing errors corrected.',
        sample: 'search',
      },
      {
        file: 'docs/use/paging.md',
        description: 'Pagination: how to page through a whole list, by pages or by cursors.',
        sample: 'paging',
      },
      {
        file: 'docs/use/summaries.md',
        path: '/summary',
        description: 'Counts by value, medians and other statistics of all startups that match.',
        sample: 'summaries',
      },
      { file: 'docs/use/startup.md', operation: 'startup', sample: 'detail' },
      { file: 'docs/use/startups-by-slug.md', operation: 'startupsBySlug', sample: 'startupsBySlug' },
      { file: 'docs/use/history.md', operation: 'history', sample: 'history', task: 'Read past figures' },
      { file: 'docs/use/market.md', operation: 'market', sample: 'market' },
      {
        file: 'docs/use/changes.md',
        operation: 'changes',
        sample: 'changes',
        task: 'Keep a copy up to date',
      },
      {
        file: 'docs/use/snapshot.md',
        path: '/snapshot',
        description:
          'A dump of all startups at once, where the operator allows it, to be followed by the changes.',
      },
      { file: 'docs/use/node.md', operation: 'node', sample: 'node' },
      { file: 'docs/use/nodes.md', operation: 'nodes', sample: 'nodes' },
      { file: 'docs/use/dataset.md', operation: 'dataset', sample: 'dataset' },
      {
        file: 'docs/use/graphql-requests.md',
        description: 'What /graphql accepts and returns, as GraphQL over HTTP specifies, and GraphiQL.',
      },
      {
        file: 'docs/use/graphql-clients.md',
        description: 'Settings of Apollo Client and of urql with Graphcache, and types of your queries.',
      },
      {
        file: 'docs/use/rate-limits.md',
        description:
          'The quota of a key: how many requests a minute it may send, and what to do after a 429.',
        sample: 'limited',
      },
      {
        file: 'docs/use/failed-requests.md',
        description: 'Find out which requests of your key failed, and why.',
      },
      {
        file: 'docs/use/published-documents.md',
        description: 'Store GraphQL documents on the server, request them by id, and restrict a key to them.',
        sample: 'published',
      },
      {
        file: 'docs/use/agents.md',
        description: 'Add the API to an agent, as tools of the Model Context Protocol.',
        task: 'Connect an agent',
      },
      {
        file: 'docs/use/conditional-requests.md',
        description: 'Save transfers with ETag and If-None-Match.',
        sample: 'unchanged',
      },
      {
        file: 'client/README.md',
        title: 'JavaScript client',
        slug: 'javascript-client',
        description:
          'revgate-client, in JavaScript and TypeScript: for browsers, Node, Deno, Bun and edge runtimes.',
        task: 'Use it from JavaScript',
      },
    ],
  },
  {
    title: 'Show it on your page',
    pages: [
      {
        file: 'docs/embed/embedding.md',
        description: 'Put a list, figures or a chart on your own web page, without a server of your own.',
        task: 'Show data on your page',
      },
      {
        file: 'docs/embed/web-component.md',
        description: 'The elements that show a list, figures or a chart on your own web page.',
      },
      {
        file: 'docs/embed/embed-keys.md',
        description: 'Keys that web pages can contain: bound to your origins and your published documents.',
      },
      {
        file: 'docs/embed/feeds.md',
        description: 'Follow a list in a feed reader, Slack or an automation, as Atom.',
      },
    ],
  },
  {
    title: 'Publish your data',
    isForOperators: true,
    pages: [
      {
        file: 'docs/tutorial.md',
        description:
          'Load your own data, such as a CSV file, create a key, run queries, and show the result on a page.',
        task: 'Publish your own data',
      },
      {
        file: 'docs/publish/install.md',
        description: 'What revgate requires, on which systems it is tested, and what production needs.',
      },
      {
        file: 'docs/publish/import.md',
        description: 'Load your startups from CSV, JSON or NDJSON, with columns and units of your own.',
      },
      {
        file: 'docs/publish/import-format.md',
        description: 'Every column of an import, with its type, unit and an example, and a CSV file to copy.',
      },
      {
        file: 'docs/publish/past-days.md',
        description: 'Add the figures of past days to the history of startups and of the market.',
      },
      {
        file: 'docs/publish/accounts.md',
        description: 'How operators manage keys and accounts, by commands and in the dashboard.',
      },
      {
        file: 'docs/publish/start-and-stop.md',
        description: 'How to start the server, what its launcher does, and how it stops.',
      },
      {
        file: 'docs/publish/deploy.md',
        description: 'Run the server as a service or in a container, behind a proxy with TLS.',
        task: 'Run it in production',
      },
      {
        file: 'docs/publish/go-live.md',
        description:
          'A checklist before customers use the server: TLS, secrets, mail, backups, monitoring, limits.',
      },
      {
        file: 'docs/publish/databases.md',
        description: 'PostgreSQL, connection poolers, and the embedded database.',
      },
      { file: 'docs/publish/redis.md', description: 'Count requests together on several nodes.' },
      { file: 'docs/publish/backup.md', description: 'Back up and restore all data while the server runs.' },
      { file: 'docs/publish/upgrade.md', description: 'Install a new version, or return to the old one.' },
      {
        file: 'docs/publish/monitoring.md',
        description: 'Checks of health, metrics to alert on, the log, and revgate doctor.',
        task: 'Watch it',
      },
      {
        file: 'docs/publish/failures.md',
        description: 'What clients notice when PostgreSQL, Redis or a node fails, and when it recovers.',
      },
      {
        file: 'docs/publish/troubleshooting.md',
        description: 'Messages of revgate, what they mean, and what to do about each.',
      },
      { file: 'docs/publish/settings.md', description: 'All environment variables, with their defaults.' },
      {
        file: 'docs/publish/commands.md',
        description: 'Every command with its options, as its help describes it.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { file: 'docs/reference/list-parameters.md', operation: 'startups' },
      {
        file: 'docs/reference/startup-record.md',
        id: 'Startup',
        description: 'Every field of a startup over REST and GraphQL, with its type, unit and meaning.',
        sample: 'detail',
      },
      {
        file: 'docs/reference/errors.md',
        description: 'The body of an error, and every error code with its status and meaning.',
        sample: 'invalid',
        isDense: true,
      },
      { file: 'docs/reference/costs.md', description: 'What each request costs, and when it costs nothing.' },
      {
        file: 'docs/reference/response-headers.md',
        description: 'Every header of the API, and the responses that have it.',
      },
      {
        file: 'docs/reference/limits.md',
        description: 'How large requests, documents, pages and numbers may be.',
      },
      {
        title: 'Enumerations',
        slug: 'enumerations',
        description: 'Sort orders, categories and all other lists of values, as REST and GraphQL write them.',
        write: describeEnumerations,
        isDense: true,
      },
      {
        file: 'docs/reference/other-paths.md',
        description: 'Pages, descriptions and checks of health that need no key.',
      },
      { file: 'CHANGELOG.md', slug: 'changelog', description: 'What changed in each version.' },
    ],
  },
];

/** The files that pages show, by their paths in the package. */
export const documentFiles: readonly string[] = groups.flatMap(({ pages }) =>
  pages.flatMap(({ file }) => file ?? []),
);
