import type { ImportSummary } from './summary.ts';

/** What only people see. */
type ForPeople = 'messages' | 'examples' | 'invalid' | 'ignored' | 'groups';

/** The result of an import for programs, the same of a command and over HTTP. */
export interface ImportReport extends Omit<ImportSummary, ForPeople> {
  readonly dryRun: boolean;
  /** The file that has the rejected records; null if there is none. */
  readonly rejects: string | null;
  /** Why nothing was imported; null if it was. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** What a report says in addition to the summary. */
export interface ReportDetails {
  readonly dryRun: boolean;
  readonly durationMs: number;
  readonly rejects?: string | undefined;
  readonly error?: string | undefined;
}

/** Reports an import, or why nothing was imported. */
export function toReport(
  {
    messages: _,
    examples: __,
    invalid: ___,
    ignored: ____,
    groups: _____,
    errorCount,
    errors,
    ...counts
  }: ImportSummary,
  { dryRun, durationMs, rejects, error }: ReportDetails,
): ImportReport {
  return {
    dryRun,
    ...counts,
    rejects: rejects ?? null,
    error: error ?? null,
    errorCount,
    errors,
    durationMs: Math.round(durationMs),
  };
}
