import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inspectRedis } from '../../access/limits/open-counter.ts';
import { parseRedisUrl } from '../../access/limits/redis-address.ts';
import { UnusableDatabaseError } from '../../db/connection-error.ts';
import { hasEmbedded } from '../../db/embedded/embedded.ts';
import { type DatabaseReport, inspectDatabase } from '../../db/inspect.ts';
import type { DatabaseLocation } from '../../db/open.ts';
import { OperatorError } from '../../lib/errors.ts';
import { readVersion } from '../../lib/files/built-files.ts';
import { hostOf, isLoopback } from '../../lib/http/loopback.ts';
import { inspectMailServer } from '../../lib/mail/open-mailer.ts';
import {
  type CommandEnvironment,
  type JsonOption,
  line,
  mayColor,
  printJson,
} from '../command-line/command.ts';
import { describeWait, locate } from '../command-line/database.ts';
import { wrap } from '../command-line/table.ts';
import { type Config, checkConfig, findMisspelt, isPrivate, type SettingError } from '../settings/config.ts';

const verdicts = ['ok', 'warning', 'error'] as const;
type Verdict = (typeof verdicts)[number];

/** The result of one check. No text in it contains a secret. */
interface Check {
  readonly check: 'versions' | 'settings' | 'database' | 'clock' | 'redis' | 'mail' | 'disk';
  readonly verdict: Verdict;
  readonly message: string;
  /** How to fix it; null if it is ok. */
  readonly fix: string | null;
}

/** Checks everything that a gateway with these settings needs. Creates and changes nothing. */
async function runChecks(environment: CommandEnvironment): Promise<Check[]> {
  const { env, cwd } = environment;
  const { config, errors } = checkConfig(env);
  const isValid = (name: SettingError['name']): boolean => !errors.some((error) => error.name === name);
  const location = locate(config.database, cwd);
  const [database, redis, mail] = await Promise.all([
    isValid('DATABASE_URL') ? checkDatabase(location, environment) : [],
    isValid('REDIS_URL') ? checkRedis(config.redisUrl) : [],
    isValid('SMTP_URL') ? checkMail(config.smtpUrl) : [],
  ]);
  return [
    // The launcher has refused a Node that is too old.
    ok('versions', `revgate ${readVersion()} on Node ${process.versions.node}`),
    ...checkSettings(config, errors, findMisspelt(env)),
    ...database,
    ...redis,
    ...mail,
    checkDisk(location, freeBytes),
  ];
}

function checkSettings(
  config: Config,
  errors: readonly SettingError[],
  misspelt: readonly string[],
): Check[] {
  const warnings = misspelt.map((message) => warning('settings', message, 'Rename or remove the variable.'));
  if (errors.length > 0) {
    return [
      ...errors.map(({ name, message }) => error('settings', message, `Set ${name} to an allowed value.`)),
      ...warnings,
    ];
  }
  const { publicUrl, trustedProxies, database, authSecret, smtpUrl } = config;
  const hasDashboard = database.kind === 'embedded' || authSecret !== undefined;
  const rules: [applies: boolean | undefined, message: string, fix: string][] = [
    [
      publicUrl?.startsWith('http:') && !isLoopback(hostOf(publicUrl)),
      `PUBLIC_URL ${publicUrl} is not https: keys and cookies are sent unencrypted.`,
      'Put a proxy with TLS in front, and set PUBLIC_URL to its https address.',
    ],
    [
      publicUrl?.startsWith('https:') && trustedProxies === 0,
      'TRUST_PROXY is 0, but PUBLIC_URL is https, so a proxy is in front: all clients appear to have its address.',
      'Set TRUST_PROXY to the number of proxies in front, usually 1.',
    ],
    [
      !hasDashboard,
      'AUTH_SECRET is not set, so there is no dashboard.',
      'Set AUTH_SECRET to at least 32 random characters, the same on all nodes: openssl rand -base64 32',
    ],
    [
      hasDashboard && smtpUrl === undefined && !isPrivate(config),
      'SMTP_URL is not set, so nobody can sign up for the dashboard.',
      'Set SMTP_URL to the address of a mail server.',
    ],
  ];
  const found = rules.filter(([applies]) => applies);
  warnings.push(...found.map(([, message, fix]) => warning('settings', message, fix)));
  return warnings.length === 0 ? [ok('settings', 'All settings are valid.')] : warnings;
}

async function checkDatabase(
  location: DatabaseLocation,
  { now, stderr, signal }: CommandEnvironment,
): Promise<Check[]> {
  const isServer = location.kind === 'server';
  const place = isServer ? 'PostgreSQL' : `The embedded database in ${resolve(location.directory ?? '')}`;
  if (!isServer && !hasEmbedded(location.directory ?? '')) {
    return [ok('database', `${place} does not exist yet; serve creates it.`)];
  }
  let report: DatabaseReport;
  try {
    const onWait = (): void => line(stderr, describeWait(location));
    report = await inspectDatabase(location, now, { signal, onWait });
  } catch (failure) {
    const [message = '', ...steps] = failure instanceof OperatorError ? failure.lines : [String(failure)];
    return failure instanceof UnusableDatabaseError
      ? [
          error(
            'database',
            `${failure.reason}.`,
            failure.fix.replace(/^./, (first) => first.toUpperCase()),
          ),
        ]
      : [error('database', message, steps.join('\n') || 'Fix the cause that the message names.')];
  }
  const { version, schema, pending, clockAhead } = report;
  const what = isServer ? `${place} ${version}, schema ${schema}` : `${place}, PostgreSQL ${version}`;
  const clock = isServer ? [checkClock(clockAhead)] : [];
  return [
    pending === 0
      ? ok('database', `${what}, is up to date.`)
      : warning(
          'database',
          `${what}, has ${pending} pending migrations.`,
          'Run npx revgate serve, which applies them.',
        ),
    ...clock,
  ];
}

const CLOCK_WARNING_MS = 1_000;
const CLOCK_ERROR_MS = 30_000;

/** @param ahead of the database's clock, in ms. */
export function checkClock(ahead: number): Check {
  const difference = Math.abs(ahead);
  const direction = ahead < 0 ? 'behind' : 'ahead of';
  const message = `The database's clock is ${(difference / 1_000).toFixed(3)} s ${direction} this machine's.`;
  const fix = 'Synchronize both clocks with NTP: they decide when keys and sessions expire.';
  if (difference >= CLOCK_ERROR_MS) {
    return error('clock', message, fix);
  }
  return difference >= CLOCK_WARNING_MS ? warning('clock', message, fix) : ok('clock', message);
}

async function checkRedis(url: string | undefined): Promise<Check[]> {
  const address = url === undefined ? undefined : parseRedisUrl(url);
  if (address === undefined) {
    return [ok('redis', 'REDIS_URL is not set: each process counts requests in memory.')];
  }
  let version: string | undefined;
  try {
    version = await inspectRedis(address);
  } catch (failure) {
    return [
      error(
        'redis',
        `Cannot use Redis at REDIS_URL: ${failure instanceof Error ? failure.message : failure}`,
        address.isEncrypted
          ? 'Start it, correct REDIS_URL, or set NODE_EXTRA_CA_CERTS to the file of its certificate authority.'
          : 'Start it, or correct REDIS_URL.',
      ),
    ];
  }
  const what = `Redis ${version ?? 'of an unknown version'}, ${address.isEncrypted ? 'with' : 'without'} TLS`;
  return [
    address.isEncrypted || isLoopback(address.host)
      ? ok('redis', `${what}, can count requests.`)
      : warning('redis', `${what}, is on another machine.`, 'Use rediss://, unless the network is private.'),
  ];
}

async function checkMail(smtpUrl: string | undefined): Promise<Check[]> {
  if (smtpUrl === undefined) {
    return [];
  }
  const { protocol, username } = new URL(smtpUrl);
  try {
    await inspectMailServer(smtpUrl);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    return [
      error('mail', `Cannot use the mail server at SMTP_URL: ${reason}`, 'Start it, or correct SMTP_URL.'),
    ];
  }
  const encryption = protocol === 'smtps:' ? 'with TLS' : 'with TLS if the server offers it';
  const account = username === '' ? 'without an account' : 'signed in';
  return [ok('mail', `The mail server responds, ${encryption}, ${account}. No email was sent.`)];
}

const DISK_WARNING_BYTES = 1e9;
const DISK_ERROR_BYTES = 1e8;

/** @param free returns the bytes that this user may still write on the file system of a directory. */
export function checkDisk(location: DatabaseLocation, free: (directory: string) => number): Check {
  if (location.kind === 'server') {
    return ok('disk', 'DATA_DIR is not used with PostgreSQL.');
  }
  const directory = resolve(location.directory ?? '');
  const bytes = free(directory);
  const message = `${(bytes / 1e9).toFixed(1)} GB are free for ${directory}.`;
  const fix = 'Free disk space, or set DATA_DIR to a directory on another disk.';
  if (bytes < DISK_ERROR_BYTES) {
    return error('disk', message, fix);
  }
  return bytes < DISK_WARNING_BYTES ? warning('disk', message, fix) : ok('disk', message);
}

function freeBytes(directory: string): number {
  let existing = directory;
  while (!existsSync(existing)) {
    existing = dirname(existing);
  }
  const { bavail, bsize } = statfsSync(existing);
  return bavail * bsize;
}

function ok(check: Check['check'], message: string): Check {
  return { check, verdict: 'ok', message, fix: null };
}

function warning(check: Check['check'], message: string, fix: string): Check {
  return { check, verdict: 'warning', message, fix };
}

function error(check: Check['check'], message: string, fix: string): Check {
  return { check, verdict: 'error', message, fix };
}

/** Green, yellow and red, of a terminal. */
const colors: Readonly<Record<Verdict, string>> = { ok: '32', warning: '33', error: '31' };
/** Of the widest verdict and the widest name of a check, each with the space behind it. */
const [VERDICT_WIDTH, CHECK_WIDTH] = [9, 10];

/**
 * `revgate doctor`: checks everything that a gateway needs.
 *
 * @throws OperatorError if a check failed, after all were printed.
 */
export async function runDoctor(environment: CommandEnvironment, { json }: JsonOption): Promise<void> {
  const { stdout, columns, env } = environment;
  const checks = await runChecks(environment);
  const worst = verdicts.findLast((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'ok';
  if (json === true) {
    printJson(stdout, { verdict: worst, checks });
  } else {
    const isColored = mayColor(columns !== undefined, env);
    for (const check of checks) {
      for (const text of linesOf(check, columns, isColored)) {
        line(stdout, text);
      }
    }
  }
  const errors = checks.filter(({ verdict }) => verdict === 'error').length;
  if (errors > 0) {
    throw new OperatorError(`${errors} ${errors === 1 ? 'check' : 'checks'} failed.`);
  }
}

function linesOf(
  { verdict, check, message, fix }: Check,
  columns: number | undefined,
  isColored: boolean,
): string[] {
  const indent = ' '.repeat(VERDICT_WIDTH + CHECK_WIDTH);
  const texts = [...message.split('\n'), ...(fix === null ? [] : `Fix: ${fix}`.split('\n'))];
  const wrapped = texts.flatMap((text) =>
    columns === undefined ? [text] : wrap(text, columns - indent.length),
  );
  const padded = verdict.padEnd(VERDICT_WIDTH);
  const colored = isColored ? `\u001b[${colors[verdict]}m${padded}\u001b[0m` : padded;
  const [first = '', ...others] = wrapped;
  return [colored + check.padEnd(CHECK_WIDTH) + first, ...others.map((text) => indent + text)];
}
