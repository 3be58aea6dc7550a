import type { OperatorAddresses } from '../../accounts/operators.ts';
import type { ActionContext } from '../../audit/run-action.ts';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { Database } from '../../db/open.ts';
import type { CheckDocument } from '../../documents/publish.ts';
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

/** A visitor with access to its own keys only. */
export function actingFor(
  { prisma, now, randomBytes }: Pick<Services, 'prisma' | 'now' | 'randomBytes'>,
  visitor: Pick<Visitor, 'id'>,
): ActionContext & { readonly randomBytes: RandomBytes } {
  return { prisma, now, randomBytes, actor: visitor.id, holder: visitor.id };
}

/** An operator with access to all keys and accounts. */
export function actingAsOperator(
  { prisma, now, randomBytes }: Pick<Services, 'prisma' | 'now' | 'randomBytes'>,
  visitor: Pick<Visitor, 'id' | 'isOperator'>,
): ActionContext & { readonly randomBytes: RandomBytes } {
  if (!visitor.isOperator) {
    throw new Error(`${visitor.id} is no operator`);
  }
  return { prisma, now, randomBytes, actor: visitor.id };
}
