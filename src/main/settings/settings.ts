import { DEFAULT_EMBED_LIMIT, DEFAULT_LIMITS, LIMIT_MAX } from '../../access/limits/tiers.ts';
import { PROGRAM } from '../../lib/text/service.ts';
import { DEFAULT_HISTORY_DAYS } from '../../startups/model/retention.ts';
import {
  accent,
  anyText,
  contact,
  emails,
  httpOrigin,
  integer,
  type Kind,
  mailSender,
  matching,
  oneOf,
  postgresUrl,
  redisUrl,
  secretText,
  slugs,
  smtpUrl,
  token,
} from './kinds.ts';

/** An environment variable. An empty one counts as unset. */
export interface Setting<Value> {
  readonly kind: Kind<NonNullable<Value>>;
  /** The value of an unset variable. */
  readonly fallback: Value;
  /** The effect of an unset variable, if that is more than a fixed value. */
  readonly unset?: string;
  /** A description that fits on one line of a terminal. */
  readonly summary: string;
  readonly details?: string;
  /** The value in .env.example, where a production server usually sets it; empty where there is no good one. */
  readonly example?: string;
}

type Description = Pick<Setting<unknown>, 'summary' | 'details' | 'example'>;

const withDefault = <Value>(
  kind: Kind<NonNullable<Value>>,
  fallback: Value,
  description: Description,
): Setting<Value> => ({ kind, fallback, ...description });

const optional = <Value>(
  kind: Kind<NonNullable<Value>>,
  unset: string,
  description: Description,
): Setting<Value | undefined> => ({ kind, fallback: undefined, unset, ...description });

/**
 * All settings. The configuration, its error messages, the table in docs/publish/settings.md, .env.example and the help of serve
 * are derived from this table.
 */
export const settings = {
  PORT: withDefault(integer(0, 65_535), 4000, {
    summary: 'the port to listen on',
    details: '0 chooses a free one',
  }),
  HOST: withDefault(anyText('a name or an address of this machine'), '127.0.0.1', {
    summary: 'the address to listen on',
    details: '0.0.0.0 or :: listens on all addresses',
  }),
  PUBLIC_URL: optional(
    httpOrigin,
    'the address that the server listens on; required if `HOST` is not a loopback address',
    {
      summary: 'the URL at which clients reach the server',
      details:
        'after a change, emails about keys and about what accounts saved are held until an operator releases them',
      example: 'https://api.example.com',
    },
  ),
  TRUST_PROXY: withDefault(integer(0, 10), 0, {
    summary: 'the number of proxies that append to X-Forwarded-For',
    details:
      'if it is too low, all clients share one address and its limit; if it is too high, clients can forge addresses',
    example: '1',
  }),
  DATABASE_URL: optional(postgresUrl, 'the embedded database', {
    summary: 'the PostgreSQL database',
    example: 'postgres://revgate:password@127.0.0.1:5432/revgate',
  }),
  DATA_DIR: withDefault(anyText('a directory'), '.data', {
    summary: 'the directory of the embedded database',
  }),
  SNAPSHOT_INTERVAL: withDefault(integer(0, 86_400), 300, {
    summary: 'seconds from a change to a snapshot of the embedded database',
    details: '0 turns snapshots off',
  }),
  REDIS_URL: optional(redisUrl, 'each node counts requests in its own memory', {
    summary: 'the Redis server that counts the requests of all nodes',
    example: 'redis://127.0.0.1:6379',
  }),
  NODE_EXTRA_CA_CERTS: optional(anyText('a file (PEM)'), 'only the authorities that Node includes', {
    summary: 'additional certificate authorities to trust, for Redis',
    details: 'read by Node itself',
  }),
  RATE_LIMIT_STANDARD: withDefault(integer(1, LIMIT_MAX), DEFAULT_LIMITS.standard, {
    summary: 'requests per minute of a standard key',
    details:
      'it also applies to each client address without a key. For an embed key, the limit of its tier applies to each client address',
  }),
  RATE_LIMIT_PREMIUM: withDefault(integer(1, LIMIT_MAX), DEFAULT_LIMITS.premium, {
    summary: 'requests per minute of a premium key',
  }),
  RATE_LIMIT_EMBED: withDefault(integer(1, LIMIT_MAX), DEFAULT_EMBED_LIMIT, {
    summary: 'requests per minute of an embed key, from all clients',
  }),
  MAX_STALENESS: withDefault(integer(5, 86_400), 600, {
    summary: 'seconds to serve from memory while the database is down',
    details: 'only startups and known keys are served; after that, `/ready` returns 503',
  }),
  HISTORY_DAYS: withDefault(integer(1, 3_650), DEFAULT_HISTORY_DAYS, {
    summary: 'days to keep history and removals',
    details: 'older points and removals are deleted once a day',
  }),
  BADGES: withDefault(oneOf('off', 'on'), 'off', {
    summary: 'whether everyone can load badges, `/badge/{slug}.svg`',
    details: 'a badge is an image with one figure of a startup, for READMEs and pages',
  }),
  BADGES_EXCEPT: optional(slugs, 'every startup has a badge', {
    summary: 'slugs of startups without a badge',
  }),
  DRAIN_DELAY: optional(integer(0, 300), '0 if `HOST` is a loopback address, otherwise 5', {
    summary: 'seconds from SIGTERM until the server stops listening',
    details: 'meanwhile `/ready` returns 503, so that load balancers use other nodes',
  }),
  AUTH_SECRET: optional(
    token(32, 256),
    'the embedded database: generated, in `DATA_DIR/auth-secret`; PostgreSQL: no dashboard',
    {
      summary: 'signs cookies and links; must be the same on all nodes',
      details: 'create one with `openssl rand -base64 32`',
      example: '',
    },
  ),
  OPERATORS: optional(emails, 'only accounts that were made operators', {
    summary: 'the email addresses of operators',
    details: 'an account is an operator while its confirmed address is one of these',
    example: '',
  }),
  OPERATORS_2FA: withDefault(oneOf('optional', 'required'), 'optional', {
    summary: 'whether operators need a second factor to sign in',
    details:
      'a code of an app, or a recovery code. With `required`, an operator without one can only set it up',
    example: 'required',
  }),
  SIGN_UP: withDefault(oneOf('open', 'invited'), 'open', {
    summary: 'who can sign up in the dashboard',
    details: 'with `invited`, only people to whom an operator passed a link',
  }),
  SMTP_URL: optional(
    smtpUrl,
    'if only this machine can reach the server, links are printed to the terminal; otherwise operators invite people by links',
    {
      summary: 'the SMTP server that sends emails',
      details:
        '`smtps://` for TLS. Without it, accounts get no emails about their keys and about what they saved',
      example: 'smtps://user:password@mail.example.com',
    },
  ),
  MAIL_FROM: optional(mailSender, '`SERVICE_NAME <no-reply@HOST>` with the host of `PUBLIC_URL`', {
    summary: 'the sender of emails',
    example: 'revgate <no-reply@example.com>',
  }),
  GITHUB_CLIENT_ID: optional(anyText('text'), 'no sign-in with GitHub', {
    summary: 'the client ID of the OAuth app for signing in with GitHub',
    details: 'its callback URL is `PUBLIC_URL` with `/dashboard/auth/callback/github`',
  }),
  GITHUB_CLIENT_SECRET: optional(secretText, 'no sign-in with GitHub', {
    summary: 'the client secret of that app',
    details: 'set both or neither',
  }),
  SERVICE_NAME: withDefault(
    matching(/^[^\s\p{Cc}<>"\\@][^\p{Cc}<>"\\@]{0,49}$/u, '1 to 50 characters, without < > " @ and \\'),
    PROGRAM,
    {
      summary: 'the name of your service',
      details: 'in pages, emails, OpenAPI, GraphiQL and embed snippets',
    },
  ),
  SERVICE_LOGO: optional(anyText('a file (SVG or PNG, at most 256 kB)'), 'that of revgate', {
    summary: 'the logo of your service',
  }),
  SERVICE_CONTACT: optional(contact, 'none', {
    summary: 'where customers reach you',
    details:
      'shown in the footer of pages, in every email and in OpenAPI. Answers to emails go there if it is an address',
    example: 'support@example.com',
  }),
  SERVICE_ACCENT: optional(accent, 'green', { summary: 'the color of links and buttons' }),
  FIRST_PAGE_ROWS: withDefault(oneOf('on', 'off'), 'on', {
    summary: 'whether the first page shows startups',
    details: 'ten to filter and sort, and two in a response; with `off`, only how many there are',
  }),
  POLICY_FILE: optional(anyText('a file (Markdown with a line `Version: YYYY-MM-DD`)'), 'docs/policy.md', {
    summary: 'your acceptable-use policy',
    details:
      'without HTML, and with http, https and mailto links only. A changed text needs a new version, and ' +
      'accounts must accept it before they create further keys',
  }),
  METRICS_TOKEN: optional(
    token(16, 256),
    'only this machine can read the metrics; nobody if `PUBLIC_URL` is not a loopback address',
    {
      summary: 'the bearer token that /metrics requires',
      example: '',
    },
  ),
  LOG_LEVEL: withDefault(oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', {
    summary: 'the lowest level to log',
    details: 'the log is written to standard error. Requests for static files are logged at `debug`',
  }),
  LOG_FORMAT: optional(oneOf('pretty', 'json'), '`pretty` on a terminal, otherwise `json`', {
    summary: 'the format of the log',
  }),
  NO_COLOR: optional(anyText('text'), 'colors on a terminal', {
    summary: 'any value turns colors off',
  }),
} as const satisfies { readonly [name: string]: Setting<unknown> };

export type SettingName = keyof typeof settings;

export const allSettings = Object.entries(settings) as readonly [SettingName, Setting<unknown>][];

export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

/** All settings as a table in Markdown, for docs/publish/settings.md. */
export function settingsTable(): string {
  const rows = allSettings.map(([name, { kind, fallback, unset, summary, details }]) => [
    `\`${name}\``,
    sentences(summary, details),
    kind.allowed
      .replace(/\w+ <\S+>|</g, (found) => (found === '<' ? '\\<' : `\`${found}\``))
      .replace(/\b(?!65535)\d{5,}/g, (digits) => Number(digits).toLocaleString('en-US')),
    unset ?? `\`${fallback}\``,
    kind.isSecret ? 'yes' : '',
  ]);
  return [['variable', 'meaning', 'allowed', 'default', 'secret'], Array(5).fill('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** All settings with the values of a production server, for .env.example. The others are commented out. */
export function exampleEnvironment(): string {
  const blocks = allSettings.map(([name, { kind, fallback, summary, details, example }]) => {
    const text = sentences(summary, details).replaceAll('`', '');
    const value = example ?? String(fallback ?? '');
    const line = `${name}=${/[\s<]/.test(value) ? `"${value}"` : value}`;
    return [`# ${text} Allowed: ${kind.allowed}.`, example === undefined ? `#${line}` : line];
  });
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** The name, meaning and default of each setting, for a terminal. */
export function settingRows(): string[][] {
  return allSettings.map(([name, { summary, fallback }]) => [
    name,
    fallback === undefined ? summary : `${summary} (default: ${fallback})`,
  ]);
}

function sentences(...texts: (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
    .join(' ');
}
