import type { Counter } from './counter.ts';

/** Why a remote counter could not answer. Its message may be shown to operators: it contains no secret. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
}

/** A remote counter, usable until its first error. */
export interface RemoteCounter {
  /** Its promises settle soon, and reject with RemoteError once it is down. */
  readonly counter: Counter;
  /** Resolves with the reason once it has failed; never for {@link close}. */
  readonly down: Promise<string>;
  close(): void;
}
