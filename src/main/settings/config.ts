import { distance } from 'fastest-levenshtein';
import type { DatabaseLocation } from '../../db/open.ts';
import { throwIfAny } from '../../lib/errors.ts';
import { hostOf, isLoopback } from '../../lib/http/addresses.ts';
import { allSettings, type Setting, type SettingName, type SettingValues, settings } from './settings.ts';

/** The configuration of a gateway. {@link settings} says what each value means. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

export interface SettingError {
  readonly name: SettingName;
  /** `NAME: got VALUE, allowed: …`, without the value of a secret. */
  readonly message: string;
}

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads the configuration of the environment.
 *
 * @throws OperatorError with a line for every error in it.
 */
export function readConfig(env: Environment): Config {
  const { config, errors } = checkConfig(env);
  throwIfAny(errors.map(({ message }) => message));
  return config;
}

/** The configuration of the environment, and all errors in it, in the order of the table. A setting with an error has its default. */
export function checkConfig(env: Environment): { config: Config; errors: readonly SettingError[] } {
  const errors: SettingError[] = [];
  const values = Object.fromEntries(
    allSettings.map(([name, setting]) => [name, readSetting(name, setting, env[name], errors)]),
  ) as SettingValues;
  if (!env.PUBLIC_URL && !isLoopback(values.HOST)) {
    const message = `missing; required where HOST is not loopback, such as ${settings.PUBLIC_URL.example}`;
    errors.push({ name: 'PUBLIC_URL', message: `PUBLIC_URL: ${message}` });
  }
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = values;
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    const name = clientId === undefined ? 'GITHUB_CLIENT_ID' : 'GITHUB_CLIENT_SECRET';
    errors.push({
      name,
      message: `${name}: missing; signing in with GitHub needs both GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET`,
    });
  }
  const order = allSettings.map(([name]) => name);
  errors.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  return { config: toConfig(values, !env.DATABASE_URL), errors };
}

/** Shorter names, such as PORT and HOST, are close to many that mean something else. */
const MIN_COMPARED = 6;

/**
 * Finds variables that are probably misspelt settings: at most two letters differ from the name of a setting that is not
 * set, and the first is the same, so that HTTP_URL is not taken for SMTP_URL.
 *
 * @returns a sentence for each.
 */
export function findMisspelt(env: Environment): string[] {
  const unset = allSettings.map(([name]) => name).filter((name) => !env[name] && name.length >= MIN_COMPARED);
  const unknown = Object.keys(env).filter((name) => env[name] && !Object.hasOwn(settings, name));
  return unknown.flatMap((name) => {
    const [nearest] = unset
      .map((setting) => ({ setting, edits: distance(name.toUpperCase(), setting) }))
      .filter(({ setting, edits }) => edits <= 2 && name[0]?.toUpperCase() === setting[0])
      .sort((one, other) => one.edits - other.edits);
    return nearest === undefined ? [] : [`${name} is not a setting: did you mean ${nearest.setting}?`];
  });
}

/** The values of settings as the rest of the program names them. Absent ones have their defaults. */
function toConfig(values: SettingValues, isEmbedded: boolean) {
  const { PUBLIC_URL: publicUrl, DATABASE_URL: databaseUrl } = values;
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = values;
  const name = values.SERVICE_NAME;
  const mailName = /^[\w ]+$/.test(name) ? name : `"${name}"`;
  const mailHost = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
  // An invalid address must not lead to another database.
  const database: DatabaseLocation = isEmbedded
    ? { kind: 'embedded', directory: values.DATA_DIR }
    : { kind: 'server', url: databaseUrl ?? '' };
  return {
    host: values.HOST,
    port: values.PORT,
    database,
    limits: { standard: values.RATE_LIMIT_STANDARD, premium: values.RATE_LIMIT_PREMIUM },
    embedLimit: values.RATE_LIMIT_EMBED,
    redisUrl: values.REDIS_URL,
    publicUrl,
    trustedProxies: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    metricsToken: values.METRICS_TOKEN,
    authSecret: values.AUTH_SECRET,
    operators: values.OPERATORS ?? [],
    requiresFactor: values.OPERATORS_2FA === 'required',
    isInvitedOnly: values.SIGN_UP === 'invited',
    service: {
      name,
      logoFile: values.SERVICE_LOGO,
      contact: values.SERVICE_CONTACT,
      accent: values.SERVICE_ACCENT,
      hidesRows: values.FIRST_PAGE_ROWS === 'off',
    },
    policyFile: values.POLICY_FILE,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `${mailName} <no-reply@${mailHost}>`,
    github: clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret },
    badges: values.BADGES === 'on' ? { except: values.BADGES_EXCEPT ?? [] } : undefined,
    snapshotInterval: values.SNAPSHOT_INTERVAL,
    maxStaleness: values.MAX_STALENESS,
    historyDays: values.HISTORY_DAYS,
    drainDelay: values.DRAIN_DELAY ?? (isLoopback(values.HOST) ? 0 : 5),
  };
}

/** Whether clients are on this machine only: a server on loopback may still be behind a proxy. */
export function isPrivate({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return isLoopback(host) && (publicUrl === undefined || isLoopback(hostOf(publicUrl)));
}

function readSetting(
  name: SettingName,
  { kind, fallback }: Setting<unknown>,
  text: string | undefined,
  errors: SettingError[],
): unknown {
  if (!text) {
    return fallback;
  }
  const value = kind.parse(text);
  if (value === undefined) {
    const got = kind.isSecret ? '' : `got ${JSON.stringify(text)}, `;
    errors.push({ name, message: `${name}: ${got}allowed: ${kind.allowed}` });
  }
  return value ?? fallback;
}
