import { isOperator, type OperatorAddresses } from '../../accounts/operators.ts';
import type { ActionContext } from '../../audit/run-action.ts';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { Database } from '../../db/open.ts';
import type { CheckDocument } from '../../documents/publish.ts';
import { ApiError } from '../../errors.ts';
import type { Engine } from '../../graphql/execution/engine.ts';
import type { Policy } from '../../keys/policy.ts';
import type { Mailer } from '../../mail/open-mailer.ts';
import type { NodeState } from '../../metrics/state.ts';
import type { Counter } from '../../rate-limit/counter.ts';
import type { Limiter } from '../../rate-limit/limiter.ts';
import type { TierLimits } from '../../rate-limit/tiers.ts';
import type { Service } from '../../service/service.ts';
import type { Importer } from '../../startups/import/importer.ts';
import type { RandomBytes } from '../../text/base62.ts';
import type { BadgeSettings } from '../badges/badges.ts';
import type { Auth } from './auth.ts';
import type { Visitor } from './visitor.ts';

/** What imports of files need. */
export interface ImportServices {
  readonly importer: Importer;
  /** Where files wait. */
  readonly stagingDirectory: string;
  /** The most bytes of a file after unpacking. */
  readonly mostUnpacked: number;
}

/** The services that handlers of pages use. */
export interface Services {
  readonly prisma: PrismaClient;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly auth: Auth;
  /** The counter for attempts. */
  readonly counter: Counter;
  /** Whether mails are sent, printed, or neither. */
  readonly mail: Mailer['kind'];
  readonly hasGithub: boolean;
  /** Whether only invited people get an account. */
  readonly isInvitedOnly: boolean;
  readonly operators: OperatorAddresses;
  readonly service: Service;
  /** The policy in force. */
  readonly policy: Policy;
  readonly limits: TierLimits;
  readonly checkDocument: CheckDocument;
  /** The public origin of the gateway, such as https://api.example.com. */
  readonly origin: string;
  /** Runs what the explorer shows. */
  readonly engine: Engine;
  readonly limiter: Limiter;
  readonly node: NodeState;
  /** Why this node cannot answer; empty if it can. */
  readonly unready: () => readonly string[];
  readonly databaseKind: Database['kind'];
  readonly imports: ImportServices;
  /** Undefined: there are no badges. */
  readonly badges: BadgeSettings | undefined;
}

type Acting = ActionContext & { readonly randomBytes: RandomBytes };
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
      throw new ApiError('NOT_FOUND', 'There is no such page.');
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
