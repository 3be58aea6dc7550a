import { isOperator, type OperatorAddresses } from '../../access/accounts/operators.ts';
import type { Auth, Visitor } from '../../access/accounts/sign-in/auth.ts';
import type { ActionContext } from '../../access/audit/audit-log.ts';
import type { CheckDocument } from '../../access/keys/documents/publish-and-remove.ts';
import type { Policy } from '../../access/keys/policy.ts';
import type { Counter } from '../../access/limits/counter.ts';
import type { Limiter } from '../../access/limits/limiter.ts';
import type { TierLimits } from '../../access/limits/tiers.ts';
import type { CountMail } from '../../access/mails/kinds.ts';
import type { UnsubscribeLinks } from '../../access/mails/saved-mail-settings.ts';
import type { BadgeSettings } from '../../api/feeds/badges.ts';
import type { NodeState } from '../../api/gateway/metrics/state.ts';
import type { Engine } from '../../api/graphql/execution/engine.ts';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { Database } from '../../db/open.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Mailer } from '../../lib/mail/open-mailer.ts';
import type { RandomBytes } from '../../lib/text/base62.ts';
import type { Service } from '../../lib/text/service.ts';
import type { KeptUploads } from '../../startups/import/kept-upload.ts';
import type { Importer } from '../../startups/import/thread/importer.ts';

/** What the dashboard gets from the rest of the gateway. */
export interface SharedServices {
  readonly prisma: PrismaClient;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  /** The counter for attempts. */
  readonly counter: Counter;
  readonly service: Service;
  /** The policy in force. */
  readonly policy: Policy;
  readonly limits: TierLimits;
  readonly checkDocument: CheckDocument;
  /** Runs what the explorer shows. */
  readonly engine: Engine;
  readonly limiter: Limiter;
  readonly node: NodeState;
  /** Why this node cannot answer; empty if it can. */
  readonly unready: () => readonly string[];
  readonly databaseKind: Database['kind'];
  readonly imports: {
    readonly importer: Importer;
    /** The uploaded files that are not imported yet. */
    readonly uploads: KeptUploads;
    /** For how many days history is kept. */
    readonly historyDays: number;
    /** Where files wait. */
    readonly stagingDirectory: string;
    /** The most bytes of a file after unpacking. */
    readonly mostUnpacked: number;
  };
  /** Undefined: there are no badges. */
  readonly badges: BadgeSettings | undefined;
  /** Counts what becomes of emails. */
  readonly onMail: CountMail;
  /** PUBLIC_URL, if it is set. */
  readonly publicUrl: string | undefined;
}

/** The services that handlers of pages use. */
export interface Services extends SharedServices {
  readonly auth: Auth;
  /** Whether mails are sent, printed, or neither. */
  readonly mail: Mailer['kind'];
  /** Finds out whether the mail server takes emails at this moment. @throws MailError when it does not. */
  readonly checkMail: Mailer['check'];
  readonly unsubscribeLinks: UnsubscribeLinks;
  readonly hasGithub: boolean;
  /** Whether only invited people get an account. */
  readonly isInvitedOnly: boolean;
  readonly operators: OperatorAddresses;
  /** Whether operators need a second factor. */
  readonly requiresFactor: boolean;
  /** The public origin of the gateway, such as https://api.example.com. */
  readonly origin: string;
}

/** Who changes something, and how it is recorded. */
export type Acting = ActionContext & { readonly randomBytes: RandomBytes };
type ActingServices = Pick<Services, 'prisma' | 'now' | 'randomBytes' | 'operators'>;

/** A visitor with access to its own keys only. */
export function actingFor(
  { prisma, now, randomBytes }: Omit<ActingServices, 'operators'>,
  { id, sessionId }: Pick<Visitor, 'id' | 'sessionId'>,
): Acting {
  const authorize = async (client: SessionClient): Promise<void> =>
    void (await requireSession(client, sessionId));
  return { prisma, now, randomBytes, actor: id, holder: id, authorize };
}

/** The sender of a request was an operator when it arrived, and is none any more: its page shows nothing of operators. */
export class RoleEndedError extends ApiError {
  constructor(message = 'There is no such page.') {
    super('NOT_FOUND', message);
  }
}

/** An operator with access to all keys and accounts. */
export function actingAsOperator(
  { prisma, now, randomBytes, operators }: ActingServices,
  { id, isOperator: wasOperator, sessionId }: Pick<Visitor, 'id' | 'isOperator' | 'sessionId'>,
): Acting {
  if (!wasOperator) {
    throw new Error(`${id} is no operator`);
  }
  const authorize = async (client: SessionClient): Promise<void> => {
    if (!isOperator(await requireSession(client, sessionId), operators)) {
      throw new RoleEndedError();
    }
  };
  return { prisma, now, randomBytes, actor: id, authorize };
}

type SessionClient = Pick<PrismaClient, 'session'>;

/** @throws ApiError UNAUTHENTICATED if the session has ended, or its account is disabled. */
async function requireSession(client: SessionClient, id: string) {
  const session = await client.session.findUnique({
    where: { id },
    select: {
      account: { select: { operator: true, email: true, emailVerified: true, disabledAt: true } },
    },
  });
  if (session === null || session.account.disabledAt !== null) {
    throw new ApiError('UNAUTHENTICATED', 'Your session has ended, so nothing was changed. Sign in again.');
  }
  return session.account;
}
