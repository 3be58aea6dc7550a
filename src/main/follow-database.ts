import type { Counter } from 'prom-client';
import { removeExpired } from '../access/accounts/tidy.ts';
import type { DocumentStore } from '../access/keys/documents/store.ts';
import type { KeyVerifier } from '../access/keys/verify.ts';
import { pollRevisions } from '../db/revisions.ts';
import { repeatDaily } from '../lib/loop/schedule.ts';
import type { LiveCatalogue } from '../startups/catalogue/live-catalogue.ts';
import { removeOldHistory } from '../startups/model/retention.ts';
import type { AppOptions } from './options.ts';

type FollowOptions = Pick<AppOptions, 'database' | 'logger' | 'now' | 'schedule' | 'lifecycle'> & {
  readonly catalogue: LiveCatalogue;
  readonly verifier: KeyVerifier;
  readonly documents: DocumentStore;
  readonly builds: Counter;
  readonly historyDays: number;
  readonly monotonic: () => number;
};

/**
 * Passes on what changes in the database, and removes what is too old once a day, until the app closes.
 *
 * @returns the ms since the database has answered.
 */
export function followDatabase(options: FollowOptions): () => number {
  const { database, catalogue, verifier, documents, historyDays, logger, lifecycle, now, schedule } = options;
  let readAt: number | undefined;
  const poll = pollRevisions(database.polled, options.monotonic, {
    reset() {
      catalogue.reset();
      verifier.reset();
      documents.reset();
    },
    revisions({ dataset, keys }) {
      catalogue.notify(Number(dataset));
      verifier.notify(keys);
      documents.notify(keys);
      if (readAt !== catalogue.current().readAt) {
        readAt = catalogue.current().readAt;
        options.builds.inc();
      }
    },
    failure: (error) => logger.error({ err: error }, 'the database does not answer'),
    recovery: () => logger.info('the database answers again'),
    schedule,
  });
  lifecycle.onClose(() => poll.stop());
  const retention = repeatDaily({
    async work(signal) {
      await removeExpired({ prisma: database.prisma, now });
      const removed = await removeOldHistory({ pool: database.background, historyDays, now }, signal);
      if (removed.points + removed.removals + removed.market > 0) {
        logger.info(removed, 'old history was removed');
      }
    },
    schedule,
    onError: (error) => logger.error({ err: error }, 'old data could not be removed yet'),
  });
  lifecycle.onClose(() => retention.stop());
  return () => options.monotonic() - poll.answeredAt;
}
