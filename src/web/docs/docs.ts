import type { Handler } from 'hono';
import { schemaText } from '../../api/graphql/schema.ts';
import type { Resource } from '../../api/mcp/protocol.ts';
import { runInBackground } from '../../lib/loop/time-slices.ts';
import type { FindOperator } from '../dashboard/access.ts';
import { setCookies } from '../dashboard/page.ts';
import type { PageEnv } from '../shared/hono-app.ts';
import { hasSessionCookie, type Look } from '../shared/shell.tsx';
import { contentOf, type FileContent, PUBLIC_FILE_HEADERS, sendContent } from '../shared/static-files.ts';
import type { DocsData } from './contents.ts';
import { createReference, type Reference, resource } from './reference.ts';
import type { readRecordedResponses } from './sample-requests.ts';

/** Serves /docs and the paths below it, and /llms.txt. It passes on what it does not have. */
export type Docs = Handler<PageEnv>;

interface DocsOptions extends Omit<DocsData, 'origin' | 'responses'>, Look {
  readonly responses: ReturnType<typeof readRecordedResponses>;
  /** Called at the first request, when it is known. */
  readonly origin: () => string;
  /** Finds out whether a visitor is an operator, and the cookies to set. Undefined: nobody can sign in. */
  readonly findOperator: FindOperator | undefined;
  /** The acceptable-use policy, Markdown. */
  readonly policy: string;
}

const PRIVATE = { 'Cache-Control': 'private, no-store', Vary: 'Cookie, X-Requested-With' };

const VISITOR = { isOperator: false, cookies: [] };

/** Files and requests are from this server only, as users type keys into the page. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Creates the pages, each at its first request, and keeps them: they stay the same as long as the process runs. `prepare` does what all need. */
export function openDocs({ origin, responses, policy, brand, assetUrl, findOperator, ...data }: DocsOptions) {
  let created: Promise<Reference> | undefined;
  const prepare = (): Promise<Reference> => {
    created ??= runInBackground(
      createReference({ ...data, origin: origin(), responses: responses(origin()) }),
    );
    return created;
  };
  const contents = new Map<string, FileContent>();
  const pages: Docs = async (c, next) => {
    const { path } = c.req;
    const question = path === '/docs' ? c.req.query('q') : undefined;
    const reference = await prepare();
    const served = reference.served.get(path);
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
      const isPiece = c.req.header('x-requested-with') !== undefined;
      const text = reference.search(question, options, isPiece);
      return c.body(text, 200, { ...PAGE_HEADERS, ...PRIVATE, ...type });
    }
    const name = `${path} ${isSignedIn} ${isOperator}`;
    // With the highest quality, the first reader would wait for a third of a second.
    const content = contents.get(name) ?? contentOf(served.write(options), 6);
    contents.set(name, content);
    const headers = isPage
      ? {
          ...PAGE_HEADERS,
          Vary: 'Accept-Encoding, Cookie',
          'Cache-Control': isOperator ? 'private, no-cache' : 'no-cache',
        }
      : PUBLIC_FILE_HEADERS;
    return sendContent(c, content, { ...headers, ...type });
  };
  /** What agents can read: the documentation as Markdown, the schema and the policy, at their addresses. */
  const resources = async (): Promise<readonly Resource[]> => [
    ...(await prepare()).resources,
    {
      ...resource(
        origin(),
        '/schema.graphql',
        'GraphQL schema',
        'The types of /graphql, with a description of each field.',
      ),
      read: () => schemaText,
    },
    {
      ...resource(origin(), '/policy', 'Acceptable-use policy', 'What the data may be used for.'),
      read: () => policy,
    },
  ];
  return { pages, resources, prepare };
}
