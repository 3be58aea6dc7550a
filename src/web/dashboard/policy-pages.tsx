import { Hono } from 'hono';
import { acceptPolicy, findPolicyAcceptance } from '../../access/accounts/change.ts';
import { OperatorError } from '../../lib/errors.ts';
import { Notice } from '../shared/components.tsx';
import { renderMarkdown } from '../shared/markdown.tsx';
import { time } from '../shared/time.tsx';
import { action, view } from './form-actions.ts';
import { PostForm } from './forms.tsx';
import { type DashboardEnv, type Page, type PageContext, redirect, type SignedInContext } from './page.ts';
import { actingFor, type Services } from './services.ts';

/** The acceptable-use policy, and its acceptance. */
export function policyRoutes(services: Services): Hono<DashboardEnv> {
  const { prisma, policy } = services;
  const text = renderMarkdown(policy.text);

  const page = async (context: PageContext | SignedInContext): Promise<Page> => {
    const { visitor } = context.var;
    const acceptedAt =
      visitor === undefined ? null : await findPolicyAcceptance(prisma, visitor.id, policy.version);
    const isAsked = visitor !== undefined && acceptedAt === null;
    return {
      title: 'Acceptable use',
      main: (
        <>
          {isAsked && context.req.query('needed') !== undefined && (
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
          {isAsked && (
            <div class="card prose">
              <PostForm action="/dashboard/policy" button="Accept">
                <label class="choice">
                  <input type="checkbox" name="accept" value={policy.version} required />I have read version{' '}
                  {policy.version} of the acceptable-use policy and accept it.
                </label>
              </PostForm>
            </div>
          )}
        </>
      ),
    };
  };

  const accept = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    if (form.accept !== policy.version) {
      // The box is not ticked, or a newer version came into force while the user read this one.
      throw new OperatorError(
        'The policy was not accepted: read it, then select the box at the end of the page.',
      );
    }
    await acceptPolicy(actingFor(services, visitor), visitor.id, policy.version);
    return redirect(context, '/dashboard/keys/new');
  };

  return new Hono<DashboardEnv>()
    .get('/dashboard/policy', view(page))
    .post('/dashboard/policy', action<SignedInContext>(page, accept));
}
