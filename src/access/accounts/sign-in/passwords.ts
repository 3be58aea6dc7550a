import { ApiError } from '../../../lib/errors.ts';
import { WorkQueue } from '../../../lib/loop/work-queue.ts';

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
}

/** The allowed number of characters of a password. */
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 128;

/**
 * A hash takes 32 MB and a thread for some 50 ms, and the same threads read files and resolve names.
 * So few run at once, some wait, and further visitors are asked to try again later.
 */
const AT_ONCE = 2;
const WAITING_MAX = 50;
/** When those that wait have had their turn, even on a slow machine. */
const RETRY_SECONDS = 60;

/**
 * Hashes with scrypt as better-auth does (N 16384, r 16, p 1), a few at a time.
 *
 * @throws ApiError RATE_LIMITED from both if too many wait.
 */
export function createPasswordHashing(scrypt: PasswordHashing = betterAuthScrypt): PasswordHashing {
  const queue = new WorkQueue(AT_ONCE);
  let begun = 0;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (begun >= AT_ONCE + WAITING_MAX) {
      throw new ApiError('RATE_LIMITED', 'Too many people are signing in at this moment.', [], RETRY_SECONDS);
    }
    begun += 1;
    try {
      return await queue.run('', work);
    } finally {
      begun -= 1;
    }
  };
  return {
    hash: (password) => inTurn(() => scrypt.hash(password)),
    verify: (input) => inTurn(() => scrypt.verify(input)),
  };
}

const betterAuthScrypt: PasswordHashing = {
  hash: async (password) => (await import('better-auth/crypto')).hashPassword(password),
  verify: async (input) => (await import('better-auth/crypto')).verifyPassword(input),
};
