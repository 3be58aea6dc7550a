import type { DocsData, Section } from './section.ts';
import { describeEnumerations } from './types.ts';

/** A page: its title and its text are those of its file, unless it is written from the code. */
export interface Page
  extends Partial<Pick<Section, 'id' | 'slug' | 'title' | 'sample' | 'task' | 'isDense'>> {
  /** Its address is the file's name, unless `slug` says otherwise. */
  readonly file?: string;
  readonly description: string;
  /** What it describes: fields of GraphQL, from the first of which its id follows, or paths of REST. */
  readonly reads?: readonly string[];
  readonly write?: (data: DocsData) => string;
}

interface PageGroup {
  readonly title: string;
  /** Whether only operators see it in lists of pages. Everyone can open its pages. */
  readonly isForOperators?: boolean;
  readonly pages: readonly Page[];
}

const page = (file: string, description: string, more: Omit<Page, 'file' | 'description'> = {}): Page => ({
  file: `${file}.md`,
  description,
  ...more,
});

/** All pages but the first, in their order: for those who use the API, who show the data, and who publish it. */
export const groups: readonly PageGroup[] = [
  {
    title: 'Start',
    pages: [
      page(
        'docs/use/introduction',
        'Addresses, currency and units, and what REST and GraphQL have in common.',
      ),
      page('docs/use/authentication', 'How to send a key, and what a request without a valid one gets.', {
        sample: 'unauthenticated',
      }),
      page('client/README', 'revgate-client, for browsers, Node, Deno, Bun and edge runtimes.', {
        title: 'JavaScript client',
        slug: 'javascript-client',
        task: 'Use it from JavaScript',
      }),
    ],
  },
  {
    title: 'Read data',
    pages: [
      page('docs/use/startups', 'Filter, sort and page startups.', { task: 'Find startups', sample: 'list' }),
      page('docs/use/startup', 'One startup by its slug, with all of its fields.', {
        reads: ['startup'],
        sample: 'detail',
      }),
      page('docs/use/search', 'Find startups by words, with typing errors corrected.', { sample: 'search' }),
      page('docs/use/paging', 'Pagination: how to page through a whole list, by pages or by cursors.', {
        sample: 'paging',
      }),
      page(
        'docs/use/summaries',
        'Counts by value, medians and other statistics of all startups that match.',
        {
          reads: ['/summary'],
          sample: 'summaries',
        },
      ),
      page('docs/use/history', 'The figures of a startup, and of the whole market, by day.', {
        reads: ['history', 'market'],
        sample: 'history',
        task: 'Read past figures',
      }),
      page(
        'docs/use/changes',
        'What changed since your last request, and a dump of all startups to begin with.',
        {
          reads: ['changes', '/snapshot'],
          sample: 'changes',
          task: 'Keep a copy up to date',
        },
      ),
    ],
  },
  {
    title: 'GraphQL',
    pages: [
      page(
        'docs/use/graphql-requests',
        'What /graphql accepts and returns, by GraphQL over HTTP, and GraphiQL.',
      ),
      page('docs/use/graphql-clients', 'Apollo Client, urql with Graphcache, and types of your queries.'),
      page('docs/use/published-documents', 'Store documents on the server, and request them by id.', {
        sample: 'published',
      }),
      page('docs/use/by-id', 'Several startups at once, by slug or global id, and the version of the data.', {
        sample: 'nodes',
      }),
    ],
  },
  {
    title: 'Limits and errors',
    pages: [
      page(
        'docs/use/rate-limits',
        'The quota of a key: how many requests a minute it may send, and what each costs.',
        {
          sample: 'limited',
        },
      ),
      page('docs/reference/errors', 'Every error code, and which requests of your key failed.', {
        sample: 'invalid',
        isDense: true,
      }),
      page('docs/reference/response-headers', 'Every header, and how to save transfers with If-None-Match.', {
        sample: 'unchanged',
      }),
      page('docs/reference/limits', 'How large requests, documents, pages and numbers may be.'),
    ],
  },
  {
    title: 'Agents',
    pages: [
      page('docs/use/agents', 'Add the API to an agent, as tools of the Model Context Protocol.', {
        task: 'Connect an agent',
      }),
    ],
  },
  {
    title: 'Embed',
    pages: [
      page('docs/embed/embedding', 'Put a list, figures or a chart on your own web page, without a server.', {
        task: 'Show data on your page',
      }),
      page('docs/embed/web-component', 'The elements that show a list, figures or a chart on a web page.'),
      page('docs/embed/embed-keys', 'Keys that web pages can contain: bound to origins and documents.'),
      page('docs/embed/feeds', 'Follow a list in a feed reader, Slack or an automation, as Atom.'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('docs/reference/list-parameters', 'Every filter and sort order of a list.', {
        reads: ['startups'],
      }),
      page('docs/reference/startup-record', 'Every field of a startup, with its type, unit and meaning.', {
        id: 'Startup',
        sample: 'detail',
      }),
      {
        title: 'Enumerations',
        slug: 'enumerations',
        description: 'Categories and all other lists of values, as REST and GraphQL write them.',
        write: describeEnumerations,
        isDense: true,
      },
      page('CHANGELOG', 'What changed in each version.', { slug: 'changelog' }),
    ],
  },
  {
    title: 'Publish',
    isForOperators: true,
    pages: [
      page('docs/tutorial', 'Load your own data, create a key, run queries, and show the result on a page.', {
        task: 'Publish your own data',
      }),
      page('docs/publish/install', 'What revgate requires, where it is tested, and what production needs.'),
      page('docs/publish/import', 'Load your startups from CSV, JSON or NDJSON, with columns of your own.'),
      page('docs/publish/import-format', 'Every column of an import, with an example, and a file to copy.'),
      page('docs/publish/past-days', 'Add figures of past days to the history of startups and the market.'),
      page(
        'docs/publish/accounts',
        'How operators manage keys and accounts, by commands and in the dashboard.',
      ),
      page(
        'docs/publish/start-and-stop',
        'How to start the server, what its launcher does, and how it stops.',
      ),
      page('docs/publish/deploy', 'Run the server as a service or in a container, behind a proxy with TLS.', {
        task: 'Run it in production',
      }),
      page('docs/publish/go-live', 'A checklist: TLS, secrets, mail, backups, monitoring, limits.'),
      page('docs/publish/databases', 'PostgreSQL, connection poolers, and the embedded database.'),
      page('docs/publish/redis', 'Count requests together on several nodes.'),
      page('docs/publish/backup', 'Back up and restore all data while the server runs.'),
      page('docs/publish/upgrade', 'Install a new version, or return to the old one.'),
      page('docs/publish/monitoring', 'Checks of health, metrics to alert on, the log, and revgate doctor.', {
        task: 'Watch it',
      }),
      page('docs/publish/failures', 'What clients notice when PostgreSQL, Redis or a node fails.'),
      page('docs/publish/troubleshooting', 'Messages of revgate, what they mean, and what to do about each.'),
      page('docs/publish/settings', 'All environment variables, with their defaults.'),
      page('docs/publish/commands', 'Every command with its options, as its help describes it.'),
    ],
  },
];

/** The files that pages show, by their paths in the package. */
export const documentFiles: readonly string[] = groups.flatMap(({ pages }) =>
  pages.flatMap(({ file }) => file ?? []),
);
