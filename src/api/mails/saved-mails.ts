import {
  createMailQueue,
  type MailOptions,
  RECIPIENT,
  RUN_MS,
  type WaitingMails,
} from '../../access/mails/queue.ts';
import {
  type MailFrequency,
  mailFrequencies,
  SAVED_MAILS,
  savedMailPath,
  type UnsubscribeLinks,
  WANTS_MAILS,
} from '../../access/mails/saved-mail-settings.ts';
import {
  createSavedMailStore,
  type StoredDigest,
  type Subscriber,
} from '../../access/mails/saved-mail-store.ts';
import { amount } from '../../lib/errors.ts';
import { runInBackground, type Steps } from '../../lib/loop/time-slices.ts';
import { ToldDifferences } from '../../startups/catalogue/changes/past-figures.ts';
import type { LiveCatalogue } from '../../startups/catalogue/live-catalogue.ts';
import { type Compared, writeDigest } from './saved-mail-content.ts';

interface SavedMailOptions extends MailOptions {
  readonly pool: MailOptions['pool'] & Parameters<typeof createSavedMailStore>[0];
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  readonly links: UnsubscribeLinks;
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** When emails are written: mornings in Europe, nights in America. Most data is imported before. */
const WRITTEN_AT_MS = 6 * HOUR_MS;
/** The most changes that an email names; its page has the others. */
const MOST_LINES = 20;

/** The number of a day or week that begins at the time when emails are written. */
function periodOf(frequency: MailFrequency, at: number): number {
  const day = Math.floor((at - WRITTEN_AT_MS) / DAY_MS);
  // 1970 began on a Thursday.
  return frequency === 'daily' ? day : Math.floor((day + 3) / 7);
}

/**
 * Tells accounts by email what has happened to what they saved. Figures of all startups are compared with those of the last
 * time, which are in the database. Emails are recorded in the transaction that replaces these, so that no change is told
 * twice, and then sent one after another. To remove it, remove this folder, `saved-mail-*.ts` in access and the call in app.ts.
 */
export function openSavedMails({ origin, service, catalogue, links, ...options }: SavedMailOptions) {
  const { pool, now } = options;
  const queue = createMailQueue(options);
  const store = createSavedMailStore(pool);

  async function write(frequency: MailFrequency): Promise<void> {
    const last = await store.lastRun(frequency);
    const at = new Date(now());
    if (last !== undefined && periodOf(frequency, last.getTime()) === periodOf(frequency, at.getTime())) {
      return;
    }
    let subscribers = await store.readSubscribers(frequency, '');
    if (subscribers.length === 0) {
      return store.forget(frequency);
    }
    const edition = catalogue.current();
    const digests: StoredDigest[] = [];
    // Nothing is told at the first time.
    if (last !== undefined) {
      const past = await runInBackground(edition.openPast());
      for (let part = 0; ; part += 1) {
        const figures = await store.readFigures(frequency, last, part);
        if (figures === undefined) {
          break;
        }
        await runInBackground(past.add(figures));
      }
      const removed = await runInBackground(past.finish());
      const compared = { edition, past, removed, told: new ToldDifferences(past) };
      while (subscribers.length > 0) {
        digests.push(...(await runInBackground(writeDigests(compared, subscribers, last.toISOString()))));
        subscribers = await store.readSubscribers(frequency, subscribers.at(-1)?.accountId ?? '');
      }
    }
    for (let part = 0; ; part += 1) {
      const figures = edition.packFigures(part);
      if (figures === undefined) {
        break;
      }
      await store.addFigures(frequency, at, part, figures);
    }
    await store.record(frequency, { last, at }, digests);
  }

  const waiting: WaitingMails<{ content: StoredDigest }> = {
    kind: SAVED_MAILS,
    tables: 'accounts AS a JOIN account_lists AS l ON l.account_id = a.id',
    wanted: `${RECIPIENT} AND ${WANTS_MAILS}`,
    columns: 's.content',
    toMail({ content: { since, total, lists }, accountId, occasion, email }) {
      let left = MOST_LINES;
      const named = lists.map(({ heading, lines }) => {
        const shown = lines.slice(0, left);
        left -= shown.length;
        return {
          heading,
          lines: shown.map(({ name, slug, text }) => ({
            name,
            url: slug && `${origin()}/dashboard/explorer/${slug}`,
            text,
          })),
        };
      });
      const others = total - (MOST_LINES - left);
      return {
        to: email,
        subject: `${subjectOf(lists, total)} (${service.name})`,
        heading: `${amount(total, 'change')} in what you saved`,
        paragraphs: [`Since ${since.slice(0, 16).replace('T', ' ')} UTC:`],
        lists: named.filter(({ lines }) => lines.length > 0),
        link:
          others === 0
            ? { label: 'See your saved searches', url: `${origin()}/dashboard/shortlist/searches` }
            : {
                label: `See the other ${amount(others, 'change')}`,
                url: `${origin()}${savedMailPath(occasion)}`,
              },
        unsubscribeUrl: `${origin()}${links.pathOf(accountId)}`,
      };
    },
  };

  const repeated = queue.repeat(SAVED_MAILS, RUN_MS, async (signal) => {
    for (const frequency of Object.keys(mailFrequencies) as MailFrequency[]) {
      await write(frequency);
    }
    await queue.send(waiting, signal);
  });
  return { close: () => repeated.stop() };
}

/** Characters of a name in a subject, of which an inbox shows some 70. */
const NAME_LENGTH = 40;

/** The first change with its name and figures, and how many others there are. */
function subjectOf(lists: StoredDigest['lists'], total: number): string {
  const first = lists.flatMap(({ lines }) => lines)[0];
  if (first === undefined) {
    return `${amount(total, 'change')} in what you saved`;
  }
  const told = first.name === undefined ? first.text : `${shorten(first.name)}: ${first.text}`;
  return total === 1 ? told : `${told}, and ${amount(total - 1, 'more change')}`;
}

/** A name as far as the figures after it are still seen. */
function shorten(name: string): string {
  const characters = [...name];
  return characters.length <= NAME_LENGTH ? name : `${characters.slice(0, NAME_LENGTH - 1).join('')}…`;
}

function* writeDigests(
  compared: Compared,
  subscribers: readonly Subscriber[],
  since: string,
): Steps<StoredDigest[]> {
  const written: StoredDigest[] = [];
  for (const subscriber of subscribers) {
    const digest = yield* writeDigest(compared, subscriber);
    if (digest !== null) {
      written.push({ ...digest, accountId: subscriber.accountId, since });
    }
  }
  return written;
}
