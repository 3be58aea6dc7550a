import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { sampleStartups } from '../startups/import/sample.ts';

const CHUNK = 64 * 1024;

/** `revgate sample`: streams NDJSON, as fast as it is read. */
export async function runSample(
  { stdout, signal }: { stdout: Writable; signal: AbortSignal },
  { count, seed }: { count: number; seed: number },
): Promise<void> {
  let text = '';
  for (const record of sampleStartups({ count, seed })) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length > CHUNK) {
      if (!stdout.write(text)) {
        await once(stdout, 'drain', { signal });
      }
      text = '';
      // A file accepts everything at once; signals are handled only between two turns of the event loop.
      await setImmediate(undefined, { signal });
    }
  }
  stdout.write(text);
}
