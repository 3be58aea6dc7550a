import { setImmediate } from 'node:timers/promises';
import { DEFAULT_EMBED_LIMIT } from '../access/limits/tiers.ts';
import type { AuthenticateSession } from '../api/gateway/authentication.ts';
import type { Route } from '../api/gateway/surface.ts';
import type { Resource } from '../api/mcp/protocol.ts';
import { openApiDocument } from '../api/rest/openapi.ts';
import type { GatewayRequest } from '../lib/http/request-response.ts';
import { dayOf } from '../lib/text/days.ts';
import type { LiveCatalogue } from '../startups/catalogue/live-catalogue.ts';
import { type OpenDashboardOptions, openDashboard } from './dashboard/open.ts';
import { readDocuments } from './docs/contents.ts';
import { openDocs } from './docs/docs.ts';
import { exampleFiles } from './docs/places.ts';
import { readRecordedResponses, recordedBodies } from './docs/sample-requests.ts';
import { brandOf } from './shared/brand.ts';
import { hashFile, hashFiles } from './shared/static-files.ts';
import { openGraphiQL } from './site/graphiql.tsx';
import { createLandingPage } from './site/landing-page.tsx';
import { createPages } from './site/site-routes.tsx';

interface WebOptions extends Omit<OpenDashboardOptions, 'assetUrl'> {
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  readonly embedLimit: number | undefined;
  /** Where the gateway is reached; called at the first request, when it is known. */
  readonly origin: () => string;
}

/** What a gateway has of its pages. */
export interface Web extends Pick<ReturnType<typeof openGraphiQL>, 'findPage'> {
  readonly pages: Route;
  /** Undefined: nobody can sign in. */
  readonly authenticateSession: AuthenticateSession | undefined;
  /** What agents can read. */
  readonly resources: () => Promise<readonly Resource[]>;
  /** The paths of files that pages load. */
  readonly files: readonly string[];
  /** Makes what a first page waits for. A server calls this when it listens. */
  readonly prepare: () => Promise<void>;
}

/** These load, compile and open what most pages need. */
const FIRST_PAGES = ['/', '/docs', '/dashboard/sign-in'];
const firstRequest = (path: string): GatewayRequest => ({
  id: '',
  method: 'GET',
  path,
  query: '',
  address: undefined,
  isDisconnected: false,
  header: (name) => (name === 'accept' ? 'text/html' : undefined),
  headers: () => new Headers({ Accept: 'text/html' }),
  body: () => Buffer.of(),
  async *receive() {},
  disconnected: () => new AbortController().signal,
});

/** Opens everything for a browser. */
export function openWeb(options: WebOptions): Web {
  const { service, limits, policy, origin, embedLimit = DEFAULT_EMBED_LIMIT } = options;
  const assets = new Map([
    ...hashFiles(new URL('../../assets/', import.meta.url), '/assets/'),
    [
      'idiomorph.js',
      hashFile(new URL(import.meta.resolve('idiomorph/dist/idiomorph.min.js')), '/assets/idiomorph.js'),
    ],
  ]);
  const assetUrl = (name: string): string => {
    const file = assets.get(name);
    if (file === undefined) {
      throw new Error(`assets/${name} does not exist`);
    }
    return file.path;
  };
  const look = { brand: brandOf(service), assetUrl };
  const { pages: dashboard, authenticateSession, findOperator } = openDashboard({ ...options, assetUrl });
  const graphiql = openGraphiQL(look, authenticateSession !== undefined);
  const responses = readRecordedResponses();
  const {
    pages: docs,
    resources,
    prepare,
  } = openDocs({
    ...look,
    limits,
    embedLimit,
    responses,
    origin,
    findOperator,
    policy: policy.text,
    openApi: openApiDocument(limits),
    documents: readDocuments(),
    own: options.engine.own,
  });
  const files = [...assets.values(), ...graphiql.files];
  const pages = createPages({
    ...options,
    assetUrl,
    docs,
    dashboard,
    files,
    examples: exampleFiles,
    policy: policy.text,
    openApi: () =>
      openApiDocument(
        limits,
        origin(),
        service,
        recordedBodies(responses(origin()), dayOf(options.now())),
        options.engine.own(),
      ),
    landing: createLandingPage({
      ...options,
      ...look,
      hidesRows: service.hidesRows ?? false,
      isInvitedOnly: options.dashboard?.isInvitedOnly ?? false,
    }),
  });
  return {
    pages,
    findPage: graphiql.findPage,
    authenticateSession,
    resources,
    async prepare() {
      await prepare();
      for (const path of FIRST_PAGES) {
        await setImmediate();
        await pages.answer(firstRequest(path));
      }
    },
    files: [...files.map(({ path }) => path), '/embed.js', '/client.js', '/favicon.svg', '/favicon.ico'],
  };
}
