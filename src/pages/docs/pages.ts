import type { OpenApiOperation } from '../../rest/openapi.ts';
import { API, partOf, servedDocument, withGenerated } from './documents.ts';
import { blocks } from './entries.ts';
import { generate } from './generated.ts';
import { describeResponses, type Operation, operationsOf } from './operations.ts';
import type { SampleId } from './sample-requests.ts';
import { schemaCode } from './schema-code.tsx';
import type { DocsData, Group, Section } from './section.ts';
import {
  describeEnumerations,
  describeGraphqlTypes,
  describeRestTypes,
  describeSchemaText,
} from './types.ts';

/** What is said of each page: by its id, the part of its document is found by the title. */
type About = Pick<Section, 'id' | 'title' | 'description'> & Partial<Section>;

/** All pages but the first, in their order. */
export function groupsOf(data: DocsData): readonly Group[] {
  const { documents, types, openApi } = data;
  const api = withGenerated(servedDocument(documents[API] ?? '', data), generate(data));
  const operations = operationsOf(data);

  /** A part of the document on the API, whose heading is the title, with the statuses of a path of REST. */
  const part = (about: About, rest?: OpenApiOperation): Section => ({
    slug: about.id,
    text: blocks(partOf(api, about.title), rest && describeResponses(rest)),
    file: API,
    ...about,
  });
  const operation = (name: string, title: string, sample?: SampleId): Section => {
    const { field, rest } = operations.get(name) as Operation;
    const [description = ''] = /^.*?\.(?= |$)/.exec(rest?.description ?? field.description) ?? [];
    const slug = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return part({ id: `Query.${name}`, slug, title, description, ...(sample && { sample }) }, rest);
  };
  const generated = (about: About & { readonly text: string }): Section => ({ slug: about.id, ...about });
  const guide = (file: string, about: About): Section =>
    generated({ ...about, file, text: servedDocument(documents[file] ?? '', data) });

  return [
    {
      title: 'Basics',
      sections: [
        part({
          id: 'introduction',
          title: 'Introduction',
          description: 'Base addresses, currency and units, and what REST and GraphQL have in common.',
          sample: 'first',
        }),
        part({
          id: 'authentication',
          title: 'Authentication',
          description: 'How to send a key, and what a request without a valid one gets.',
          sample: 'unauthenticated',
        }),
        part({
          id: 'rate-limits',
          title: 'Rate limits and costs',
          description:
            'How many requests a minute a key may send, what each costs, and what to do after a 429.',
          sample: 'summaries',
        }),
        part({
          id: 'errors',
          title: 'Errors',
          description: 'The body of an error, and every error code with its status and meaning.',
          sample: 'invalid',
          isDense: true,
        }),
        part({
          id: 'response-headers',
          title: 'Response headers',
          description: 'Every header of the API, and the responses that have it.',
        }),
        part({
          id: 'conditional-requests',
          title: 'Conditional requests',
          description: 'Save transfers with ETag and If-None-Match.',
          sample: 'unchanged',
        }),
        part({
          id: 'paging',
          title: 'Paging',
          description: 'Read a whole list, by pages or by cursors.',
          sample: 'paging',
        }),
        part({
          id: 'graphql-requests',
          title: 'GraphQL requests',
          description: 'What /graphql accepts and returns, as GraphQL over HTTP specifies, and GraphiQL.',
        }),
      ],
    },
    {
      title: 'Operations',
      sections: [
        operation('startups', 'List startups', 'list'),
        part({
          id: 'search',
          title: 'Search',
          description: 'Find startups by words, with typing errors corrected.',
          sample: 'search',
        }),
        part(
          {
            id: 'summaries',
            title: 'Facets and statistics',
            description: 'Counts by value, medians and other statistics of all startups that match.',
            sample: 'summaries',
          },
          openApi.paths['/summary']?.get,
        ),
        operation('startup', 'Get a startup', 'detail'),
        operation('startupsBySlug', 'Get startups by slug', 'startupsBySlug'),
        operation('changes', 'List changes'),
        operation('history', 'Get the history of a startup'),
        operation('market', 'Get the market by day'),
        operation('node', 'Get a record by its id', 'node'),
        operation('nodes', 'Get records by their ids', 'nodes'),
        operation('dataset', 'Get the version of the data', 'dataset'),
      ],
    },
    {
      title: 'Types',
      sections: [
        part({
          id: 'Startup',
          slug: 'startup-record',
          title: 'The startup record',
          description: 'Every field of a startup over REST and GraphQL, with its type, unit and meaning.',
          sample: 'detail',
        }),
        generated({
          id: 'rest-types',
          title: 'REST responses',
          description: 'The JSON bodies that REST returns.',
          text: describeRestTypes(data),
        }),
        generated({
          id: 'graphql-types',
          title: 'GraphQL types',
          description: 'Objects, inputs and scalars of the GraphQL schema, field by field.',
          text: describeGraphqlTypes(data),
        }),
        generated({
          id: 'enumerations',
          title: 'Enumerations',
          description:
            'Sort orders, categories and all other lists of values, as REST and GraphQL write them.',
          text: describeEnumerations(data),
          isDense: true,
        }),
        part({
          id: 'limits',
          title: 'Limits on requests',
          description: 'How large requests, documents, pages and numbers may be.',
        }),
        generated({
          id: 'schema',
          title: 'GraphQL schema',
          description: 'Every type of the GraphQL schema, as the server prints it.',
          text: describeSchemaText(data),
          code: schemaCode(types),
        }),
      ],
    },
    {
      title: 'Applications',
      sections: [
        part({
          id: 'embedding',
          title: 'Show data on your page',
          description: 'Put a list, figures or a chart on your own web page, without a server of your own.',
        }),
        part({
          id: 'trusted-documents',
          slug: 'published-documents',
          title: 'Published documents',
          description:
            'Store GraphQL documents on the server, request them by id, and restrict a key to them.',
          sample: 'published',
        }),
        part({
          id: 'embed-keys',
          title: 'Embed keys',
          description: 'Keys that web pages can contain: bound to your origins and your published documents.',
        }),
        part({
          id: 'web-component',
          title: 'Web component',
          description: 'The elements that show a list, figures or a chart on your own web page.',
        }),
        guide('client/README.md', {
          id: 'javascript-client',
          title: 'JavaScript client',
          description: 'revgate-client for browsers, Node, Deno, Bun and edge runtimes.',
        }),
      ],
    },
    {
      title: 'Guides',
      sections: [
        guide('docs/tutorial.md', {
          id: 'tutorial',
          title: 'Tutorial',
          description:
            'Load your own data, such as a CSV file, create a key, run queries, and show the result on a page.',
        }),
        guide('docs/operate.md', {
          id: 'operate',
          title: 'Operating revgate',
          description:
            'Settings, databases, backups, upgrades and monitoring, and what happens when something is down.',
        }),
        part({
          id: 'other-paths',
          title: 'Other paths',
          description: 'Pages, descriptions and checks of health that need no key.',
        }),
        guide('CHANGELOG.md', {
          id: 'changelog',
          title: 'Changelog',
          description: 'What changed in each version.',
        }),
      ],
    },
  ];
}
