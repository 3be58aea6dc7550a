import type { Handler } from 'hono';
import { addressSubject } from '../../access/limits/subject.ts';
import { schemaWith, textOf } from '../../api/graphql/schema.ts';
import type { Resource } from '../../api/mcp/protocol.ts';
import { runInBackground, type Steps, timeSlices } from '../../lib/loop/time-slices.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import type { FindOperator } from '../page/access.ts';
import { setCookies } from '../page/page.ts';
import { policyInShort } from '../page/policy.tsx';
import { count } from '../shared/figures.tsx';
import type { PageEnv } from '../shared/hono-app.ts';
import { render } from '../shared/jsx.ts';
import { hasSessionCookie, type Look } from '../shared/shell.tsx';
import {
  contentOf,
  type FileContent,
  onceFor,
  PUBLIC_FILE_HEADERS,
  sendContent,
} from '../shared/static-files.ts';
import { type DocsData, type Group, pathOf, type Section } from './contents.ts';
import { docsPage, type FrameOptions, frame, plainPage, SIGN_UP, searchSection, tasksOf } from './frame.tsx';
import { generate } from './generated.ts';
import { addressesOf, plainMarkdown, resolveLinks, servedDocument } from './places.ts';
import { sampleText } from './sample-block.tsx';
import type { readRecordedResponses } from './sample-requests.ts';
import { createSearch, searchResults } from './search.tsx';
import { serviceFields } from './service-fields.ts';

/** Serves /docs and the paths below it, and /llms.txt. It passes on what it does not have. */
type Docs = Handler<PageEnv>;

interface DocsOptions extends Omit<DocsData, 'origin' | 'responses'>, Look {
  readonly responses: ReturnType<typeof readRecordedResponses>;
  /** Called at the first request, when it is known. */
  readonly origin: () => string;
  /** The declared fields. */
  readonly own: () => readonly OwnField[];
  /** Finds out whether a visitor is an operator, and the cookies to set. Undefined: nobody can sign in. */
  readonly findOperator: FindOperator | undefined;
  /** The acceptable-use policy, Markdown. */
  readonly policy: string;
}

const PRIVATE = { 'Cache-Control': 'private, no-store', Vary: 'Cookie, X-Requested-With' };

const POLICY = { title: 'Acceptable-use policy', description: 'What the data may be used for.' };

const VISITOR = { isOperator: false, cookies: [] };

/** Files and requests are from this server only, as users type keys into the page. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Creates the pages, each at its first request, and keeps them: they stay the same until other fields are declared.
 * `prepare` does what all need.
 */
export function openDocs({
  origin,
  own,
  responses,
  policy,
  brand,
  assetUrl,
  findOperator,
  ...data
}: DocsOptions) {
  const prepare = onceFor(own, () =>
    runInBackground(
      createReference({ ...data, origin: origin(), responses: responses(origin()) }, own(), policy),
    ),
  );
  const pages: Docs = async (c, next) => {
    const { path } = c.req;
    const question = path === '/docs' ? c.req.query('q') : undefined;
    const { pages, contents, find, groupsFor } = await prepare();
    const served = pages.get(path);
    if (served === undefined) {
      return next();
    }
    const isPage = served.type === 'text/html';
    const isSignedIn = isPage && hasSessionCookie(c.env.request.header('cookie'));
    const { isOperator, cookies } =
      isSignedIn && findOperator !== undefined ? await findOperator(c.env.request) : VISITOR;
    const options = { brand, assetUrl, isSignedIn, isOperator };
    setCookies(c, cookies);
    const type = { 'Content-Type': `${served.type}; charset=utf-8` };
    if (question !== undefined) {
      const ownerId = `docs:${addressSubject(c.env.request.address).name}`;
      const found = await timeSlices.run(find(question, isOperator), { ownerId });
      const results = searchResults(question, found);
      const section = searchSection(question, found.count);
      const page = { ...options, groups: groupsFor(isOperator), section, question };
      // For a script, the results alone.
      const isPiece = c.req.header('x-requested-with') !== undefined;
      const text = isPiece
        ? render(results)
        : docsPage(page, [results, found.count === 0 && tasksOf(page.groups)]);
      return c.body(text, 200, { ...PAGE_HEADERS, ...PRIVATE, ...type });
    }
    const name = `${path} ${isSignedIn} ${isOperator}`;
    // With the highest quality, the first reader would wait for a third of a second.
    const content = contents.get(name) ?? contentOf(served.write(options), 6);
    contents.set(name, content);
    const headers = isPage
      ? {
          ...PAGE_HEADERS,
          // Programs get the policy as a text.
          Vary: `${path === '/policy' ? 'Accept, ' : ''}Accept-Encoding, Cookie`,
          'Cache-Control': isOperator ? 'private, no-cache' : 'no-cache',
        }
      : PUBLIC_FILE_HEADERS;
    return sendContent(c, content, { ...headers, ...type });
  };
  /** What agents can read: the documentation for customers as Markdown, the schema and the policy, at their addresses. */
  const resources = async (): Promise<readonly Resource[]> => {
    const { data, groupsFor } = await prepare();
    const resource = (path: string, title: string, description: string, read: () => string): Resource => ({
      uri: data.origin + path,
      name: path,
      title,
      description,
      read,
      mimeType: path.endsWith('.graphql') ? 'text/plain' : 'text/markdown',
    });
    const schema = 'The types of /graphql, with a description of each field.';
    return [
      ...sectionsOf(groupsFor(false)).map((one) =>
        resource(`${pathOf(one)}.md`, one.title, one.description, () => markdownOf(data, one)),
      ),
      resource('/schema.graphql', 'GraphQL schema', schema, () => textOf(schemaWith(own()))),
      resource('/policy', POLICY.title, POLICY.description, () => policy),
    ];
  };
  return { pages, resources, prepare };
}

/** What is served below /docs, and /llms.txt. */
interface Served {
  readonly type: 'text/html' | 'text/markdown' | 'text/plain';
  /** Writes the content. Only pages depend on whether the visitor has a session. */
  write(options: FrameOptions): string;
}

const sectionsOf = (groups: readonly Group[]): Section[] => groups.flatMap(({ sections }) => sections);

/** All pages by their paths, also as Markdown, with their search. It takes 100 ms, and so several steps. */
function* createReference(data: DocsData, own: readonly OwnField[], policy: string) {
  const all = yield* writeGroups(data, own);
  const find = yield* createSearch(all);
  const forCustomers = all.filter(({ isForOperators }) => !isForOperators);
  const groupsFor = (isOperator: boolean) => (isOperator ? all : forCustomers);

  const pages = new Map<string, Served>([
    ['/llms.txt', { type: 'text/plain', write: () => listOf(data, forCustomers) }],
    [
      '/policy',
      {
        type: 'text/html',
        write: (options) =>
          plainPage(
            {
              ...options,
              groups: groupsFor(options.isOperator),
              section: { ...POLICY, text: policy },
            },
            policyInShort(policy),
          ),
      },
    ],
  ]);
  for (const section of sectionsOf(all)) {
    const path = pathOf(section);
    pages.set(path, {
      type: 'text/html',
      write: (options) => frame({ ...options, data, section, groups: groupsFor(options.isOperator) }),
    });
    pages.set(`${path}.md`, { type: 'text/markdown', write: () => markdownOf(data, section) });
  }
  /** What was written of them. */
  const contents = new Map<string, FileContent>();
  return { data, pages, contents, find, groupsFor };
}

/** The first page: how to begin. */
function quickStart({ openApi, limits }: DocsData): Section {
  return {
    slug: '',
    title: 'Quick start',
    description: 'Run your first request in three steps.',
    text: `Query ${openApi.info.summary.replace(/^S/, 's').replace(/\.$/, '')}, in REST or GraphQL. It takes two minutes.

1. **Get a key.** ${SIGN_UP}
   It is free: ${count(limits.standard)} requests a minute.

2. **Store the key** in an environment variable. [Every request needs it](#authentication).

   \`\`\`sh
   export REVGATE_KEY=rvg_…
   \`\`\`

3. **Run the request** on this page, in the language of your choice. You should see a response like the example.

Then change its [filters and order](#startups), or write a query in [GraphiQL](/graphql).`,
    sample: 'first',
  };
}

function markdownOf(data: DocsData, { title, text, sample }: Section): string {
  const parts = [`# ${title}`, plainMarkdown(text), ...(sample ? [sampleText(data, sample)] : [])];
  return `${parts.join('\n\n')}\n`;
}

/** The pages for programs that read text, one line each: https://llmstxt.org. */
function listOf({ origin, openApi }: DocsData, groups: readonly Group[]): string {
  const lines = groups.flatMap(({ title, sections }) => [
    `\n## ${title}\n`,
    ...sections.map((one) => `- [${one.title}](${origin}${pathOf(one)}.md): ${one.description}`),
  ]);
  return [`# revgate\n\n> ${openApi.info.summary} ${openApi.info.description}`, ...lines, ''].join('\n');
}

/** Writes all pages, with links between them. */
function* writeGroups(data: DocsData, own: readonly OwnField[]): Steps<readonly Group[]> {
  const generated = generate(data);
  const written: Group[] = [];
  for (const group of data.documents) {
    const sections = written.length === 0 ? [quickStart(data)] : [];
    for (const one of group.sections) {
      sections.push({ ...one, text: servedDocument(one.text, data.origin, generated) });
      if (one.slug === 'startup-record' && own.length > 0) {
        sections.push(serviceFields(own, data.origin));
      }
      yield;
    }
    written.push({ ...group, sections });
  }
  const addresses = yield* addressesOf(sectionsOf(written));
  return written.map((group) => ({
    ...group,
    sections: group.sections.map((section) => ({ ...section, text: resolveLinks(section, addresses) })),
  }));
}
