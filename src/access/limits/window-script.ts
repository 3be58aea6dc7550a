import type { Bucket, Usage } from './counter.ts';
import { WINDOW_MS } from './tiers.ts';

/**
 * Counts and decides in one step. A window's end is stored beside its use, so that every node reports the same; its key
 * expires with it. Keys of one call share one hash tag, so that it also runs on a Redis cluster. Needs Redis 5 or later.
 *
 * A window whose end is more than a window's length away was opened before the clock was set back, and ends sooner.
 */
export const WINDOW_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local cost = tonumber(ARGV[1])

local windows, isAdmitted = {}, true
for i, key in ipairs(KEYS) do
  local held = redis.call('HMGET', key, 'used', 'resetAt')
  local used, resetAt = tonumber(held[1] or '0'), tonumber(held[2] or '0')
  local latest = now + tonumber(ARGV[2 * i + 1])
  if resetAt <= now then
    used, resetAt = 0, latest
  end
  windows[i] = {used, math.min(resetAt, latest), resetAt > latest}
  isAdmitted = isAdmitted and used + cost <= tonumber(ARGV[2 * i])
end

local answer = {isAdmitted and 1 or 0, now}
for i, key in ipairs(KEYS) do
  local used, resetAt, isShortened = windows[i][1], windows[i][2], windows[i][3]
  if isAdmitted then
    used = used + cost
  end
  if isAdmitted or isShortened then
    redis.call('HSET', key, 'used', used, 'resetAt', resetAt)
    redis.call('PEXPIREAT', key, resetAt)
  end
  answer[2 * i + 1], answer[2 * i + 2] = used, resetAt
end
return answer
`;

/** The script's arguments after its keys. */
export function writeArguments(buckets: readonly Bucket[], cost: number): number[] {
  return [cost, ...buckets.flatMap(({ limit, windowMs = WINDOW_MS }) => [limit, windowMs])];
}

/** The script's output. */
interface Answer {
  readonly admitted: boolean;
  readonly windows: readonly Usage[];
  /** By Redis's clock, in ms since 1970. */
  readonly now: number;
}

/** @throws TypeError for an output that is not the script's. */
export function readAnswer(reply: unknown, buckets: readonly Bucket[]): Answer {
  if (
    !Array.isArray(reply) ||
    reply.length !== 2 + 2 * buckets.length ||
    !reply.every(Number.isSafeInteger)
  ) {
    throw new TypeError('Redis did not answer as the script does');
  }
  const windows = buckets.map(({ limit }, i) => ({
    used: reply[2 * i + 2] as number,
    limit,
    resetAt: reply[2 * i + 3] as number,
  }));
  return { admitted: reply[0] === 1, windows, now: reply[1] as number };
}
