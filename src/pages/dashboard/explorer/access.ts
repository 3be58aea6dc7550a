import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { findPolicyAcceptance } from '../../../accounts/change.ts';
import { redirect, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';

/** Redirects visitors who have not accepted the policy in force to its page. */
export function requireAcceptedPolicy({
  prisma,
  policy,
}: Pick<Services, 'prisma' | 'policy'>): MiddlewareHandler<SignedInEnv> {
  return createMiddleware<SignedInEnv>(async (context, next) =>
    (await findPolicyAcceptance(prisma, context.var.visitor.id, policy.version)) === null
      ? redirect(context, '/dashboard/policy?needed')
      : next(),
  );
}
