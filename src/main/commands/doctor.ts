import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inspectRedis } from '../../access/limits/open-counter.ts';
import { parseRedisUrl } from '../../access/limits/redis-address.ts';
import { hasEmbedded } from '../../db/embedded/embedded.ts';
import { inspectDatabase } from '../../db/inspect.ts';
import { OutdatedDatabaseError } from '../../db/migrate.ts';
import type { DatabaseLocation } from '../../db/open.ts';
import { UnusableDatabaseError } from '../../db/server-checks.ts';
import { amount, OperatorError } from '../../lib/errors.ts';
import { readVersion } from '../../lib/files/built-files.ts';
import { hostOf, isLoopback } from '../../lib/http/addresses.ts';
import { inspectMailServer } from '../../lib/mail/open-mailer.ts';
import { type CommandEnvironment, type JsonOption, line, printJson } from '../command-line/command.ts';
import { describeWait, locate } from '../command-line/database.ts';
import { type Config, checkConfig, findMisspelt, isPrivate, type SettingError } from '../settings/config.ts';

/** The result of one check. No text in it contains a secret. */
interface Check {
  readonly check: 'versions' | 'package' | 'settings' | 'database' | 'redis' | 'mail' | 'disk';
  readonly verdict: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** How to fix it; null if it is ok. */
  readonly fix: string | null;
}

const ok = (check: Check['check'], message: string): Check => ({ check, verdict: 'ok', message, fix: null });
const found =
  (verdict: 'warning' | 'error') =>
  (check: Check['check'], message: string, fix: string): Check => ({ check, verdict, message, fix });
const [warning, error] = [found('warning'), found('error')];

async function runChecks(environment: CommandEnvironment): Promise<Check[]> {
  const { env, cwd } = environment;
  const { config, errors } = checkConfig(env);
  const isValid = (name: SettingError['name']): boolean => !errors.some((error) => error.name === name);
  const location = locate(config.database, cwd);
  const services = await Promise.all([
    isValid('DATABASE_URL') ? checkDatabase(location, environment) : [],
    isValid('REDIS_URL') ? checkRedis(config.redisUrl) : [],
    isValid('SMTP_URL') && config.smtpUrl !== undefined ? checkMail(config.smtpUrl) : [],
  ]);
  return [
    // The launcher has refused a Node that is too old.
    ok('versions', `revgate ${readVersion()} on Node ${process.versions.node}`),
    await checkPackage(),
    ...checkSettings(config, errors, findMisspelt(env)),
    ...services.flat(),
    checkDisk(location, freeBytes),
  ];
}

async function checkPackage(): Promise<Check> {
  try {
    await (await import('./serve.ts')).loadAll();
    return ok('package', 'All code of the server can be loaded.');
  } catch (failure) {
    return error(
      'package',
      `The server cannot be loaded: ${messageOf(failure)}`,
      'Remove revgate, and install it again.',
    );
  }
}

function checkSettings(config: Config, errors: readonly SettingError[], misspelt: readonly string[]) {
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
  warnings.push(
    ...rules.flatMap(([applies, message, fix]) => (applies ? warning('settings', message, fix) : [])),
  );
  return warnings.length === 0 ? [ok('settings', 'All settings are valid.')] : warnings;
}

async function checkDatabase(location: DatabaseLocation, { signal, stderr }: CommandEnvironment) {
  const isServer = location.kind === 'server';
  const place = isServer ? 'PostgreSQL' : `The embedded database in ${resolve(location.directory ?? '')}`;
  if (!isServer && !hasEmbedded(location.directory ?? '')) {
    return ok('database', `${place} does not exist yet; serve creates it.`);
  }
  try {
    const onWait = (): void => line(stderr, describeWait(location));
    const { version, schema, isEmpty } = await inspectDatabase(location, { signal, onWait });
    const what = isServer ? `${place} ${version}, schema ${schema}` : `${place}, PostgreSQL ${version}`;
    return ok(
      'database',
      isEmpty ? `${what}, has no tables yet; serve creates them.` : `${what}, is up to date.`,
    );
  } catch (failure) {
    if (failure instanceof UnusableDatabaseError) {
      const fix = failure.fix.replace(/^./, (first) => first.toUpperCase());
      return error('database', `${failure.reason}.`, fix);
    }
    const [message = '', ...steps] = failure instanceof OperatorError ? failure.lines : [String(failure)];
    const verdict = failure instanceof OutdatedDatabaseError ? warning : error;
    return verdict('database', message, steps.join('\n') || 'Fix the cause that the message names.');
  }
}

async function checkRedis(url: string | undefined): Promise<Check> {
  const address = url === undefined ? undefined : parseRedisUrl(url);
  if (address === undefined) {
    return ok('redis', 'REDIS_URL is not set: each process counts requests in memory.');
  }
  const { tls, host } = address;
  const isEncrypted = tls !== undefined;
  try {
    const version = await inspectRedis(address);
    const what = `Redis ${version ?? 'of an unknown version'}, ${isEncrypted ? 'with' : 'without'} TLS`;
    return isEncrypted || isLoopback(host)
      ? ok('redis', `${what}, can count requests.`)
      : warning('redis', `${what}, is on another machine.`, 'Use rediss://, unless the network is private.');
  } catch (failure) {
    return error(
      'redis',
      `Cannot use Redis at REDIS_URL: ${messageOf(failure)}`,
      `Start it, correct REDIS_URL${isEncrypted ? ', or set NODE_EXTRA_CA_CERTS to the file of its certificate authority' : ''}.`,
    );
  }
}

async function checkMail(smtpUrl: string): Promise<Check> {
  const { protocol, username } = new URL(smtpUrl);
  const encryption = protocol === 'smtps:' ? 'with TLS' : 'with TLS if the server offers it';
  const account = username === '' ? 'without an account' : 'signed in';
  try {
    await inspectMailServer(smtpUrl);
    return ok('mail', `The mail server responds, ${encryption}, ${account}. No email was sent.`);
  } catch (failure) {
    const message = `Cannot use the mail server at SMTP_URL: ${messageOf(failure)}`;
    return error('mail', message, 'Start it, or correct SMTP_URL.');
  }
}

const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);

const DISK_WARNING_BYTES = 1e9;

/** @param free returns the bytes that this user may still write on the file system of a directory. */
export function checkDisk(location: DatabaseLocation, free: (directory: string) => number): Check {
  if (location.kind === 'server') {
    return ok('disk', 'DATA_DIR is not used with PostgreSQL.');
  }
  const directory = resolve(location.directory ?? '');
  const bytes = free(directory);
  const message = `${(bytes / 1e9).toFixed(1)} GB are free for ${directory}.`;
  return bytes < DISK_WARNING_BYTES
    ? warning('disk', message, 'Free disk space, or set DATA_DIR to a directory on another disk.')
    : ok('disk', message);
}

function freeBytes(directory: string): number {
  let existing = directory;
  while (!existsSync(existing)) {
    existing = dirname(existing);
  }
  const { bavail, bsize } = statfsSync(existing);
  return bavail * bsize;
}

/**
 * `revgate doctor`: checks everything that a gateway needs.
 *
 * @throws OperatorError if a check failed, after all were printed.
 */
export async function runDoctor(environment: CommandEnvironment, { json }: JsonOption): Promise<void> {
  const { stdout } = environment;
  const checks = await runChecks(environment);
  const verdicts = checks.map(({ verdict }) => verdict);
  if (json === true) {
    const verdict = (['error', 'warning'] as const).find((one) => verdicts.includes(one)) ?? 'ok';
    printJson(stdout, { verdict, checks });
  } else {
    for (const { verdict, check, message, fix } of checks) {
      const text = fix === null ? message : `${message}\nFix: ${fix}`;
      // Further lines stand below the first.
      line(stdout, `${verdict.padEnd(9)}${check.padEnd(10)}${text.replaceAll('\n', `\n${' '.repeat(19)}`)}`);
    }
  }
  const errors = verdicts.filter((verdict) => verdict === 'error').length;
  if (errors > 0) {
    throw new OperatorError(`${amount(errors, 'check')} failed.`);
  }
}
