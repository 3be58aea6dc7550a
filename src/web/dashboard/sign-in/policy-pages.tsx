import { acceptPolicy, findPolicyAcceptance } from '../../../access/accounts/change.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { page, safeNext, someoneOf } from '../../page/page.ts';
import { policyFirst } from '../../page/policy.tsx';
import type { Services } from '../../page/services.ts';

/** The acceptable-use policy, and its acceptance. */
export function policyPages({ prisma, policy, origin }: Services) {
  return [
    page({
      path: '/dashboard/policy',
      view: async (visit) => {
        const visitor = someoneOf(visit);
        const acceptedAt = visitor && (await findPolicyAcceptance(prisma, visitor.id, policy.version));
        return acceptedAt === null ? policyFirst(policy, '') : '/policy';
      },
      act: async ({ acting, visitor, form }) => {
        if (form.accept !== policy.version) {
          // A newer version came into force while the user read this one.
          throw new OperatorError('There is a newer version of the policy. Read it, then accept it.');
        }
        await acceptPolicy(acting, visitor.id, policy.version);
        return safeNext(form.next, origin, '/dashboard/keys/new');
      },
    }),
  ];
}
