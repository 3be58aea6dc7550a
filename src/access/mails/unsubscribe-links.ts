import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../lib/text/digest.ts';

/** The page that ends the emails about what an account saved. */
export const UNSUBSCRIBE_PATH = '/dashboard/unsubscribe';

/** Links that end emails of an account without signing in. They work as long as the secret is the same. */
export function createUnsubscribeLinks(secret: string) {
  const signatureOf = (accountId: string): string =>
    createHmac('sha256', secret).update(`unsubscribe ${accountId}`).digest('base64url');
  return {
    pathOf: (accountId: string): string => `${UNSUBSCRIBE_PATH}?token=${accountId}.${signatureOf(accountId)}`,
    /** The account of a token; undefined for a forged one. */
    read(token: string): string | undefined {
      const [accountId = '', signature = '', ...more] = token.split('.');
      return more.length === 0 && isSameSecret(signature, signatureOf(accountId)) ? accountId : undefined;
    },
  };
}

export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>;
