import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/open.ts';
import { pollRevisions } from '../db/revisions.ts';
import type { GatewayHandler } from '../exchange.ts';
import { createEngine } from '../graphql/engine.ts';
import { schemaText } from '../graphql/schema.ts';
import { recordPolicyAcceptance } from '../keys/accept-policy.ts';
import { createKeyLookup } from '../keys/lookup.ts';
import type { Policy } from '../keys/policy.ts';
import { createKeyVerifier } from '../keys/verify.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { createLimiter } from '../rate-limit/limiter.ts';
import { openCounter } from '../rate-limit/open-counter.ts';
import type { TierLimits } from '../rate-limit/tiers.ts';
import { openCatalogue } from '../startups/catalogue/live.ts';
import { createStartups } from '../startups/startups.ts';
import { createGateway } from './gateway.ts';
import { createSessions } from './session.ts';

/** What an app is made of. */
export interface AppOptions {
  readonly database: Database;
  readonly policy: Policy;
  readonly limits: TierLimits;
  readonly redisUrl?: string | undefined;
  /** How many nodes share the Redis; 1 by default. */
  readonly nodes?: number;
  readonly logger: Logger;
  readonly now: () => number;
  /** What is opened is registered here. */
  readonly lifecycle: Lifecycle;
}

/** After so long without an answer of the database, in ms, a node says that it is not ready. */
const UNREADY_MS = 5_000;

/** Opens everything that answering needs. What it returns answers every path. */
export async function openApp(options: AppOptions): Promise<GatewayHandler> {
  const { database, policy, limits, logger, now, lifecycle } = options;
  const { prisma, pool } = database;
  const catalogue = await openCatalogue({
    connect: () => database.threadConnection(),
    now,
    onFault: (error) => logger.error({ err: error }, 'the catalogue could not be rebuilt'),
  });
  lifecycle.onClose(() => catalogue.close());
  const { counter, close } = await openCounter({
    redisUrl: options.redisUrl,
    nodes: options.nodes ?? 1,
    now,
    onFallback: (active, reason) =>
      active
        ? logger.warn({ reason }, 'Redis fails: this node counts its share of the limits in memory')
        : logger.info({ reason }, 'Redis answers again: limits are shared'),
  });
  lifecycle.onClose(close);
  const verifier = createKeyVerifier({
    lookup: createKeyLookup(pool),
    now,
    onFirstUse: (id) => recordPolicyAcceptance({ prisma, now }, id),
  });
  const poll = pollRevisions(pool, now, {
    revisions: ({ dataset, keys }) => {
      catalogue.notify(Number(dataset));
      verifier.notify(keys);
    },
    fault: (error) => logger.error({ err: error }, 'the database does not answer'),
    recovery: () => logger.info('the database answers again'),
  });
  lifecycle.onClose(() => poll.stop());
  const report = (error: unknown, requestId: string): void =>
    logger.error({ err: error, requestId }, 'a request failed');
  return createGateway({
    sessions: createSessions(verifier, createLimiter({ counter, limits })),
    startups: createStartups({ prisma, catalogue }),
    execute: createEngine(report),
    pages: {
      policy: policy.text,
      schema: schemaText,
      unready: () => (now() - poll.answeredAt > UNREADY_MS ? ['the database does not answer'] : []),
    },
    now,
    createRequestId: randomUUID,
    report,
    onAnswer: ({ request: { method, path }, requestId, surface, status, keyId, duration }) =>
      logger.info({ requestId, method, path, surface, status, keyId, duration }, 'answered'),
  });
}
