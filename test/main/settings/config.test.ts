import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/lib/errors.ts';
import { isLoopback } from '../../../src/lib/http/addresses.ts';
import { findMisspelt, isPrivate, readConfig } from '../../../src/main/settings/config.ts';
import {
  allSettings,
  type Setting,
  type SettingName,
  settings,
} from '../../../src/main/settings/settings.ts';

function errorsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    return error instanceof OperatorError ? error.lines : [String(error)];
  }
  return [];
}

/** Texts of a setting that are read, with what they mean and the settings that they need, and texts that are not. */
interface Sample {
  readonly read: readonly (readonly [text: string, config: object, others?: Record<string, string>])[];
  readonly rejected: readonly string[];
}

const PUBLIC_URL = 'https://api.example.com';
const samples: Readonly<Record<SettingName, Sample>> = {
  PORT: {
    read: [
      ['0', { port: 0 }],
      ['65535', { port: 65_535 }],
    ],
    rejected: ['65536', '-1', '4e3', ' 80', '1.5', 'true'],
  },
  HOST: { read: [['0.0.0.0', { host: '0.0.0.0' }, { PUBLIC_URL }]], rejected: [] },
  PUBLIC_URL: {
    read: [['https://API.example.com:443/', { publicUrl: 'https://api.example.com' }]],
    rejected: ['example.com', 'ftp://example.com', 'https://example.com/api'],
  },
  TRUST_PROXY: {
    read: [
      ['0', { trustedProxies: 0 }],
      ['10', { trustedProxies: 10 }],
    ],
    rejected: ['-1', '11'],
  },
  DATABASE_URL: {
    read: [
      ['postgres://h/d', { database: { kind: 'server', url: 'postgres://h/d' } }],
      ['postgresql://u:p@h:5432/d', { database: { kind: 'server', url: 'postgresql://u:p@h:5432/d' } }],
    ],
    rejected: ['mysql://h/d', 'h/d'],
  },
  DATA_DIR: { read: [['/data', { database: { kind: 'embedded', directory: '/data' } }]], rejected: [] },
  SNAPSHOT_INTERVAL: {
    read: [
      ['0', { snapshotInterval: 0 }],
      ['86400', { snapshotInterval: 86_400 }],
    ],
    rejected: ['86401'],
  },
  REDIS_URL: {
    read: [['rediss://u:p@h:1/2', { redisUrl: 'rediss://u:p@h:1/2' }]],
    rejected: ['http://h', 'redis://h/name'],
  },
  NODE_EXTRA_CA_CERTS: { read: [['ca.pem', {}]], rejected: [] },
  RATE_LIMIT_STANDARD: {
    read: [
      ['1', { limits: { standard: 1 } }],
      ['1000000000', { limits: { standard: 1_000_000_000 } }],
    ],
    rejected: ['0', '1000000001'],
  },
  RATE_LIMIT_PREMIUM: {
    read: [
      ['1', { limits: { premium: 1 } }],
      ['1000000000', { limits: { premium: 1_000_000_000 } }],
    ],
    rejected: ['0', '1000000001'],
  },
  RATE_LIMIT_EMBED: {
    read: [
      ['1', { embedLimit: 1 }],
      ['1000000000', { embedLimit: 1_000_000_000 }],
    ],
    rejected: ['0', '1000000001'],
  },
  MAX_STALENESS: {
    read: [
      ['5', { maxStaleness: 5 }],
      ['86400', { maxStaleness: 86_400 }],
    ],
    rejected: ['4', '86401'],
  },
  HISTORY_DAYS: {
    read: [
      ['1', { historyDays: 1 }],
      ['3650', { historyDays: 3_650 }],
    ],
    rejected: ['0', '3651'],
  },
  BADGES: {
    read: [
      ['on', { badges: { except: [] } }],
      ['off', { badges: undefined }],
    ],
    rejected: ['yes'],
  },
  BADGES_EXCEPT: {
    read: [
      ['acme', { badges: { except: ['acme'] } }, { BADGES: 'on' }],
      ['acme, big-co ,x1', { badges: { except: ['acme', 'big-co', 'x1'] } }, { BADGES: 'on' }],
      ['acme', { badges: undefined }],
    ],
    // A name that is no slug would leave its startup a badge.
    rejected: ['Acme', 'acme,', 'acme,,other', 'acme other', 'acme;other', 'a--b', '-a', 'a_b'],
  },
  DRAIN_DELAY: {
    read: [
      ['0', { drainDelay: 0 }, { HOST: '0.0.0.0', PUBLIC_URL }],
      ['300', { drainDelay: 300 }],
    ],
    rejected: ['301', '-1'],
  },
  AUTH_SECRET: {
    read: [['x'.repeat(32), { authSecret: 'x'.repeat(32) }]],
    rejected: ['x'.repeat(31), 'x'.repeat(257), `${'x'.repeat(32)} y`],
  },
  OPERATORS: {
    read: [
      ['ada@example.com', { operators: ['ada@example.com'] }],
      [' Ada@Example.com , bob@b.example', { operators: ['ada@example.com', 'bob@b.example'] }],
    ],
    rejected: [
      'ada',
      'ada@example.com,',
      'ada@example.com bob@b.example',
      'ada@example.com;bob@b.example',
      ',',
    ],
  },
  OPERATORS_2FA: {
    read: [
      ['optional', { requiresFactor: false }],
      ['required', { requiresFactor: true }],
    ],
    rejected: ['on'],
  },
  SIGN_UP: {
    read: [
      ['open', { isInvitedOnly: false }],
      ['invited', { isInvitedOnly: true }],
    ],
    rejected: ['closed'],
  },
  SMTP_URL: {
    read: [
      ['smtp://user:p%40ss@mail.example.com:465', { smtpUrl: 'smtp://user:p%40ss@mail.example.com:465' }],
      ['smtps://h', { smtpUrl: 'smtps://h' }],
    ],
    rejected: ['http://h', 'smtp://'],
  },
  MAIL_FROM: {
    read: [['Keys <keys@example.com>', { mailFrom: 'Keys <keys@example.com>' }]],
    rejected: ['Keys', 'a@b\nBcc: c@d'],
  },
  GITHUB_CLIENT_ID: {
    read: [['id', { github: { clientId: 'id', clientSecret: 's' } }, { GITHUB_CLIENT_SECRET: 's' }]],
    rejected: [],
  },
  GITHUB_CLIENT_SECRET: {
    read: [['s', { github: { clientId: 'id', clientSecret: 's' } }, { GITHUB_CLIENT_ID: 'id' }]],
    rejected: [],
  },
  SERVICE_NAME: {
    read: [['Söhne, Ltd.', { service: { name: 'Söhne, Ltd.' } }]],
    rejected: ['<b>', ' x', 'x'.repeat(51)],
  },
  SERVICE_LOGO: { read: [['logo.svg', { service: { logoFile: 'logo.svg' } }]], rejected: [] },
  SERVICE_CONTACT: {
    read: [
      ['help@example.com', { service: { contact: 'help@example.com' } }],
      ['https://example.com/help', { service: { contact: 'https://example.com/help' } }],
    ],
    rejected: ['javascript:alert(1)', 'help'],
  },
  SERVICE_ACCENT: { read: [['#0b7a55', { service: { accent: expect.anything() } }]], rejected: ['green'] },
  FIRST_PAGE_ROWS: {
    read: [
      ['on', { service: { hidesRows: false } }],
      ['off', { service: { hidesRows: true } }],
    ],
    rejected: ['no'],
  },
  POLICY_FILE: { read: [['policy.md', { policyFile: 'policy.md' }]], rejected: [] },
  METRICS_TOKEN: {
    read: [['x'.repeat(16), { metricsToken: 'x'.repeat(16) }]],
    rejected: ['x'.repeat(15), 'x'.repeat(257)],
  },
  LOG_LEVEL: { read: [['silent', { logLevel: 'silent' }]], rejected: ['INFO'] },
  LOG_FORMAT: { read: [['json', { logFormat: 'json' }]], rejected: ['xml'] },
  NO_COLOR: { read: [['1', {}]], rejected: [] },
};

describe('the configuration', () => {
  it('of no variables, or empty ones, serves the embedded database on loopback', () => {
    const empty = Object.fromEntries(allSettings.map(([name]) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      database: { kind: 'embedded', directory: '.data' },
      limits: { standard: 10, premium: 60 },
      embedLimit: 600,
      publicUrl: undefined,
      trustedProxies: 0,
      logLevel: 'info',
      drainDelay: 0,
      maxStaleness: 600,
      authSecret: undefined,
      smtpUrl: undefined,
      github: undefined,
      mailFrom: 'revgate <no-reply@localhost>',
    });
  });

  it.each(Object.entries(samples) as [SettingName, Sample][])('reads %s', (name, { read, rejected }) => {
    const setting: Setting<unknown> = settings[name];
    for (const [text, expected, others] of read) {
      expect(readConfig({ ...others, [name]: text }), text).toMatchObject(expected);
    }
    for (const text of rejected) {
      const shown = setting.kind.isSecret ? '' : `got ${JSON.stringify(text)}, `;
      expect(errorsOf({ [name]: text })).toContain(`${name}: ${shown}allowed: ${setting.kind.allowed}`);
    }
  });

  it('has a sender at the host of PUBLIC_URL where none is set', () => {
    const { publicUrl, mailFrom } = readConfig({ PUBLIC_URL: 'https://API.example.com:443/' });
    expect([publicUrl, mailFrom]).toEqual(['https://api.example.com', 'revgate <no-reply@api.example.com>']);
  });

  it.each([
    [{ PORT: '65536' }, /^PORT: got "65536", allowed: an integer from 0 to 65535$/],
    ...['-1', '4e3', ' 80', '1.5', 'true'].map((PORT): [Record<string, string>, RegExp] => [
      { PORT },
      new RegExp(`^PORT: got "${PORT}"`),
    ]),
    [{ RATE_LIMIT_STANDARD: '0' }, /^RATE_LIMIT_STANDARD: got "0", allowed: an integer from 1/],
    [{ RATE_LIMIT_PREMIUM: '0' }, /^RATE_LIMIT_PREMIUM: got "0"/],
    [{ RATE_LIMIT_EMBED: '0' }, /^RATE_LIMIT_EMBED: got "0", allowed: an integer from 1 to 1000000000$/],
    [{ TRUST_PROXY: '-1' }, /^TRUST_PROXY: got "-1", allowed: an integer/],
    [{ LOG_LEVEL: 'INFO' }, /^LOG_LEVEL: got "INFO", allowed: one of trace, debug, info, /],
    [{ METRICS_TOKEN: 'too short' }, /^METRICS_TOKEN: allowed: 16 to 256 letters, digits and signs/],
    [{ PUBLIC_URL: 'example.com' }, /^PUBLIC_URL: got "example.com", allowed: an http or https address/],
    [{ PUBLIC_URL: 'https://example.com/api' }, /^PUBLIC_URL: .+ without user, path,/],
    ...['user@', 'u:p@', '?a', '#b', '/?', '/#'].map((part): [Record<string, string>, RegExp] => [
      { PUBLIC_URL: part.endsWith('@') ? `https://${part}example.com` : `https://example.com${part}` },
      /^PUBLIC_URL: got .+, allowed: an http or https address without user, path, query and fragment$/,
    ]),
    [{ HOST: '0.0.0.0' }, /^PUBLIC_URL: missing; required where HOST is not loopback/],
    [{ HOST: '::' }, /^PUBLIC_URL: missing/],
    [{ DRAIN_DELAY: '-1' }, /^DRAIN_DELAY: got/],
    [{ MAX_STALENESS: '0' }, /^MAX_STALENESS: got/],
    [{ LOG_FORMAT: 'xml' }, /^LOG_FORMAT: got "xml", allowed: one of pretty, json/],
    [{ SERVICE_NAME: '<b>' }, /^SERVICE_NAME: got "<b>", allowed: 1 to 50 characters/],
    [{ SERVICE_CONTACT: 'javascript:alert(1)' }, /^SERVICE_CONTACT: got "javascript:.+allowed: an email/],
    [{ SERVICE_ACCENT: '#ffd400' }, /^SERVICE_ACCENT: got "#ffd400", allowed: .+at least 4\.5:1$/],
  ])('refuses %j', (env, line) => {
    expect(errorsOf(env as unknown as Record<string, string>)).toEqual([expect.stringMatching(line)]);
  });
});

it('loopback is an address of this machine alone', () => {
  const hosts = ['127.0.0.1', '127.1.2.3', 'localhost', '::1'];
  const others = ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.com', '127.example', 'localhost.example'];
  expect([...hosts, ...others].filter(isLoopback)).toEqual(hosts);
});

it('sends emails from the name of the service', () => {
  const sender = (SERVICE_NAME: string) => readConfig({ SERVICE_NAME }).mailFrom;
  expect(sender('Acme Data')).toBe('Acme Data <no-reply@localhost>');
  // Otherwise, the comma would begin another address.
  expect(sender('Söhne, Ltd.')).toBe('"Söhne, Ltd." <no-reply@localhost>');
});

it('reports errors in secrets without their values', () => {
  const errors = errorsOf({
    // A sign in the password makes the address unreadable.
    DATABASE_URL: 'postgres://someone:hunter2/word@127.0.0.1/none',
    AUTH_SECRET: 'too short a secret',
    SMTP_URL: 'http://user:hunter2@mail',
    MAIL_FROM: 'a@b\nBcc: c@d',
    GITHUB_CLIENT_ID: 'id',
  });
  expect(errors.map((error) => error.split(/(?<=allowed|got|missing)/)[0])).toEqual([
    'DATABASE_URL: allowed',
    'AUTH_SECRET: allowed',
    'SMTP_URL: allowed',
    'MAIL_FROM: got',
    'GITHUB_CLIENT_SECRET: missing',
  ]);
  expect(errors[0]).toMatch(/percent-encoded \(@ as %40\)/);
  expect(errors.join()).not.toMatch(/too short a secret|hunter2/);
});

it.each([
  [{}, true],
  [{ PUBLIC_URL: 'http://localhost:8080' }, true],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, true],
  [{ PUBLIC_URL: 'https://api.example.com' }, false],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1' }, false],
])('with %j, only clients on this machine reach the server: %s', (env, expected) => {
  expect(isPrivate(readConfig(env))).toBe(expected);
});

it('drains longer where load balancers may be in front', () => {
  expect(readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://a.example' })).toMatchObject({ drainDelay: 5 });
});

describe('a variable whose name is close to that of a setting', () => {
  it('is taken for that, unless it is empty or the setting is there too', () => {
    const names = {
      DATABSE_URL: 'DATABASE_URL',
      DATABASE_URI: 'DATABASE_URL',
      REDIS_URLS: 'REDIS_URL',
      Smtp_Url: 'SMTP_URL',
      LOGLEVEL: 'LOG_LEVEL',
      RATE_LIMIT_PREMUM: 'RATE_LIMIT_PREMIUM',
    };
    for (const [name, setting] of Object.entries(names)) {
      expect(findMisspelt({ [name]: 'x' })).toEqual([`${name} is not a setting: did you mean ${setting}?`]);
      expect(findMisspelt({ [name]: '' })).toEqual([]);
      expect(findMisspelt({ [name]: 'x', [setting]: 'y' })).toEqual([]);
    }
  });

  it('is none of those that systems and other programs set', () => {
    const names =
      'HOME HOSTNAME HOSTTYPE LOGNAME SHELL TERM USER PATH PWD OLDPWD LANG LC_ALL TZ TMPDIR MAIL EDITOR PAGER ' +
      'COLORTERM FORCE_COLOR NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_PATH NO_PROXY HTTP_PROXY HTTPS_PROXY ' +
      'HTTP_URL PORTS REDIS_PORT REDIS_HOST POSTGRES_PASSWORD PGHOST PGDATABASE TEST_DATABASE_URL TEST_REDIS_URL ' +
      'SERVICE_HOST KUBERNETES_SERVICE_HOST KUBERNETES_PORT GITHUB_TOKEN GITHUB_ACTIONS GITHUB_REPOSITORY CI ' +
      'INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY NOTIFY_SOCKET npm_config_cache npm_lifecycle_event';
    const env = Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
    expect(findMisspelt({ ...process.env, ...env })).toEqual([]);
  });
});
