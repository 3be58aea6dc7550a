import { type Bucket, type ChargedWindow, REFUSAL_COST } from './counter.ts';
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
  local latest = now + tonumber(ARGV[3 * i])
  if resetAt <= now then
    used, resetAt = 0, latest
  end
  windows[i] = {used, math.min(resetAt, latest), resetAt > latest}
  isAdmitted = isAdmitted and used + cost <= tonumber(ARGV[3 * i - 1])
end

local answer = {isAdmitted and 1 or 0, now}
for i, key in ipairs(KEYS) do
  local used, resetAt, isShortened = windows[i][1], windows[i][2], windows[i][3]
  local left = math.max(0, tonumber(ARGV[3 * i - 1]) - used)
  local taken = isAdmitted and cost or math.min(tonumber(ARGV[3 * i + 1]), left)
  used = used + taken
  if taken ~= 0 or isShortened then
    redis.call('HSET', key, 'used', used, 'resetAt', resetAt)
    redis.call('PEXPIREAT', key, resetAt)
  end
  answer[3 * i], answer[3 * i + 1], answer[3 * i + 2] = used, resetAt, taken
end
return answer
`;

/** The script's arguments after its keys. */
export function writeArguments(buckets: readonly Bucket[], cost: number): number[] {
  const settings = buckets.flatMap(({ limit, windowMs = WINDOW_MS, isChargedForRefusals = false }) => [
    limit,
    windowMs,
    isChargedForRefusals ? REFUSAL_COST : 0,
  ]);
  return [cost, ...settings];
}

/** The script's output. */
interface ScriptReply {
  readonly admitted: boolean;
  readonly windows: readonly ChargedWindow[];
  /** By Redis's clock, in ms since 1970. */
  readonly now: number;
}

/** @throws TypeError for an output that is not the script's. */
export function readReply(reply: unknown, buckets: readonly Bucket[]): ScriptReply {
  if (
    !Array.isArray(reply) ||
    reply.length !== 2 + 3 * buckets.length ||
    !reply.every(Number.isSafeInteger)
  ) {
    throw new TypeError('Redis did not answer as the script does');
  }
  const windows = buckets.map(({ limit }, i) => ({
    used: reply[3 * i + 2] as number,
    limit,
    resetAt: reply[3 * i + 3] as number,
    taken: reply[3 * i + 4] as number,
  }));
  return { admitted: reply[0] === 1, windows, now: reply[1] as number };
}
