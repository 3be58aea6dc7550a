import { randomBytes, scryptSync } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { promoteAccount } from '../../../src/access/accounts/change.ts';
import type { PasswordHashing } from '../../../src/access/accounts/sign-in/passwords.ts';
import { type Policy, publishPolicy } from '../../../src/access/keys/policy.ts';
import type { Mail, Mailer } from '../../../src/lib/mail/open-mailer.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { importAndRecord } from '../../../src/startups/import/import-log.ts';
import type { DashboardSettings } from '../../../src/web/dashboard/open.ts';
import { input, ndjson } from '../../startups/import/inputs.ts';
import { createTestClock } from '../../support/clock.ts';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { textIn } from '../../support/html.ts';
import type { ImportRecord } from '../../support/records.ts';

export const ORIGIN = 'https://gate.example';
export const PASSWORD = 'correct horse battery';
export const policy: Policy = {
  version: '2026-11-20',
  text: '# Acceptable use\n\nVersion: 2026-11-20\n\n## Rules\n\n1. **Be** fair.\n2. Be kind.',
};

/** With scrypt at its lowest cost. At that of servers, which passwords.test.ts uses, most time would be spent on it. */
export const quickHashing: PasswordHashing = {
  async hash(password) {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${scryptSync(password, salt, 32, { N: 2 }).toString('hex')}`;
  },
  async verify({ hash, password }) {
    const [salt = '', digest] = hash.split(':');
    return scryptSync(password, salt, 32, { N: 2 }).toString('hex') === digest;
  },
};

export type Site = Awaited<ReturnType<typeof openSite>>;
export type Browser = ReturnType<Site['browser']>;

/** A gateway with its dashboard, called in process, whose mails are kept, and whose clock only a test moves. */
export async function openSite({
  mail = 'smtp',
  origin: configured = ORIGIN,
  isServed = false,
  startsAt,
  usesTimers = false,
  policy: inForce = policy,
  secret = 'a secret of thirty-two characters',
  settings = {},
  ...others
}: {
  mail?: Mailer['kind'];
  origin?: string;
  /** Whether it listens on a port of this machine, which is then its origin. */
  isServed?: boolean;
  /** ms since 1970. */
  startsAt?: number;
  /** Whether the gateway has the system's clock and timers. */
  usesTimers?: boolean;
  /** Empty: there is no dashboard. */
  secret?: string;
  settings?: Partial<DashboardSettings>;
} & Pick<
  NonNullable<Parameters<typeof openTestGateway>[0]>,
  'policy' | 'database' | 'records' | 'limits' | 'app'
> = {}) {
  let origin = configured;
  const clock = usesTimers ? undefined : createTestClock(startsAt);
  let shift = 0;
  const now = () => (clock?.now() ?? Date.now()) + shift;
  const mails: Mail[] = [];
  const mailer: Mailer = {
    kind: mail,
    send: async (sent) => {
      mails.push(sent);
    },
    check: async () => {},
    close: () => {},
  };
  const gateway = await openTestGateway({
    now,
    ...(clock && { clock }),
    policy: inForce,
    ...others,
    dashboard: {
      origin: () => origin,
      secret: secret || undefined,
      github: undefined,
      mailer,
      hashing: quickHashing,
      ...settings,
    },
  });
  if (isServed) {
    origin = await gateway.listen();
  }
  await publishPolicy(gateway.acting, inForce);
  let visitors = 0;

  /** Keeps cookies, follows redirects, and comes from an address of its own, or from a given one. */
  const browser = (given?: string) => {
    visitors++;
    const address = given ?? `198.51.${100 + (visitors >> 8)}.${visitors & 255}`;
    const jar = new Map<string, string>();
    const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = async (
      method: string,
      target: string,
      /** The fields of a form, or a body as it is. */
      body?: Record<string, string> | string,
      headers: Record<string, string> = {},
      whileItArrives?: () => Promise<unknown>,
    ): Promise<Answer> => {
      const cookie = cookies();
      const answer = await gateway.call(target, {
        method,
        address,
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined
            ? {}
            : {
                origin,
                'sec-fetch-site': 'same-origin',
                'content-type': 'application/x-www-form-urlencoded',
              }),
          ...headers,
        },
        body: async () => {
          await whileItArrives?.();
          return typeof body === 'string' ? body : new URLSearchParams(body).toString();
        },
      });
      for (const line of answer.cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0/i.test(line)) {
          jar.delete(name);
        } else {
          jar.set(name, value);
        }
      }
      return answer;
    };
    const follow = async (answer: Answer): Promise<Answer> =>
      answer.status === 303 ? follow(await send('GET', answer.headers.location ?? '')) : answer;
    const post = (target: string, body: Record<string, string> = {}, headers?: Record<string, string>) =>
      send('POST', target, body, headers);
    return {
      address,
      jar,
      /** As it sends them. */
      cookies,
      send,
      /** GET, without following. */
      get: (target: string, headers?: Record<string, string>) => send('GET', target, undefined, headers),
      /** POST, without following. */
      post,
      signUp: (email: string) => post('/dashboard/sign-up', { email }),
      signIn: (email: string, password = PASSWORD) => post('/dashboard/sign-in', { email, password }),
      forget: (email: string) => post('/dashboard/forgotten-password', { email }),
      /** Creates a key by its form: its id, and what the page shows once. */
      async createKey(fields: Record<string, string>): Promise<{ id: string; key: string }> {
        const made = await post('/dashboard/keys', fields);
        expectPage(made, 200, 'data-address="/dashboard/keys/');
        return { id: textOf(made, /data-address="\/dashboard\/keys\/(\w+)"/) ?? '', key: keyOn(made) };
      },
      /** Takes over the cookies of another one whose names match. */
      takeCookies(other: ReadonlyMap<string, string>, names = /^/): void {
        for (const [name, value] of other) {
          if (names.test(name)) {
            jar.set(name, value);
          }
        }
      },
      visit: async (target: string) => follow(await send('GET', target)),
      submit: async (target: string, body: Record<string, string> = {}) =>
        follow(await send('POST', target, body)),
    };
  };

  /** The path of the link in the last mail to an address. */
  const linkTo = (email: string): string => {
    const url = mails.findLast(({ to }) => to === email)?.link?.url ?? '';
    return url.slice(origin.length);
  };
  const tokenTo = (email: string): string => new URL(linkTo(email), origin).searchParams.get('token') ?? '';

  const accountOf = (email: string) =>
    gateway.database.prisma.account.findUniqueOrThrow({ where: { email } });
  const member = async (email: string, { accepts = true } = {}) => {
    const one = browser();
    await one.signUp(email);
    const accept = accepts ? { accept: inForce.version } : {};
    await one.submit('/dashboard/reset-password', {
      token: tokenTo(email),
      password: PASSWORD,
      next: '/dashboard/keys',
      ...accept,
    });
    return { ...one, accountId: (await accountOf(email)).id };
  };

  return {
    ...gateway,
    origin,
    mails,
    /** Begins new windows of all limits. */
    nextMinute(): void {
      shift += 60_000;
    },
    /** The time, in ms since 1970. */
    now,
    /** Undefined where the gateway has the system's. */
    clock,
    /** Lets so much time pass. */
    wait(ms: number): void {
      shift += ms;
    },
    /** Lets the time pass within which the gateway notices a change. */
    notice: () => clock?.advance(1_000),
    browser,
    linkTo,
    tokenTo,
    /** Somebody who has signed up, confirmed the address and is signed in. */
    member,
    /** The same, who is an operator. */
    operator: async (email: string) => {
      const one = await member(email);
      await promoteAccount(gateway.acting, one.accountId);
      return one;
    },
    accountOf,
    /** Imports records as the command does: the id of the import. */
    async importRecords(records: readonly ImportRecord[], options: { replace?: { yes: boolean } } = {}) {
      const { database } = gateway;
      const client = await database.connect();
      const inputs = [input('a.ndjson', ndjson(...records))];
      const who = { user: 'root', via: 'command', now: Date.now } as const;
      const { id } = await importAndRecord({
        client,
        kind: database.kind,
        fields: standardFields,
        inputs,
        ...who,
        ...options,
      });
      await client.end();
      return id as number;
    },
    /**
     * Runs something before the next transaction begins, that of a thread included: after the sender of a form was found to
     * have the right to it.
     */
    beforeTransaction(run: () => Promise<unknown>): void {
      const { database } = gateway;
      const { prisma } = database;
      const begin = prisma.$transaction as (...args: unknown[]) => unknown;
      const connect = database.threadConnection;
      const restore = () => {
        Object.assign(prisma, { $transaction: begin });
        Object.assign(database, { threadConnection: connect });
      };
      onTestFinished(() => void restore());
      Object.assign(database, {
        threadConnection(kind?: 'own' | 'import') {
          if (kind === 'import') {
            restore();
            // The thread takes longer to start than this to be committed. Prisma begins only what is awaited.
            void Promise.resolve(run());
          }
          return connect(kind);
        },
      });
      Object.assign(prisma, {
        async $transaction(...args: unknown[]) {
          restore();
          await run();
          return begin.apply(prisma, args);
        },
      });
    },
    /** Every table in which some text is found. */
    tablesWith: async (pattern: string): Promise<string[]> => {
      const { rows } = await gateway.database.pool.query<{ tablename: string }>(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> '_prisma_migrations'",
      );
      const found = rows.map(async ({ tablename }) => {
        const sql = `SELECT FROM "${tablename}" AS t WHERE t::text ~* $1`;
        return (await gateway.database.pool.query(sql, [pattern])).rowCount === 0 ? [] : [tablename];
      });
      return (await Promise.all(found)).flat();
    },
  };
}

/** Checks the status of a page, and that its text or its HTML has each of these texts. */
export function expectPage({ status, text }: Answer, expected: number, ...texts: string[]): void {
  expect(status).toBe(expected);
  for (const one of texts) {
    expect(`${textIn(text)}\n${text}`).toContain(one);
  }
}

/** The text between two marks of a page. */
export function textOf(answer: Answer, pattern: RegExp): string | undefined {
  return pattern.exec(answer.text)?.[1];
}

/** The key that a page shows. */
export function keyOn(answer: Answer): string {
  return textOf(answer, /<code id="key">(rvg_\w+)<\/code>/) ?? '';
}
