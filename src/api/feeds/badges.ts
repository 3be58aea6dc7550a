import type { Counter } from '../../access/limits/counter.ts';
import { ApiError } from '../../lib/errors.ts';
import { addressBucket } from '../../lib/http/addresses.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { moneyText, percentText } from '../../lib/text/figures.ts';
import { choice } from '../../startups/model/requests/list-parameters.ts';
import { createQueryReader, invalidParameters } from '../../startups/model/requests/query-parameters.ts';
import { assertMethod, type Route } from '../gateway/surface.ts';
import { type Engine, runDocument } from '../graphql/execution/engine.ts';

const METHODS = ['GET', 'HEAD'];

const DOCUMENT = `query Badge($slug: String!) {
  startup(slug: $slug) { revenue { last30Days mrr } growth30d verifiedAt updatedAt }
}`;

/** Their work takes turns with that of other clients. */
const OWNER = { ownerId: 'page:/badge' };

/** Badges in a minute for one address. Proxies of images have one for all their readers. */
const LIMIT = 600;
const CACHE_SECONDS = 3_600;

const [GREEN, RED, BLUE, GRAY] = ['#2e7d32', '#b3261e', '#0b6bcb', '#6e7781'];

/** What a badge says. None of it is a text of a record. */
interface Badge {
  readonly label: string;
  readonly message: string;
  /** The color behind the message, on which white can be read, such as #2e7d32. */
  readonly color: string;
  /** The whole in words. */
  readonly title: string;
}

/** Colors behind the label. */
const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

interface Figures {
  readonly revenue: { readonly last30Days: number; readonly mrr: number };
  readonly growth30d: number | null;
  readonly verifiedAt: string | null;
  readonly updatedAt: string;
}

/** The figures that a badge can show. */
const figures: Readonly<Record<string, (startup: Figures) => Omit<Badge, 'title'>>> = {
  revenue: ({ revenue }) => ({
    label: 'revenue (30 days)',
    message: moneyText(revenue.last30Days),
    color: BLUE,
  }),
  mrr: ({ revenue }) => ({ label: 'MRR', message: moneyText(revenue.mrr), color: BLUE }),
  growth: ({ growth30d }) => ({
    label: 'growth (30 days)',
    message: growth30d === null ? 'unknown' : percentText(growth30d, 'change'),
    color: growth30d === null ? GRAY : growth30d < 0 ? RED : GREEN,
  }),
};

const parameters = {
  figure: choice(Object.keys(figures), 'What the badge shows.'),
  theme: choice(themes, 'The color behind the label.'),
};
const readQuery = createQueryReader(parameters);

const NOT_FOUND: Badge = { label: 'revenue', message: 'not found', color: GRAY, title: 'revenue: not found' };

/** Which startups have a badge. */
export interface BadgeSettings {
  /** Slugs of the startups that have none. */
  readonly except: readonly string[];
}

interface BadgeNeeds {
  readonly badges: BadgeSettings;
  readonly engine: Engine;
  readonly counter: Counter;
  /** ms since 1970. */
  readonly now: () => number;
}

/** Answers `/badge/{slug}.svg`, and `.json` in the format of an endpoint of shields.io. They need no key. */
export function bindBadges({ badges, engine, counter, now }: BadgeNeeds): Route {
  const left = new Set(badges.except);

  return { methods: METHODS, answer };

  async function answer(request: GatewayRequest): Promise<GatewayResponse> {
    assertMethod(request, METHODS);
    const { path, query } = request;
    const address = `badge:${addressBucket(request.address)}`;
    const { admitted, resetAt } = await counter.reserve(address, 1, LIMIT);
    if (!admitted) {
      const message = `Rate limit exceeded: ${LIMIT} badges a minute for one address`;
      throw new ApiError('RATE_LIMITED', message, [], Math.max(1, Math.ceil((resetAt - now()) / 1_000)));
    }
    const [, slug, type] = /^\/badge\/([a-z0-9-]{1,100})\.(svg|json)$/.exec(path) ?? [];
    if (slug === undefined) {
      throw new ApiError('NOT_FOUND', `No such path: ${path.slice(0, 200)}. Badges are at /badge/{slug}.svg`);
    }
    const { args, details } = readQuery(query);
    if (details.length > 0) {
      throw invalidParameters(parameters, details);
    }
    const { figure = 'revenue', theme = 'auto' } = args as { figure?: string; theme?: Theme };
    const badge = await find(slug, figure, request);
    const { label, message, color } = badge ?? NOT_FOUND;
    const body =
      type === 'svg'
        ? drawBadge(badge ?? NOT_FOUND, theme)
        : JSON.stringify({
            schemaVersion: 1,
            label,
            message,
            color,
            ...(badge === undefined && { isError: true }),
            cacheSeconds: CACHE_SECONDS,
          });
    return {
      // shields.io shows only what has the status 200.
      status: badge === undefined && type === 'svg' ? 404 : 200,
      headers: [
        'Content-Type',
        type === 'svg' ? 'image/svg+xml; charset=utf-8' : 'application/json; charset=utf-8',
        'Cache-Control',
        `public, max-age=${CACHE_SECONDS}`,
        'Access-Control-Allow-Origin',
        '*',
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'",
      ],
      body,
    };
  }

  /** Undefined for a startup that does not exist or has no badge: nobody learns which. */
  async function find(slug: string, figure: string, request: GatewayRequest): Promise<Badge | undefined> {
    if (left.has(slug)) {
      return undefined;
    }
    type Data = { readonly startup: Figures | null };
    const { startup } = await runDocument<Data>(engine, DOCUMENT, { slug }, request, OWNER);
    const badge = startup === null ? undefined : figures[figure]?.(startup);
    if (startup === null || badge === undefined) {
      return undefined;
    }
    const day = (startup.verifiedAt ?? startup.updatedAt).slice(0, 10);
    return { ...badge, title: `${badge.label}: ${badge.message}, as of ${day}` };
  }
}

const LIGHT = '#555';
const DARK = '#3d444d';

/** Widths of the characters of badges in Verdana of 11 pixels; `textLength` fits other fonts into them. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ['il', 3],
  ["fjt ,.'", 4],
  ['r()-', 4.8],
  ['cszI', 5.8],
  ['m', 10.7],
  ['w+MW', 9.2],
  ['R', 7.6],
  ['%', 11.8],
];
const USUAL_WIDTH = 6.9;

function widthOf(text: string): number {
  const widths = [...text].map((one) => WIDTHS.find(([all]) => all.includes(one))?.[1] ?? USUAL_WIDTH);
  return Math.round(widths.reduce((sum, width) => sum + width, 0));
}

/** A badge of 20 pixels, with the proportions of those of shields.io. */
function drawBadge({ label, message, color, title }: Badge, theme: Theme): string {
  const [left, right] = [label, message].map((text) => widthOf(text) + 10) as [number, number];
  const width = left + right;
  const fill = theme === 'dark' ? DARK : LIGHT;
  const style =
    theme === 'auto' ? `<style>@media(prefers-color-scheme:dark){.label{fill:${DARK}}}</style>` : '';
  const text = (words: string, from: number, size: number): string => {
    const place = `x="${from + size / 2}" textLength="${size - 10}"`;
    return `<text ${place} y="15" fill="#010101" fill-opacity=".3" aria-hidden="true">${words}</text><text ${place} y="14">${words}</text>`;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${title}">`,
    `<title>${title}</title>${style}`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect class="label" width="${left}" height="20" fill="${fill}"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${color}"/></g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    `${text(label, 0, left)}${text(message, left, right)}</g></svg>`,
  ].join('');
}
