/** The tiers of keys; they differ in their limit. */
export const tiers = ['standard', 'premium'] as const;
export type Tier = (typeof tiers)[number];

/** What a limit depends on, as GraphQL and REST name it. */
export const tierTexts = {
  standard: 'A standard key.',
  premium: 'A premium key.',
  account: 'A signed-in user without a key, in GraphiQL.',
} as const satisfies Readonly<Record<Tier | 'account', string>>;

/** Requests allowed per window, for each tier; integers of at least 1. */
export type TierLimits = Readonly<Record<Tier, number>>;

/** The limits unless configured otherwise. */
export const DEFAULT_LIMITS: TierLimits = { standard: 10, premium: 60 };

/** The default limit of all clients of an embed key together, per window. */
export const DEFAULT_EMBED_LIMIT = 600;

/** The limit of an account for pages of this server, per window, whatever the limits of tiers. */
export const ACCOUNT_LIMIT = 60;

/** The highest limit that can be configured, or given to a key. */
export const LIMIT_MAX = 1_000_000_000;

/** What determines the limit of a key: its tier, unless it has a limit of its own. */
export interface KeyLimit {
  readonly tier: Tier;
  /** Requests per window; null: the limit of the tier. */
  readonly rateLimit: number | null;
}

/** The length of a window in ms. A window starts with its first request. */
export const WINDOW_MS = 60_000;

export function isTier(text: string): text is Tier {
  return (tiers as readonly string[]).includes(text);
}
