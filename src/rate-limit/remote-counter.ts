import type { Counter } from './counter.ts';

/** Why a remote counter could not answer. Its message may be shown to operators: it holds no secret. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
}

/** A counter elsewhere, for as long as it answers. */
export interface RemoteCounter {
  /** Its promises settle soon, and reject with RemoteError once it is down. */
  readonly counter: Counter;
  /** Resolves with why, once it is of no more use; never for {@link close}. */
  readonly down: Promise<string>;
  close(): void;
}
