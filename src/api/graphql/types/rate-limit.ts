import type { RateLimitState } from '../../../access/limits/limiter.ts';
import { tierTexts } from '../../../access/limits/tiers.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';
import { builder } from '../builder.ts';
import { NO_COST, RATE_LIMIT_FIELD } from '../field-cost.ts';

const TierEnum = builder.enumType('Tier', {
  description: 'What determines a limit, unless a key has one of its own.',
  values: Object.fromEntries(
    Object.entries(tierTexts).map(([tier, description]) => [constantName(tier), { description }]),
  ),
});

const RateLimitType = builder.objectRef<RateLimitState>('RateLimit').implement({
  description: 'A rate limit and what is left of it, as the headers of the response state them.',
  fields: (t) => ({
    limit: t.exposeInt('limit', { description: 'The limit for a window of 60 seconds.' }),
    remaining: t.exposeInt('remaining', {
      description: 'What is left of it in the current window, after this request.',
    }),
    resetAt: t.field({
      type: 'DateTime',
      description:
        'When the window ends, rounded up to a second. Without an open window, 60 seconds from now.',
      resolve: ({ resetAt }) => Math.ceil(resetAt / 1_000) * 1_000,
    }),
    tier: t.field({
      type: TierEnum,
      description: 'What determines the limit, unless the key has one of its own.',
      resolve: ({ tier }, _args, context) => context.termOf(tier),
    }),
  }),
});

builder.queryField(RATE_LIMIT_FIELD, (t) =>
  t.field({
    type: RateLimitType,
    description: 'What is left of the rate limit. It adds no cost; a request for it alone costs 1.',
    extensions: NO_COST,
    resolve: (_root, _args, { budget }) => {
      if (budget === undefined) {
        throw new Error('An operation of this server itself has no rate limit.');
      }
      return budget;
    },
  }),
);
