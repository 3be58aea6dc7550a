import type { BadgeSettings } from '../api/feeds/badges.ts';
import { bindFeeds } from '../api/feeds/feed-surface.ts';
import { bindProbes } from '../api/gateway/probes.ts';
import type { Route, Surface } from '../api/gateway/surface.ts';
import { bindGraphql, bindSessionGraphql } from '../api/graphql/graphql-surface.ts';
import { bindImport } from '../api/import-http/route.ts';
import { bindMcp } from '../api/mcp/mcp-surface.ts';
import { bindLimits, LIMITS_PATH } from '../api/rest/limits.ts';
import { bindPublishing, PUBLISH_LIMIT } from '../api/rest/publish-documents.ts';
import { bindRest } from '../api/rest/rest-surface.ts';

/** All that surfaces are made of: each says what it needs of it. */
type Api = Parameters<typeof bindGraphql>[0] &
  Parameters<typeof bindSessionGraphql>[0] &
  Parameters<typeof bindLimits>[0] &
  Parameters<typeof bindRest>[0] &
  Parameters<typeof bindPublishing>[0] &
  Parameters<typeof bindMcp>[0] &
  Parameters<typeof bindFeeds>[0] &
  Parameters<typeof bindImport>[0] &
  Parameters<typeof bindProbes>[0] & { readonly badges?: BadgeSettings | undefined };

type Bound = Surface | Route;

interface SurfaceRow {
  /** Each as it is, or all below it with an asterisk. Other paths are pages. */
  readonly paths: readonly string[];
  /** Makes what answers there; undefined: it is switched off. */
  readonly bind: (api: Api) => Bound | undefined | Promise<Bound | undefined>;
  readonly methods: readonly string[];
  readonly for: string;
  /** What a request costs of the limit, and of whose. */
  readonly price: string;
  /** What is lost without this row. */
  readonly without: string;
}

/** Everything that answers but pages. To leave a surface out, remove its row and its folder. */
export const surfaces: readonly SurfaceRow[] = [
  {
    paths: ['/graphql'],
    bind: bindGraphql,
    methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
    for: 'an API key',
    price: 'of the key: what the document reads, at least 1',
    without: 'GraphQL, GraphiQL and what is embedded in pages of others',
  },
  {
    paths: ['/dashboard/graphql'],
    bind: bindSessionGraphql,
    methods: ['POST'],
    for: 'a session, with the token of a page of ours',
    price: 'of the account: as with a key',
    without: 'GraphiQL asks everyone for a key',
  },
  {
    paths: [LIMITS_PATH],
    bind: bindLimits,
    methods: ['GET', 'HEAD', 'OPTIONS'],
    for: 'an API key',
    price: 'nothing: 60 a minute of the key',
    without: 'REST asks what is left at the cost of a request',
  },
  {
    paths: ['/api/v1', '/api/v1/*'],
    bind: bindRest,
    methods: ['GET', 'HEAD', 'OPTIONS'],
    for: 'an API key',
    price:
      'of the key: what the document of the endpoint reads, at least 1; a snapshot: 10, and one in an hour',
    without: 'REST and the JavaScript client',
  },
  {
    paths: ['/api/v1/documents'],
    bind: bindPublishing,
    methods: ['POST', 'OPTIONS'],
    for: 'a secret API key of an account',
    price: `nothing of the key: ${PUBLISH_LIMIT} a minute`,
    without: 'developers publish documents in the dashboard',
  },
  {
    paths: ['/mcp', '/mcp/'],
    bind: bindMcp,
    methods: ['POST', 'OPTIONS'],
    for: 'an API key; everyone for what is no call of a tool',
    price:
      'of the key: what the document of a tool reads; nothing for 300 other messages a minute, 60 of an address without a key',
    without: 'agents use REST',
  },
  {
    paths: ['/feeds/*'],
    bind: bindFeeds,
    methods: ['GET', 'HEAD'],
    for: 'an embed key in the address',
    price: 'of the key: what its document reads',
    without: 'no Atom feeds',
  },
  {
    paths: ['/badge/*'],
    // Loaded only where they are on.
    bind: async ({ badges, ...api }) =>
      badges && (await import('../api/feeds/badges.ts')).bindBadges({ ...api, badges }),
    methods: ['GET', 'HEAD'],
    for: 'everyone, where BADGES is set',
    price: 'of the address: 600 a minute',
    without: 'no badges',
  },
  {
    paths: ['/import', '/import/undo'],
    bind: bindImport,
    methods: ['POST'],
    for: 'a token of an operator',
    price: 'of the address: 120 a minute; of the token: 30',
    without: 'imports with the command or the dashboard',
  },
  {
    paths: ['/health', '/ready', '/metrics'],
    bind: bindProbes,
    methods: ['GET', 'HEAD'],
    for: 'everyone; metrics: METRICS_TOKEN, or this machine',
    price: 'nothing',
    without: 'load balancers and monitoring learn nothing',
  },
];

/** Binds all surfaces, and returns what finds the one of a path; pages if there is none. */
export async function bindSurfaces(api: Api, pages: Route): Promise<(path: string) => Bound> {
  const exact = new Map<string, Bound>();
  const bases: [string, Bound][] = [];
  for (const { paths, bind } of surfaces) {
    const bound = await bind(api);
    for (const path of bound === undefined ? [] : paths) {
      if (path.endsWith('*')) {
        bases.push([path.slice(0, -1), bound as Bound]);
      } else {
        exact.set(path, bound as Bound);
      }
    }
  }
  return (path) => {
    const found = exact.get(path);
    if (found !== undefined) {
      return found;
    }
    for (const [base, bound] of bases) {
      if (path.startsWith(base)) {
        return bound;
      }
    }
    return pages;
  };
}
