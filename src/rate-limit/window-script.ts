import { createHash } from 'node:crypto';

/** What the script is asked, about the window under one key. */
export interface WindowQuestion {
  readonly key: string;
  /** What to reserve; 0 only reads. */
  readonly cost: number;
  readonly limit: number;
  readonly windowMs: number;
  /** A live window as this node last heard of it, which the server may have lost since. */
  readonly remembered: { readonly used: number; readonly resetAt: number } | undefined;
}

/** What the script answers. */
export interface WindowAnswer {
  readonly admitted: boolean;
  readonly used: number;
  /** ms since 1970, by Redis's clock. */
  readonly resetAt: number;
  /** ms since 1970: Redis's clock when it ran. */
  readonly now: number;
  /** It ran after its deadline and did nothing: whoever asked has decided without it. */
  readonly isLate: boolean;
}

/**
 * Counts and decides in one step. The window's end is stored beside what it has used, so that every
 * node tells the same; the key expires with it. One key only, so that it also runs where keys are
 * spread over servers. Needs Redis 5 or later.
 *
 * A question may wait in the buffers of a server that hangs, long after its node gave up and counted
 * in memory: past its deadline it counts nothing. A window whose end is more than a window's length
 * away was opened before the clock was set back, and ends sooner.
 */
export const WINDOW_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local cost, limit, length = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local deadline = tonumber(ARGV[4])
if deadline > 0 and now > deadline then
  return {-1, 0, 0, now}
end

local used, resetAt, isChanged = 0, now + length, false
local held = redis.call('HMGET', KEYS[1], 'used', 'resetAt')
local heldReset = tonumber(held[2] or '0')
if heldReset > now then
  used = tonumber(held[1])
  isChanged = heldReset > resetAt
  resetAt = math.min(heldReset, resetAt)
end

local rememberedUsed, rememberedReset = tonumber(ARGV[5]), tonumber(ARGV[6])
if rememberedReset > now and rememberedUsed > used then
  if used == 0 then
    resetAt = math.min(rememberedReset, resetAt)
  end
  used, isChanged = rememberedUsed, true
end

local isAdmitted = cost > 0 and used + cost <= limit
if isAdmitted then
  isChanged = isChanged or used == 0
  used = used + cost
end
if isChanged then
  redis.call('HSET', KEYS[1], 'used', used, 'resetAt', resetAt)
  redis.call('PEXPIREAT', KEYS[1], resetAt)
elseif isAdmitted then
  redis.call('HSET', KEYS[1], 'used', used)
end
return {isAdmitted and 1 or 0, used, resetAt, now}
`;

/** The name under which a server keeps the script. */
export const WINDOW_SCRIPT_SHA = createHash('sha1').update(WINDOW_SCRIPT).digest('hex');

/** The script's arguments after its key. @param deadline ms by Redis's clock; 0 for none. */
export function writeArguments(question: WindowQuestion, deadline: number): number[] {
  const { cost, limit, windowMs, remembered } = question;
  return [cost, limit, windowMs, deadline, remembered?.used ?? 0, remembered?.resetAt ?? 0];
}

/** @throws TypeError for what the script never answers. */
export function readAnswer(reply: unknown): WindowAnswer {
  if (!Array.isArray(reply) || reply.length !== 4 || !reply.every(Number.isSafeInteger)) {
    throw new TypeError('Redis did not answer as the script does');
  }
  const [outcome, used, resetAt, now] = reply as [number, number, number, number];
  return { admitted: outcome === 1, used, resetAt, now, isLate: outcome === -1 };
}
