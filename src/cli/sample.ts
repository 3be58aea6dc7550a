import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { OperatorError } from '../errors.ts';
import { sampleStartups } from '../startups/sample.ts';

const CHUNK = 64 * 1024;

/** `revgate sample`: streams NDJSON, as fast as it is read. */
export async function runSample(
  { stdout, signal }: { stdout: Writable; signal: AbortSignal },
  options: { count: string; seed: string },
): Promise<void> {
  const count = readInteger('--count', options.count, 0, 100_000_000);
  const seed = readInteger('--seed', options.seed, 0, 4_294_967_295);
  let text = '';
  for (const record of sampleStartups({ count, seed })) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length > CHUNK) {
      if (!stdout.write(text)) {
        await once(stdout, 'drain', { signal });
      }
      text = '';
    }
  }
  stdout.write(text);
}

function readInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new OperatorError(
      `${name}: got ${JSON.stringify(text)}, allowed: an integer from ${min} to ${max}`,
    );
  }
  return value;
}
