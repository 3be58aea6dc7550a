import type { ThreadConnection } from '../../db/open.ts';
import type { AsOf } from './as-of.ts';
import type { ImportProgress, Statement } from './import.ts';
import type { ImportVia } from './import-log.ts';
import type { Mapping } from './mapping.ts';
import type { MappingSuggestion } from './suggest-mapping.ts';
import type { ImportSummary } from './summary.ts';

/** What is imported from a staged file in a thread of its own: plain values. */
export interface ImportJob {
  /** The name in messages and in the list of imports, also for detecting the format. */
  readonly name: string;
  /** An open file descriptor of this process. */
  readonly fd: number;
  readonly bytes: number;
  /** The most bytes after unpacking. */
  readonly mostUnpacked: number;
  readonly mapping: Mapping;
  readonly dryRun: boolean;
  /** Whether the valid records are imported if others are invalid. */
  readonly skipInvalid: boolean;
  readonly replace?: { readonly yes: boolean } | undefined;
  readonly asOf?: AsOf | undefined;
  readonly authorize: Statement;
  readonly user: string;
  readonly via: ImportVia;
  readonly token?: string | undefined;
  /** Stores the result with the import, for a repeated request. */
  readonly once?: OnceKey | undefined;
}

/** A staged file for which a mapping is suggested. */
export type SuggestJob = Pick<ImportJob, 'name' | 'fd' | 'bytes'>;

/** The task of a thread. */
export type ThreadTask =
  | { readonly type: 'import'; readonly job: ImportJob; readonly connection: ThreadConnection }
  | { readonly type: 'suggest'; readonly job: SuggestJob };

/** What ends it: the signal of the caller, or a database that does not answer. */
export type ThreadMessage = 'stop' | 'lost';

/** An Idempotency-Key and what it was used for. */
export interface OnceKey {
  readonly token: string;
  readonly key: string;
  /** SHA-256 of the body and the parameters, in hexadecimal digits. */
  readonly digest: string;
}

/** What an import did. */
export interface ImportResult {
  readonly summary: ImportSummary;
  readonly durationMs: number;
}

/** The messages of the thread. After every one but `progress`, it ends. */
export type ImportEvent =
  | { readonly type: 'progress'; readonly progress: ImportProgress }
  | ({ readonly type: 'done' } & ImportResult)
  | { readonly type: 'suggested'; readonly suggestion: MappingSuggestion }
  | { readonly type: 'invalid'; readonly summary: ImportSummary; readonly reason: string }
  /** An error for the operator, one line each. */
  | { readonly type: 'refused'; readonly kind: RefusalKind; readonly lines: [string, ...string[]] }
  /** An unexpected error; its code says whether the database is unavailable. */
  | { readonly type: 'failed'; readonly message: string; readonly code: string | undefined };

/** Why an import was refused, where callers tell that apart. */
export type RefusalKind = 'running' | 'too large' | 'right ended' | 'other';
