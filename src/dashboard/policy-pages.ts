import { acceptPolicy, findPolicyAcceptance } from '../accounts/accept-policy.ts';
import { type Html, html } from '../html.ts';
import { notice, time } from './forms.ts';
import { renderMarkdown } from './markdown.ts';
import { open, type Page, type PageContext, type Route, signedIn } from './page.ts';
import { actingFor, type Services } from './services.ts';

/** The acceptable-use policy, and its acceptance. */
export function policyRoutes(services: Services): Route[] {
  const { prisma, policy } = services;
  const text = renderMarkdown(policy.text);

  const page = async ({ visitor, query }: PageContext, fault?: string): Promise<Page> => {
    const acceptedAt =
      visitor === undefined ? null : await findPolicyAcceptance(prisma, visitor.id, policy.version);
    const isAsked = visitor !== undefined && acceptedAt === null;
    return {
      status: fault === undefined ? 200 : 400,
      title: 'Acceptable use',
      main: html`${fault !== undefined && notice(fault, 'wrong')}${isAsked && query.has('needed') && notice('Before you make a key, read this policy and accept it at its end.', 'warn')}
${acceptedAt !== null && notice(html`You accepted version ${policy.version} on ${time(acceptedAt)}.`)}
<div class="card prose">${text}</div>
${isAsked && acceptance(policy.version)}`,
    };
  };

  return [
    open('GET', '/dashboard/policy', (context) => page(context)),
    signedIn('POST', '/dashboard/policy', async (context) => {
      const { visitor, form } = context;
      if (form.get('accept') !== policy.version) {
        // Not ticked, or a newer version took its place while this one was read.
        return page(context, 'Nothing was accepted: read the policy, and tick the box at its end.');
      }
      await acceptPolicy(actingFor(services, visitor), visitor.id, policy.version);
      return { location: '/dashboard/keys/new' };
    }),
  ];
}

function acceptance(version: string): Html {
  return html`<div class="card prose"><form class="stack" method="post" action="/dashboard/policy">
<label class="choice"><input type="checkbox" name="accept" value="${version}" required>I have read version ${version} of the acceptable-use policy and accept it.</label>
<div class="actions"><button>Accept</button></div>
</form></div>`;
}
