import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type SampleOptions, sampleNdjson } from '../../../startups/sample/sample.ts';
import type { CommandEnvironment } from '../../command-line/command.ts';

/** `revgate sample`: streams NDJSON, as fast as it is read. */
export async function runSample({ stdout, signal }: CommandEnvironment, options: SampleOptions) {
  for (const block of sampleNdjson(options)) {
    if (!stdout.write(block)) {
      await once(stdout, 'drain', { signal });
    }
    // A file accepts everything at once; signals are handled only between two turns of the event loop.
    await setImmediate(undefined, { signal });
  }
}
