import { type ImportOptions, importStartups } from './import.ts';
import { type ImportVia, recordImport } from './import-log.ts';
import { type ImportReport, toReport } from './report.ts';
import type { ImportSummary } from './summary.ts';

/** An import that is listed with who ran it. */
export interface RecordedImport extends Omit<ImportOptions, 'beforeCommit'> {
  /** The id of an account, or a user of the operating system. */
  readonly user: string;
  readonly via: ImportVia;
  /** The id of the token that was used. */
  readonly token?: string | undefined;
  readonly now: () => number;
  /** When it began, in ms since 1970. */
  readonly startedAt: number;
  /** Run in the transaction that applies, after everything else. */
  readonly beforeCommit?: ((report: ImportReport) => Promise<void>) | undefined;
}

/** Imports startups, and records that in the same transaction: what the command, the path and the dashboard call. */
export function importAndRecord({
  user,
  via,
  token,
  now,
  startedAt,
  beforeCommit,
  ...options
}: RecordedImport): Promise<ImportSummary> {
  const { client, inputs, asOf } = options;
  return importStartups({
    ...options,
    async beforeCommit(summary) {
      const durationMs = now() - startedAt;
      await recordImport(client, {
        sources: inputs.map(({ name }) => name),
        importedBy: user,
        via,
        token,
        durationMs,
        asOf: asOf?.day ?? null,
        summary,
      });
      await beforeCommit?.(toReport(summary, { dryRun: false, durationMs }));
    },
  });
}
