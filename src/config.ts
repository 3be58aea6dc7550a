import type { DatabaseLocation } from './db/open.ts';
import { OperatorError } from './errors.ts';
import { hostOf, isLoopback } from './loopback.ts';
import { parseRedisUrl, REDIS_URL_FORM } from './rate-limit/redis-address.ts';
import { DEFAULT_EMBED_LIMIT, DEFAULT_LIMITS, type TierLimits } from './rate-limit/tiers.ts';

/** Levels of the log, from the most to the least. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** How a line of the log is written: for people, or for programs. */
const logFormats = ['pretty', 'json'] as const;
type LogFormat = (typeof logFormats)[number];

/** In seconds. */
const DEFAULT_MAX_STALENESS = 600;

/** The configuration of a gateway. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly database: DatabaseLocation;
  readonly limits: TierLimits;
  /** What all clients of an embed key together may spend in a window. */
  readonly embedLimit: number;
  /** Where nodes share the windows of the limits; undefined: in this process's memory. */
  readonly redisUrl: string | undefined;
  /** How many nodes share the Redis: each one's part of the limits while it does not answer. */
  readonly nodes: number;
  /** Where clients reach the gateway; undefined on loopback, where it is the address listened on. */
  readonly publicUrl: string | undefined;
  /** Proxies in front that append to X-Forwarded-For. */
  readonly trustedProxies: number;
  readonly logLevel: LogLevel;
  /** Undefined: pretty on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | undefined;
  /** Who has it may read the metrics from anywhere; undefined: only this machine itself may. */
  readonly metricsToken: string | undefined;
  /** Signs the cookies of the dashboard; undefined: the embedded database keeps one. */
  readonly authSecret: string | undefined;
  /** Where mails are sent; undefined: nowhere. */
  readonly smtpUrl: string | undefined;
  /** Whom mails come from. */
  readonly mailFrom: string;
  /** For signing in with GitHub. */
  readonly github: { readonly clientId: string; readonly clientSecret: string } | undefined;
  /** Seconds after which a change of the embedded database is in a snapshot on the disk; 0: never. */
  readonly snapshotInterval: number;
  /** Seconds for which known keys and startups are served while the database does not answer. */
  readonly maxStaleness: number;
  /** Seconds between the signal to stop and the end of listening, so that proxies notice. */
  readonly drainDelay: number;
}

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads the configuration of the environment.
 *
 * @throws OperatorError with a line for every fault in it.
 */
export function readConfig(env: Environment): Config {
  const { config, faults } = checkConfig(env);
  const [first, ...others] = faults;
  if (first !== undefined) {
    throw new OperatorError(first, ...others);
  }
  return config;
}

/** The configuration of the environment, and its faults: `NAME: what is wrong`. Settings with a fault have no meaning. */
export function checkConfig(env: Environment): { config: Config; faults: readonly string[] } {
  const faults: string[] = [];
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const text = env[name];
    if (text === undefined || text === '') {
      return fallback;
    }
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      faults.push(`${name}: got ${JSON.stringify(text)}, allowed: an integer from ${min} to ${max}`);
    }
    return value;
  };
  const host = env.HOST || '127.0.0.1';
  // Faults are told in the order in which they are found.
  const port = integer('PORT', 4000, 0, 65_535);
  const publicUrl = readPublicUrl(env.PUBLIC_URL, host, faults);
  const config: Config = {
    host,
    port,
    database: readDatabase(env, faults),
    limits: {
      standard: integer('RATE_LIMIT_STANDARD', DEFAULT_LIMITS.standard, 1, 1_000_000_000),
      premium: integer('RATE_LIMIT_PREMIUM', DEFAULT_LIMITS.premium, 1, 1_000_000_000),
    },
    embedLimit: integer('RATE_LIMIT_EMBED', DEFAULT_EMBED_LIMIT, 1, 1_000_000_000),
    redisUrl: readRedisUrl(env.REDIS_URL, faults),
    nodes: integer('RATE_LIMIT_NODES', 1, 1, 1_000),
    publicUrl,
    trustedProxies: integer('TRUST_PROXY', 0, 0, 10),
    logLevel: readLogLevel(env.LOG_LEVEL, faults),
    logFormat: readLogFormat(env.LOG_FORMAT, faults),
    metricsToken: readMetricsToken(env.METRICS_TOKEN, faults),
    authSecret: readAuthSecret(env.AUTH_SECRET, faults),
    smtpUrl: readSmtpUrl(env.SMTP_URL, faults),
    mailFrom: readMailFrom(env.MAIL_FROM, publicUrl, faults),
    github: readGithub(env, faults),
    snapshotInterval: integer('SNAPSHOT_INTERVAL', 300, 0, 86_400),
    maxStaleness: integer('MAX_STALENESS', DEFAULT_MAX_STALENESS, 5, 86_400),
    drainDelay: integer('DRAIN_DELAY', isLoopback(host) ? 0 : 5, 0, 300),
  };
  return { config, faults };
}

/** Whether clients are on this machine only: what listens on loopback may still be behind a proxy. */
export function isPrivate({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return isLoopback(host) && (publicUrl === undefined || isLoopback(hostOf(publicUrl)));
}

function readDatabase({ DATABASE_URL, DATA_DIR }: Environment, faults: string[]): DatabaseLocation {
  if (!DATABASE_URL) {
    return { kind: 'embedded', directory: DATA_DIR || '.data' };
  }
  if (!/^postgres(ql)?:$/.test(protocolOf(DATABASE_URL))) {
    // The address itself may hold a password.
    faults.push('DATABASE_URL: allowed: an address such as postgres://user:password@host:5432/database');
  }
  return { kind: 'server', url: DATABASE_URL };
}

function readRedisUrl(url: string | undefined, faults: string[]): string | undefined {
  if (url && parseRedisUrl(url) === undefined) {
    // The address itself may hold a password.
    faults.push(`REDIS_URL: allowed: ${REDIS_URL_FORM}`);
  }
  return url || undefined;
}

function readMetricsToken(token: string | undefined, faults: string[]): string | undefined {
  // What a header can hold, and too long to be guessed.
  if (token && !/^[!-~]{16,256}$/.test(token)) {
    faults.push('METRICS_TOKEN: allowed: 16 to 256 letters, digits and signs without spaces');
  }
  return token || undefined;
}

function readAuthSecret(secret: string | undefined, faults: string[]): string | undefined {
  // What signs for everybody must be too long to be guessed from one cookie.
  if (secret && !/^[!-~]{32,256}$/.test(secret)) {
    faults.push('AUTH_SECRET: allowed: 32 to 256 letters, digits and signs without spaces');
  }
  return secret || undefined;
}

function readSmtpUrl(url: string | undefined, faults: string[]): string | undefined {
  if (url && (!/^smtps?:$/.test(protocolOf(url)) || new URL(url).hostname === '')) {
    // The address itself may hold a password.
    faults.push('SMTP_URL: allowed: an address such as smtp://user:password@host:587');
  }
  return url || undefined;
}

function readMailFrom(from: string | undefined, publicUrl: string | undefined, faults: string[]): string {
  if (from && !/^([^<>@\p{Cc}"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(from)) {
    faults.push(
      `MAIL_FROM: got ${JSON.stringify(from)}, allowed: an address such as revgate <keys@example.com>`,
    );
  }
  return from || `revgate <no-reply@${publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname}>`;
}

function readGithub(env: Environment, faults: string[]): Config['github'] {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env;
  if (!clientId !== !clientSecret) {
    const missing = clientId ? 'GITHUB_CLIENT_SECRET' : 'GITHUB_CLIENT_ID';
    faults.push(`${missing}: missing; signing in with GitHub needs both it and the other of the two`);
  }
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

function readPublicUrl(url: string | undefined, host: string, faults: string[]): string | undefined {
  if (!url) {
    if (!isLoopback(host)) {
      faults.push(
        `PUBLIC_URL: missing; required where HOST is not loopback, such as https://api.example.com`,
      );
    }
    return undefined;
  }
  if (!/^https?:$/.test(protocolOf(url)) || new URL(url).pathname !== '/') {
    faults.push(`PUBLIC_URL: got ${JSON.stringify(url)}, allowed: an http or https address without a path`);
    return undefined;
  }
  return new URL(url).origin;
}

function readLogLevel(text: string | undefined, faults: string[]): LogLevel {
  const level = logLevels.find((known) => known === (text || 'info'));
  if (level === undefined) {
    faults.push(`LOG_LEVEL: got ${JSON.stringify(text)}, allowed: one of ${logLevels.join(', ')}`);
  }
  return level ?? 'info';
}

function readLogFormat(text: string | undefined, faults: string[]): LogFormat | undefined {
  const format = logFormats.find((known) => known === text);
  if (text && format === undefined) {
    faults.push(`LOG_FORMAT: got ${JSON.stringify(text)}, allowed: one of ${logFormats.join(', ')}`);
  }
  return format;
}
