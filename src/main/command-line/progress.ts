import type { Writable } from 'node:stream';
import { OperatorError } from '../../lib/errors.ts';
import type { ImportProgress } from '../../startups/import/import.ts';
import type { CommandContext } from './command.ts';

/** The progress of an import, a backup, a restore or a start. */
export interface Progress extends Omit<ImportProgress, 'phase'> {
  phase: ImportProgress['phase'] | 'writing' | 'sending' | 'reading' | 'sorting';
}

const BAR_WIDTH = 24;
/** A shorter bar is left out. */
const MIN_BAR_WIDTH = 5;
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

/** How long a task took, for people. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * A bar that is redrawn on a terminal, and a plain line every few seconds elsewhere.
 *
 * @param columns the width of the terminal; undefined elsewhere.
 */
export function createProgress(stream: Writable, columns: number | undefined, now: () => number) {
  const isTerminal = columns !== undefined;
  const startedAt = now();
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt;
  let phase: Progress['phase'] | undefined;
  let phaseStartedAt = startedAt;
  return {
    update(progress: Progress): void {
      const at = now();
      if (progress.phase !== phase) {
        phase = progress.phase;
        phaseStartedAt = at;
      }
      if (at - shownAt < (isTerminal ? REDRAW_MS : LINE_EVERY_MS)) {
        return;
      }
      shownAt = at;
      const text = progressText(progress, at - phaseStartedAt);
      stream.write(isTerminal ? `\r\u001b[2K${inOneLine(share(progress), text, columns)}` : `${text}\n`);
    },
    /** Clears the progress from the terminal. */
    end(): void {
      if (isTerminal) {
        stream.write('\r\u001b[2K');
      }
    },
  };
}

/** The completed part, from 0 to 1, if the whole is known. */
function share({ phase, records, totalRecords, bytes, totalBytes }: Progress): number | undefined {
  const [done, whole] = phase === 'validating' ? [bytes, totalBytes] : [records, totalRecords];
  return whole === undefined || whole === 0 ? undefined : Math.min(1, done / whole);
}

/** One line that is shorter than the terminal is wide: a longer one could not be erased. */
function inOneLine(part: number | undefined, text: string, columns: number): string {
  if (part === undefined) {
    return text.slice(0, columns - 1);
  }
  const percent = `${String(Math.round(part * 100)).padStart(3)} %  ${text}`;
  const width = Math.min(BAR_WIDTH, columns - 2 - percent.length);
  const full = Math.round(part * width);
  return width < MIN_BAR_WIDTH
    ? percent.slice(0, columns - 1)
    : `${'█'.repeat(full)}${'░'.repeat(width - full)} ${percent}`;
}

const units: Readonly<Partial<Record<Progress['phase'], string>>> = {
  calculating: 'days of the market',
  sending: 'MB',
  reading: 'startups',
  sorting: 'startups',
};

function progressText(progress: Progress, elapsedMs: number): string {
  const { phase, records, rejected } = progress;
  const seconds = elapsedMs / 1000;
  const unit = units[phase] ?? 'records';
  const parts = [`${phase} ${records.toLocaleString('en')} ${unit}`];
  if (seconds >= 1 && phase !== 'sorting') {
    parts.push(`${Math.round(records / seconds).toLocaleString('en')}/s`);
    const part = share(progress);
    if (part !== undefined && part > 0 && part < 1) {
      parts.push(`${Math.ceil((seconds * (1 - part)) / part)} s left`);
    }
  }
  if (rejected > 0) {
    parts.push(`${rejected.toLocaleString('en')} rejected`);
  }
  return parts.join(', ');
}
