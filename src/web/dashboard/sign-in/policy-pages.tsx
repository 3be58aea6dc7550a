import { acceptPolicy, findPolicyAcceptance } from '../../../access/accounts/change.ts';
import type { Policy } from '../../../access/keys/policy.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { PostForm } from '../../page/forms.tsx';
import { type Page, page, safeNext, someoneOf } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import type { Content, Html } from '../../shared/jsx.ts';

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

/** In place of a page that needs the policy. @param next the page. */
export function policyFirst(policy: Policy, next: string): Page {
  return {
    title: 'Accept the policy to continue',
    isNarrow: true,
    main: (
      <div class="card">
        {policyRules(policy, true)}
        {acceptForm(policy, next)}
      </div>
    ),
  };
}

/** What who continues agrees to. */
export function policyRules(policy: Policy, isOpen = false): Content {
  return [
    <p class="small">
      By continuing, you agree to the <a href="/policy">acceptable-use policy</a>.
    </p>,
    <details open={isOpen}>
      <summary>What it says in short</summary>
      {rulesOf(policy)}
    </details>,
  ];
}

/** What a policy rules, by its sections that number their rules: the words in bold at the beginning of each. */
export const rulesOf = ({ text }: Policy): Html[] =>
  text.split(/^## /m).flatMap((section) => {
    const rules = [...section.matchAll(/^\d+\. \*\*([^*]+?)\.?\*\*/gm)].map(([, rule]) => rule);
    return rules.length === 0
      ? []
      : [
          <h2>{section.split('\n', 1)}</h2>,
          <ul>
            {rules.map((rule) => (
              <li>{rule}</li>
            ))}
          </ul>,
        ];
  });

function acceptForm({ version }: Policy, next: string): Html {
  return (
    <PostForm action="/dashboard/policy" button="Accept and continue" hidden={{ accept: version, next }}>
      <p class="soft small">You accept version {version}. It is recorded with your account.</p>
    </PostForm>
  );
}
