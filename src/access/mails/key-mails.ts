import { amount } from '../../lib/errors.ts';
import { count } from '../../lib/text/figures.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import type { Tier, TierLimits } from '../limits/tiers.ts';
import { createBatch } from '../usage/recorder.ts';
import type { KeyMailKind } from './kinds.ts';
import { createMailQueue, type MailOptions, REACHED, RECIPIENT, type WaitingMails } from './queue.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Busy minutes of an hour that are worth an email. */
const BUSY_MINUTES = 10;

/** What an email is written from. */
interface Row {
  /** The time of what happened, in ISO 8601. */
  readonly occasion: string;
  readonly content: object;
  readonly reason: string | null;
  /** What follows is of the key, if it is about one. */
  readonly name: string;
  readonly tier: Tier;
  readonly rateLimit: number | null;
  readonly isEmbed: boolean;
}

/** How a key used its limit. */
interface LimitNumbers {
  /** When the hour began in which the first request was refused, in ISO 8601; null: none was. */
  readonly from: string | null;
  readonly refused: number;
  /** Minutes of the last hour. */
  readonly busy: number;
}

/** What is told of keys or accounts: of which, since when, and how. */
interface KeyMail extends Pick<WaitingMails<Row>, 'tables' | 'wanted' | 'columns'> {
  /** What the email is about, and the time of what happened, in SQL. */
  readonly subject: string;
  readonly occasion: string;
  /** A condition on the tables, at the time $2, that something is to be told. */
  readonly begins: string;
  /** Of rows that have the same, the first in an order is told. */
  readonly family: string;
  readonly order: string;
  /** What is known only then, as jsonb. */
  readonly content: string;
  readonly title: (row: Row) => string;
  readonly text: (row: Row) => readonly string[];
}

const NOTHING = `'{}'::jsonb`;
const ofKeys = {
  tables: 'accounts AS a JOIN api_keys AS k ON k.account_id = a.id',
  columns: `k.name, k.disabled_reason AS reason, k.tier, k.rate_limit AS "rateLimit",
    cardinality(k.origins) > 0 AS "isEmbed", s.content`,
  subject: 'k.id',
  // Rotated keys share a limit: the newest is told of.
  family: 'coalesce(k.family_id, k.id)',
  order: 'k.created_at DESC',
  content: NOTHING,
} as const;
const TOLD = `a.key_mails AND ${RECIPIENT} AND k.revoked_at IS NULL`;
const WORKS = `${TOLD} AND k.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`;
const since = (ms: number): string => `$2::timestamptz - interval '${ms} milliseconds'`;
const time = (value: string): string =>
  `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
// Refused requests are counted by the hour.
const REFUSED = `FROM key_usage AS u WHERE u.key_id = k.id AND u.status = 429 AND u.hour > ${since(70 * MINUTE_MS)}`;
const BUSY = `(SELECT count(*) FROM key_busy_minutes AS b WHERE b.key_id = k.id AND b.minute > ${since(60 * MINUTE_MS)})`;

const kindsOf = (limits: TierLimits, embedLimit: number) =>
  ({
    // Once a day, whatever else happens.
    'key-limit': {
      ...ofKeys,
      occasion: time('$2::timestamptz'),
      wanted: `k.id = s.subject AND ${WORKS}`,
      begins: `${WORKS} AND (EXISTS (SELECT ${REFUSED}) OR ${BUSY} >= ${BUSY_MINUTES}) AND NOT EXISTS (
         SELECT FROM sent_mails AS s
         WHERE s.kind = 'key-limit' AND s.account_id = a.id AND s.recorded_at > ${since(DAY_MS)}
           AND s.subject IN (SELECT o.id FROM api_keys AS o
             WHERE coalesce(o.family_id, o.id) = coalesce(k.family_id, k.id))
       )`,
      content: `jsonb_build_object('busy', ${BUSY},
         'refused', (SELECT coalesce(sum(u.requests), 0) ${REFUSED}), 'from', (SELECT ${time('min(u.hour)')} ${REFUSED}))`,
      title: ({ name, content }) => {
        const { refused, busy } = content as LimitNumbers;
        return refused > 0
          ? `${amount(refused, 'request')} refused: your key “${name}” reached its limit`
          : `Your key “${name}” used over 80% of its limit in ${amount(busy, 'minute')}`;
      },
      text: ({ content, tier, rateLimit, isEmbed }) => {
        const { refused, busy, from } = content as LimitNumbers;
        const limit = count(rateLimit ?? limits[tier]);
        return [
          [
            refused > 0 &&
              `Since ${from?.slice(11, 16)} UTC, ${amount(refused, 'request')} with it got the response 429.`,
            busy > 0 && `In the last hour, it used more than 80% of its limit in ${amount(busy, 'minute')}.`,
            isEmbed
              ? `Its limit is ${limit} requests a minute for each client address, and ${count(embedLimit)} for all together.`
              : `Its limit is ${limit} requests a minute.`,
          ]
            .filter(Boolean)
            .join(' '),
          'The page of the key shows when. Wait as long as Retry-After says, keep responses, or ask us for a higher limit.',
        ];
      },
    },
    // Not of one that was replaced, nor of one that was meant for a few days.
    'key-expiry': {
      ...ofKeys,
      occasion: time('k.expires_at'),
      wanted: `k.id = s.subject AND ${time('k.expires_at')} = s.occasion AND ${WORKS}
        AND NOT EXISTS (SELECT FROM api_keys AS next WHERE next.rotated_from = k.id)`,
      begins: `${WORKS} AND k.expires_at <= $2::timestamptz + interval '7 days' AND k.created_at < k.expires_at - interval '7 days'
        AND NOT EXISTS (SELECT FROM api_keys AS next WHERE next.rotated_from = k.id)`,
      title: ({ name, occasion }) => `Your key “${name}” stops working on ${occasion.slice(0, 10)}`,
      text: ({ occasion }) => [
        `It stops working at ${occasion.slice(0, 16).replace('T', ' ')} UTC. Rotate it on its page: both keys work meanwhile.`,
      ],
    },
    'key-disabled': {
      ...ofKeys,
      occasion: time('k.disabled_at'),
      wanted: `k.id = s.subject AND ${time('k.disabled_at')} = s.occasion AND ${TOLD}`,
      begins: `${TOLD} AND k.disabled_at > ${since(DAY_MS)}`,
      title: ({ name }) => `Your key “${name}” was disabled`,
      text: ({ reason }) => [
        `Requests with it get 403${because(reason)}`,
        'It can be enabled again: ask the operator of the service.',
      ],
    },
    // Whoever has turned emails about keys off gets it, too.
    'account-disabled': {
      tables: 'accounts AS a',
      columns: 'a.disabled_reason AS reason, s.content',
      subject: 'a.id',
      family: 'a.id',
      order: 'a.id',
      content: NOTHING,
      occasion: time('a.disabled_at'),
      wanted: `${time('a.disabled_at')} = s.occasion AND ${REACHED}`,
      begins: `${REACHED} AND a.disabled_at > ${since(DAY_MS)}`,
      title: () => 'Your account was disabled',
      text: ({ reason }) => [
        `You cannot sign in, and requests with its keys get 403${because(reason)}`,
        'It can be enabled again: ask the operator of the service.',
      ],
    },
  }) satisfies Record<KeyMailKind, KeyMail>;

const because = (reason: string | null): string => (reason === null ? '.' : `. The reason: ${reason}.`);

/** A minute in which a key used most of its limit. */
interface BusyMinute {
  readonly keyId: string;
  readonly minute: number;
  readonly requests: number;
}

/** The most minutes of keys that wait to be stored. */
const MOST_WAITING = 10_000;

interface KeyMailOptions extends MailOptions {
  /** The limits of keys without one of their own. */
  readonly limits: TierLimits;
  readonly embedLimit: number;
}

/**
 * Tells the holders of keys by email what they would notice too late: limits that are used up, keys that expire or were
 * disabled, and that their account was. To remove it, remove this file and its call in app.ts.
 */
export function openKeyMails({ origin, service, limits, embedLimit, ...options }: KeyMailOptions) {
  const { pool, now } = options;
  const queue = createMailQueue(options);
  const kinds = Object.entries<KeyMail>(kindsOf(limits, embedLimit)) as [KeyMailKind, KeyMail][];
  const storeMinutes = async (minutes: readonly BusyMinute[]): Promise<void> => {
    await pool.query(
      `INSERT INTO key_busy_minutes SELECT * FROM unnest($1::text[], $2::timestamptz[]) ORDER BY 1, 2
       ON CONFLICT DO NOTHING`,
      [minutes.map(({ keyId }) => keyId), minutes.map(({ minute }) => new Date(minute))],
    );
  };
  const busy = createBatch(MOST_WAITING, storeMinutes, () => {});

  async function run(signal: AbortSignal): Promise<void> {
    for (const [
      kind,
      { subject, occasion, begins, family, order, content, title, text, ...mails },
    ] of kinds) {
      await pool.query(
        `INSERT INTO sent_mails (kind, account_id, subject, occasion, recorded_at, content)
         SELECT DISTINCT ON (${family}) $1::text, a.id, ${subject}, ${occasion}, $2::timestamptz, ${content}
         FROM ${mails.tables} WHERE ${begins} ORDER BY ${family}, ${order}
         ON CONFLICT DO NOTHING`,
        [kind, new Date(now())],
      );
      const isOfKey = kind !== 'account-disabled';
      await queue.send<Row>(
        {
          ...mails,
          kind,
          toMail: (row) => ({
            to: row.email,
            subject: `${oneLine(title(row))} (${service.name})`,
            paragraphs: text(row),
            ...(isOfKey && {
              link: { label: 'See the key', url: `${origin()}/dashboard/keys/${row.subject}` },
              settingsUrl: `${origin()}/dashboard/account`,
            }),
          }),
        },
        signal,
      );
    }
  }

  /** Stores busy minutes, and removes those of more than an hour ago. */
  async function storeBusy(): Promise<void> {
    await busy.store();
    await pool.query('DELETE FROM key_busy_minutes WHERE minute < $1', [new Date(now() - 60 * MINUTE_MS)]);
  }

  const repeated = queue.repeat('keys', MINUTE_MS, run, storeBusy);
  return {
    /** Adds a minute in which a key used most of its limit. */
    addBusyMinute(keyId: string): void {
      const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
      busy.put(`${keyId} ${minute}`, { keyId, minute, requests: 1 });
    },
    close: () => repeated.stop(),
  };
}
