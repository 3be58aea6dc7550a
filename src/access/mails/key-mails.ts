import { createBatch } from '../usage/recorder.ts';
import { createMailSender, type DueMail, type MailOptions, RECIPIENT } from './sender.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
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
type KeyMailKind = keyof typeof kinds;

/** A minute in which a key used most of its limit. */
interface BusyMinute {
  readonly keyId: string;
  readonly minute: number;
  readonly requests: number;
}

/** The most minutes of keys that wait to be stored. */
const MOST_WAITING = 10_000;

/**
 * Tells the holders of keys by email what they would notice too late: limits that are used up, keys that expire or were
 * disabled. To remove it, remove this folder and its call in app.ts.
 */
export function openKeyMails({ origin, service, ...options }: MailOptions) {
  const { pool, now } = options;
  const sender = createMailSender(options);
  const storeMinutes = async (minutes: readonly BusyMinute[]): Promise<void> => {
    await pool.query(
      `INSERT INTO key_busy_minutes SELECT * FROM unnest($1::text[], $2::timestamptz[]) ORDER BY 1, 2
       ON CONFLICT DO NOTHING`,
      [minutes.map(({ keyId }) => keyId), minutes.map(({ minute }) => new Date(minute))],
    );
  };
  const busy = createBatch(MOST_WAITING, storeMinutes, () => {});

  const mailOf = (name: KeyMailKind, row: Row): DueMail => {
    const kind = kinds[name];
    return {
      ...{ kind: name, accountId: row.accountId, subject: row.id, occasion: row.occasion },
      mail: {
        to: row.email,
        subject: `${kind.subject(row.name.replace(/\p{Cc}/gu, ' '))} (${service.name})`,
        paragraphs: [
          ...kind.text(row),
          `You can turn off these emails on the page of your account: ${origin()}/dashboard/account`,
        ],
        link: { label: 'See the key', url: `${origin()}/dashboard/keys/${row.id}` },
      },
    };
  };

  async function run(): Promise<void> {
    for (const name of Object.keys(kinds) as KeyMailKind[]) {
      await sender.tidy(name);
      const { rows } = await pool.query<Row>(kinds[name].rows, [new Date(now())]);
      for (const row of rows) {
        await sender.send(mailOf(name, row));
      }
    }
  }

  /** Stores busy minutes, and removes those of more than an hour ago. */
  async function storeBusy(): Promise<void> {
    await busy.store();
    await pool.query('DELETE FROM key_busy_minutes WHERE minute < $1', [new Date(now() - 60 * MINUTE_MS)]);
  }

  const repeated = sender.repeat('keys', MINUTE_MS, run, storeBusy);
  return {
    /** Adds a minute in which a key used most of its limit. */
    addBusyMinute(keyId: string): void {
      const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
      busy.put(`${keyId} ${minute}`, { keyId, minute, requests: 1 });
    },
    close: () => repeated.stop(),
  };
}
