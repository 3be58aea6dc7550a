import {
  type MailFrequency,
  mailFrequencies,
  SAVED_MAILS,
  type UnsubscribeLinks,
} from '../../access/mails/saved-mail-settings.ts';
import {
  BATCH,
  createSavedMailStore,
  type StoredDigest,
  type Subscriber,
} from '../../access/mails/saved-mail-store.ts';
import { createMailSender, type MailOptions, RUN_MS } from '../../access/mails/sender.ts';
import { amount } from '../../lib/errors.ts';
import { runInBackground, type Steps } from '../../lib/loop/time-slices.ts';
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
/** An email that has waited longer is out of date. */
const OUTDATED_MS = 2 * DAY_MS;

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
  const sender = createMailSender(options);
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
      const compared = { edition, past, removed: await runInBackground(past.finish()) };
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

  /** Sends what is recorded and still wanted, also if another node recorded it and stopped. */
  async function sendRecorded(): Promise<void> {
    await store.removeUnwanted(new Date(now() - OUTDATED_MS));
    for (let isLast = false; !isLast; ) {
      const waiting = await store.readWaiting();
      for (const { content, subject, occasion, email } of waiting) {
        const { accountId } = content;
        const mail = mailOf(content, email);
        await sender.sendRecorded({ kind: SAVED_MAILS, accountId, subject, occasion, mail });
      }
      isLast = waiting.length < BATCH;
    }
  }

  function mailOf({ accountId, since, total, lists }: StoredDigest, to: string) {
    const shown = lists.reduce((sum, { lines }) => sum + lines.length, 0);
    return {
      to,
      subject: `${amount(total, 'change')} in what you saved (${service.name})`,
      paragraphs: [`Since ${since.slice(0, 16).replace('T', ' ')} UTC:`],
      lists,
      link: {
        label: shown < total ? `See the other ${amount(total - shown, 'change')}` : 'See your saved searches',
        url: `${origin()}/dashboard/shortlist/searches`,
      },
      unsubscribeUrl: `${origin()}${links.pathOf(accountId)}`,
    };
  }

  const repeated = sender.repeat(SAVED_MAILS, RUN_MS, async () => {
    await sender.tidy(SAVED_MAILS);
    for (const frequency of Object.keys(mailFrequencies) as MailFrequency[]) {
      await write(frequency);
    }
    await sendRecorded();
  });
  return { close: () => repeated.stop() };
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
