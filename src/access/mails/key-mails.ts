import type pg from 'pg';
import { repeat, type Schedule } from '../../lib/loop/schedule.ts';
import { createMailSender, type DueMail, RECIPIENT, type SenderOptions } from './sender.ts';

interface KeyMailOptions extends SenderOptions {
  /** The public origin of the gateway. */
  readonly origin: () => string;
  readonly service: { readonly name: string };
  /** By the timers of this process by default. */
  readonly schedule?: Schedule | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How often each node stores busy minutes, and how often one of them looks for what is to be told. */
const [STORE_MS, RUN_MS] = [MINUTE_MS, 5 * MINUTE_MS];
/** Busy minutes of an hour that are worth an email. */
const BUSY_MINUTES = 10;

type Row = Readonly<Record<'accountId' | 'email' | 'id' | 'name' | 'occasion', string>> & {
  readonly reason: string | null;
};

/** Of each family of rotated keys, which share a limit, the newest, with the address of its holder. */
const select = (occasion: string, condition: string): string =>
  `SELECT DISTINCT ON (coalesce(k.family_id, k.id)) a.id AS "accountId", a.email, k.id, k.name,
     k.disabled_reason AS reason, ${occasion} AS occasion
   FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id
   WHERE a.key_mails AND ${RECIPIENT} AND k.revoked_at IS NULL AND ${condition}
   ORDER BY coalesce(k.family_id, k.id), k.created_at DESC`;
const WORKS = 'k.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)';
const since = (ms: number): string => `$1::timestamptz - interval '${ms} milliseconds'`;
const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** What is told of keys: when, and how. An occasion is the time of what happened. */
const kinds = {
  // Refused requests are counted by the hour. Once a day, whatever else happens.
  'key-limit': {
    rows: select(
      `to_char($1::timestamptz AT TIME ZONE 'UTC', ${TIME})`,
      `${WORKS} AND (
         EXISTS (SELECT FROM key_usage AS u WHERE u.key_id = k.id AND u.status = 429 AND u.hour > ${since(70 * MINUTE_MS)})
         OR (SELECT count(*) FROM key_busy_minutes AS b WHERE b.key_id = k.id AND b.minute > ${since(60 * MINUTE_MS)}) >= ${BUSY_MINUTES}
       ) AND NOT EXISTS (
         SELECT FROM sent_mails AS s
         WHERE s.kind = 'key-limit' AND s.account_id = a.id AND s.recorded_at > ${since(DAY_MS)}
           AND s.subject IN (SELECT o.id FROM api_keys AS o
             WHERE coalesce(o.family_id, o.id) = coalesce(k.family_id, k.id))
       )`,
    ),
    subject: (name: string) => `Your key “${name}” reaches its limit`,
    text: () => [
      'In the last hour, requests with it were refused with 429, or used more than 80% of its limit in ten minutes or more.',
      'The page of the key shows when. Wait as long as Retry-After says, keep responses, or ask us for a higher limit.',
    ],
  },
  // Not of one that was replaced, nor of one that was meant for a few days.
  'key-expiry': {
    rows: select(
      `to_char(k.expires_at AT TIME ZONE 'UTC', ${TIME})`,
      `${WORKS} AND k.expires_at <= $1::timestamptz + interval '7 days' AND k.created_at < k.expires_at - interval '7 days'
       AND NOT EXISTS (SELECT FROM api_keys AS next WHERE next.rotated_from = k.id)`,
    ),
    subject: (name: string) => `Your key “${name}” expires soon`,
    text: ({ occasion }: Row) => [
      `It stops working at ${occasion.slice(0, 16).replace('T', ' ')} UTC. Rotate it on its page: both keys work meanwhile.`,
    ],
  },
  'key-disabled': {
    rows: select(`to_char(k.disabled_at AT TIME ZONE 'UTC', ${TIME})`, `k.disabled_at > ${since(DAY_MS)}`),
    subject: (name: string) => `Your key “${name}” was disabled`,
    text: ({ reason }: Row) => [
      `Requests with it get 403${reason === null ? '' : `. The reason: ${reason}`}.`,
      'It can be enabled again: answer the operator of the service.',
    ],
  },
} as const;

/** The most minutes of keys that wait to be stored. */
const MOST_WAITING = 10_000;

/** Collects the minutes in which keys used most of their limits, until they are stored. */
function createBusyMinutes(pool: Pick<pg.Pool, 'query'>, now: () => number) {
  let waiting = new Map<string, readonly [keyId: string, minute: number]>();
  return {
    add(keyId: string): void {
      const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
      if (waiting.size < MOST_WAITING) {
        waiting.set(`${keyId} ${minute}`, [keyId, minute]);
      }
    },
    /** Stores them, and removes those of more than an hour ago. If it rejects, they are kept. */
    async store(): Promise<void> {
      const taken = waiting;
      waiting = new Map();
      try {
        const minutes = [...taken.values()];
        await pool.query(
          `INSERT INTO key_busy_minutes SELECT * FROM unnest($1::text[], $2::timestamptz[]) ORDER BY 1, 2
           ON CONFLICT DO NOTHING`,
          [minutes.map(([keyId]) => keyId), minutes.map(([, minute]) => new Date(minute))],
        );
      } catch (error) {
        waiting = new Map([...taken, ...waiting]);
        throw error;
      }
      await pool.query('DELETE FROM key_busy_minutes WHERE minute < $1', [new Date(now() - 60 * MINUTE_MS)]);
    },
  };
}

/**
 * Tells the holders of keys by email what they would notice too late: limits that are used up, keys that expire or were
 * disabled. To remove it, remove this folder and its call in app.ts.
 */
export function openKeyMails({ origin, service, schedule, ...options }: KeyMailOptions) {
  const { pool, now, onError } = options;
  const sender = createMailSender(options);
  const busy = createBusyMinutes(pool, now);

  const mailOf = (kind: (typeof kinds)[keyof typeof kinds], row: Row): DueMail => ({
    accountId: row.accountId,
    subject: row.id,
    occasion: row.occasion,
    mail: {
      to: row.email,
      subject: `${kind.subject(row.name.replace(/\p{Cc}/gu, ' '))} (${service.name})`,
      paragraphs: [
        ...kind.text(row),
        `You can turn off these emails on the page of your account: ${origin()}/dashboard/account`,
      ],
      link: { label: 'See the key', url: `${origin()}/dashboard/keys/${row.id}` },
    },
  });

  async function run(): Promise<void> {
    for (const [name, kind] of Object.entries(kinds)) {
      await sender.tidy(name);
      const { rows } = await pool.query<Row>(kind.rows, [new Date(now())]);
      for (const row of rows) {
        await sender.send(name, mailOf(kind, row));
      }
    }
  }

  const repeated = repeat(
    async () => {
      try {
        await busy.store();
        if (await sender.begin('keys', RUN_MS)) {
          await run();
        }
      } catch (error) {
        onError(error);
      }
      return STORE_MS;
    },
    STORE_MS,
    schedule,
  );
  return {
    /** Adds a minute in which a key used most of its limit. */
    addBusyMinute: busy.add,
    close: () => repeated.stop(),
  };
}
