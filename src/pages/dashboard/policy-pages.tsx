import { Hono } from 'hono';
import { acceptPolicy, findPolicyAcceptance } from '../../accounts/change.ts';
import { Notice } from '../shared/components.tsx';
import type { Html } from '../shared/jsx.ts';
import { renderMarkdown } from '../shared/markdown.tsx';
import { time } from '../shared/time.tsx';
import type { Visitor } from './auth.ts';
import { PostForm } from './forms.tsx';
import { type DashboardEnv, type Page, redirect, type SignedInContext } from './page.ts';
import { actingFor, type Services } from './services.ts';

/** The acceptable-use policy, and its acceptance. */
export function policyRoutes(services: Services): Hono<DashboardEnv> {
  const { prisma, policy } = services;
  const text = renderMarkdown(policy.text);

  const page = async (visitor: Visitor | undefined, isNeeded: boolean, error?: string): Promise<Page> => {
    const acceptedAt =
      visitor === undefined ? null : await findPolicyAcceptance(prisma, visitor.id, policy.version);
    const isAsked = visitor !== undefined && acceptedAt === null;
    return {
      errors: error === undefined ? [] : [error],
      title: 'Acceptable use',
      main: (
        <>
          {isAsked && isNeeded && (
            <Notice tone="warn">
              Read this policy and accept it at the end of the page. Then you can create a key.
            </Notice>
          )}
          {acceptedAt !== null && (
            <Notice>
              You accepted version {policy.version} on {time(acceptedAt)}.
            </Notice>
          )}
          <div class="card prose">{text}</div>
          {isAsked && acceptance(policy.version)}
        </>
      ),
    };
  };

  return new Hono<DashboardEnv>()
    .get('/dashboard/policy', async (context) =>
      context.render(await page(context.var.visitor, context.req.query('needed') !== undefined)),
    )
    .post('/dashboard/policy', async (context: SignedInContext) => {
      const { visitor, form } = context.var;
      if (form.accept !== policy.version) {
        // The box is not ticked, or a newer version came into force while the user read this one.
        const error = 'The policy was not accepted: read it, then select the box at the end of the page.';
        return context.render(await page(visitor, false, error));
      }
      await acceptPolicy(actingFor(services, visitor), visitor.id, policy.version);
      return redirect(context, '/dashboard/keys/new');
    });
}

function acceptance(version: string): Html {
  return (
    <div class="card prose">
      <PostForm action="/dashboard/policy" button="Accept">
        <label class="choice">
          <input type="checkbox" name="accept" value={version} required />I have read version {version} of the
          acceptable-use policy and accept it.
        </label>
      </PostForm>
    </div>
  );
}
