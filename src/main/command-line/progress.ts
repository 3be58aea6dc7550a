import type { Writable } from 'node:stream';
import { OperatorError } from '../../lib/errors.ts';
import type { ImportProgress } from '../../startups/import/staging.ts';
import type { CommandContext } from './command.ts';

/** The progress of an import, a backup or a restore. */
export interface Progress extends Pick<ImportProgress, 'records' | 'totalRecords'> {
  phase: ImportProgress['phase'] | 'writing' | 'sending';
  rejected?: number;
}

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5_000;

type Session = Awaited<ReturnType<CommandContext['database']['connect']>>;

/**
 * Runs a long task in a session of its own, and shows its progress on standard error until it ends.
 *
 * @param ifStopped what a task that was stopped has done.
 * @returns its result, and how long it took.
 */
export async function runWithProgress<Result>(
  { database, stderr, errorColumns, now, signal }: CommandContext,
  ifStopped: string,
  run: (session: Session, update: (progress: Progress) => void) => Promise<Result>,
): Promise<{ result: Result; durationMs: number }> {
  const startedAt = now();
  const progress = createProgress(stderr, errorColumns, now);
  const session = await database.connect(signal);
  try {
    const result = await run(session, progress.update);
    return { result, durationMs: Math.round(now() - startedAt) };
  } catch (error) {
    throw signal.aborted ? new OperatorError(`Stopped: ${ifStopped}.`) : error;
  } finally {
    progress.end();
    await session.end();
  }
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * A line that is redrawn on a terminal, and written every few seconds elsewhere.
 *
 * @param columns the width of the terminal; undefined elsewhere.
 */
export function createProgress(stream: Writable, columns: number | undefined, now: () => number) {
  const isTerminal = columns !== undefined;
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now();
  return {
    update(progress: Progress): void {
      const at = now();
      if (at - shownAt >= (isTerminal ? REDRAW_MS : LINE_EVERY_MS)) {
        shownAt = at;
        const text = progressText(progress);
        // A line as wide as the terminal could not be erased.
        stream.write(isTerminal ? `\r\u001b[2K${text.slice(0, columns - 1)}` : `${text}\n`);
      }
    },
    end(): void {
      if (isTerminal) {
        stream.write('\r\u001b[2K');
      }
    },
  };
}

const units: Readonly<Partial<Record<Progress['phase'], string>>> = {
  calculating: 'days of the market',
  sending: 'MB',
};

function progressText({ phase, records, totalRecords, rejected = 0 }: Progress): string {
  const [done, total, errors] = [records, totalRecords, rejected].map((count) => count?.toLocaleString('en'));
  const amount = total === undefined ? done : `${done} of ${total}`;
  return `${phase} ${amount} ${units[phase] ?? 'records'}${rejected > 0 ? `, ${errors} rejected` : ''}`;
}
