import { deadLink } from './mail-pages.tsx';

/** The content of a token of a mail. Its signature is not checked here, but where the token is used. */
interface AuthTokenContent {
  readonly email: string;
  /** The new address. */
  readonly updateTo: string | undefined;
  /** Whether the old address allows the change; else the new one confirms it. */
  readonly isPermission: boolean;
}

/**
 * Reads a token of a mail.
 *
 * @throws OtherPage for an invalid one.
 */
export function readAuthToken(token: string): AuthTokenContent {
  try {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { email, updateTo, requestType } = JSON.parse(text) as Record<string, unknown>;
    if (typeof email === 'string') {
      return {
        email,
        updateTo: typeof updateTo === 'string' ? updateTo : undefined,
        isPermission: requestType === 'change-email-confirmation',
      };
    }
  } catch {
    // Not a token.
  }
  throw deadLink();
}
