import type { ActContext } from '../audit/act.ts';
import type { PrismaClient } from '../db/generated/client/client.ts';
import type { CheckDocument } from '../documents/publish.ts';
import type { RandomBytes } from '../keys/base62.ts';
import type { Policy } from '../keys/policy.ts';
import type { Mailer } from '../mail/mail.ts';
import type { Counter } from '../rate-limit/counter.ts';
import type { TierLimits } from '../rate-limit/tiers.ts';
import type { Auth, Visitor } from './auth.ts';

/** What the handlers of pages work with. */
export interface Services {
  readonly prisma: PrismaClient;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly auth: Auth;
  /** What attempts are counted with. */
  readonly counter: Counter;
  /** Whether mails are sent, printed, or neither. */
  readonly mail: Mailer['kind'];
  /** Whether one can sign in with GitHub. */
  readonly hasGithub: boolean;
  /** The policy in force. */
  readonly policy: Policy;
  readonly limits: TierLimits;
  /** Checks a document that a key is to ask for by its id. */
  readonly checkDocument: CheckDocument;
  /** Where the gateway is reached, such as https://api.example.com. */
  readonly origin: string;
}

/** A visitor who acts for itself: it sees and changes its own keys only. */
export function actingFor(
  { prisma, now, randomBytes }: Pick<Services, 'prisma' | 'now' | 'randomBytes'>,
  visitor: Pick<Visitor, 'id'>,
): ActContext & { readonly randomBytes: RandomBytes } {
  return { prisma, now, randomBytes, actor: visitor.id, holder: visitor.id };
}
