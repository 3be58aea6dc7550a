/** One window that a call of the script concerns. */
interface WindowInQuestion {
  readonly key: string;
  readonly limit: number;
  /** The live window as last reported to this node; the server may have lost it since. */
  readonly remembered: { readonly used: number; readonly resetAt: number } | undefined;
}

/** The input of the script. */
export interface WindowQuestion {
  readonly windows: readonly WindowInQuestion[];
  /** The cost to reserve from each, or from none; 0 only reads. */
  readonly cost: number;
  readonly windowMs: number;
}

/** The output of the script. */
export interface WindowAnswer {
  readonly admitted: boolean;
  /** In the order of the input; `resetAt` in ms since 1970, by Redis's clock. */
  readonly windows: readonly { readonly used: number; readonly resetAt: number }[];
  /** ms since 1970: Redis's clock when it ran. */
  readonly now: number;
  /** It ran after its deadline and did nothing: the caller has decided without it. */
  readonly isLate: boolean;
}

/**
 * Counts and decides in one step. A window's end is stored beside its use, so that every
 * node reports the same; its key expires with it. Keys of one call share one hash tag, so that it also
 * runs on a Redis cluster. Needs Redis 5 or later.
 *
 * A call may wait in the buffers of a server that hangs, long after its node gave up and counted
 * in memory: past its deadline it counts nothing. A window whose end is more than a window's length
 * away was opened before the clock was set back, and ends sooner.
 */
export const WINDOW_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local cost, length, deadline = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if deadline > 0 and now > deadline then
  return {-1, now}
end

local windows, isAdmitted = {}, cost > 0
for i, key in ipairs(KEYS) do
  local limit, rememberedUsed = tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2])
  local rememberedReset = tonumber(ARGV[3 * i + 3])
  local used, resetAt, isChanged = 0, now + length, false
  local held = redis.call('HMGET', key, 'used', 'resetAt')
  local heldReset = tonumber(held[2] or '0')
  if heldReset > now then
    used = tonumber(held[1])
    isChanged = heldReset > resetAt
    resetAt = math.min(heldReset, resetAt)
  end
  if rememberedReset > now and rememberedUsed > used then
    if used == 0 then
      resetAt = math.min(rememberedReset, resetAt)
    end
    used, isChanged = rememberedUsed, true
  end
  isAdmitted = isAdmitted and used + cost <= limit
  windows[i] = {used, resetAt, isChanged}
end

local answer = {isAdmitted and 1 or 0, now}
for i, key in ipairs(KEYS) do
  local used, resetAt, isChanged = windows[i][1], windows[i][2], windows[i][3]
  if isAdmitted then
    isChanged = isChanged or used == 0
    used = used + cost
  end
  if isChanged then
    redis.call('HSET', key, 'used', used, 'resetAt', resetAt)
    redis.call('PEXPIREAT', key, resetAt)
  elseif isAdmitted then
    redis.call('HSET', key, 'used', used)
  end
  answer[2 * i + 1], answer[2 * i + 2] = used, resetAt
end
return answer
`;

/** The script's arguments after its keys. @param deadline ms by Redis's clock; 0 for none. */
export function writeArguments({ cost, windowMs, windows }: WindowQuestion, deadline: number): number[] {
  const each = windows.flatMap(({ limit, remembered }) => [
    limit,
    remembered?.used ?? 0,
    remembered?.resetAt ?? 0,
  ]);
  return [cost, windowMs, deadline, ...each];
}

/** @throws TypeError for an invalid output of the script. @param count the number of windows in the input. */
export function readAnswer(reply: unknown, count: number): WindowAnswer {
  if (!Array.isArray(reply) || !reply.every(Number.isSafeInteger)) {
    throw new TypeError('Redis did not answer as the script does');
  }
  const [outcome, now, ...values] = reply as [number, number, ...number[]];
  const isLate = outcome === -1;
  if (now === undefined || values.length !== (isLate ? 0 : 2 * count)) {
    throw new TypeError('Redis did not answer as the script does');
  }
  const windows = Array.from({ length: values.length / 2 }, (_, i) => ({
    used: values[2 * i] as number,
    resetAt: values[2 * i + 1] as number,
  }));
  return { admitted: outcome === 1, windows, now, isLate };
}
