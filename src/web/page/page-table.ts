import type { Hono } from 'hono';
import { findPolicyAcceptance } from '../../access/accounts/change.ts';
import { OperatorError, UnknownError } from '../../lib/errors.ts';
import { requestedPath } from './access.ts';
import { formPage } from './forms.tsx';
import {
  type Audience,
  type DashboardEnv,
  FieldErrors,
  type Form,
  type Outcome,
  type Page,
  type PageRow,
  redirect,
  type SentForm,
  type SignedInContext,
  type Visit,
} from './page.ts';
import { policyFirst } from './policy.tsx';
import { factorIfOld, requireFreshFactor } from './second-factor.ts';
import { actingAsOperator, actingFor, type Services } from './services.ts';

/** The forms of a page: the path that each is sent to, and what it does. */
export function formsOf<T>({ path, act, forms }: PageRow<T>) {
  const all = Object.entries({ ...forms, ...(act && { '': act }) });
  return all.map(([at, act]) => [at.startsWith('/dashboard') ? at : path + at, act] as const);
}

/** Adds pages to the dashboard, which has checked who may see them. */
export function addPages(
  app: Hono<DashboardEnv>,
  services: Services,
  rows: readonly PageRow<unknown>[],
  audience: Audience,
): void {
  const { prisma, policy } = services;
  const hasAccepted = async (id: string): Promise<boolean> =>
    (await findPolicyAcceptance(prisma, id, policy.version)) !== null;
  const actAs = audience === 'operators' ? actingAsOperator : actingFor;
  for (const row of rows) {
    const { path, load = () => undefined, view, isGuarded } = row;
    const visitOf = (context: SignedInContext, sent: SentForm = { values: {}, errors: {} }): Visit => {
      const { visitor, form } = context.var;
      const here = path.replace(/:(\w+)/g, (_, name: string) => context.req.param(name) ?? '');
      return {
        context,
        visitor,
        form,
        sent,
        path: here,
        up: here.slice(0, here.lastIndexOf('/')),
        id: context.req.param('id') ?? '',
        query: (name) => context.req.query(name),
        factor: isGuarded ? factorIfOld(services, visitor) : [],
        get acting() {
          return actAs(services, visitor);
        },
      };
    };
    const answer = (visit: Visit, outcome: Outcome): Response => {
      if (outcome instanceof Response) {
        return outcome;
      }
      if (typeof outcome === 'string' || 'to' in outcome) {
        const { to, cookies } = typeof outcome === 'string' ? { to: outcome, cookies: [] } : outcome;
        return redirect(visit.context, to, cookies);
      }
      const { back } = outcome;
      const above =
        back !== undefined && 'name' in back ? { back: { path: visit.up, label: back.name } } : {};
      return visit.context.render({ ...outcome, ...above });
    };
    const show = async (visit: Visit, loaded: unknown, more: Partial<Page> = {}): Promise<Response> => {
      const shown = (await view?.(visit, loaded)) ?? visit.up;
      const page = typeof shown === 'object' && 'button' in shown ? formPage(visit, shown) : shown;
      return answer(visit, typeof page === 'object' && 'main' in page ? { ...page, ...more } : page);
    };

    const add = (method: string, at: string, handle: (visit: Visit) => Promise<Response>): void => {
      app.on(method, at, async (every) => {
        const context = every as unknown as SignedInContext;
        if (row.needsPolicy && !(await hasAccepted(context.var.visitor.id))) {
          return method === 'GET'
            ? context.render({ ...policyFirst(policy, requestedPath(context)), status: 403 })
            : redirect(context, '/dashboard/policy');
        }
        return handle(visitOf(context));
      });
    };
    if (view !== undefined && !row.isFormOnly) {
      add('GET', path, async (visit) => show(visit, await load(visit)));
    }
    for (const [at, act] of formsOf(row)) {
      add('POST', at, async (visit) => {
        const loaded = await load(visit);
        const again = (more: Partial<Page>, errors: Form = {}) =>
          show(visitOf(visit.context, { values: visit.form, errors }), loaded, more);
        try {
          if (isGuarded) {
            await requireFreshFactor(services, visit.context);
          }
          return answer(visit, await act(visit, loaded));
        } catch (error) {
          if (error instanceof FieldErrors) {
            return again(Object.keys(error.fields).length === 0 ? {} : { status: 400 }, error.fields);
          }
          if (error instanceof OperatorError && !(error instanceof UnknownError)) {
            return again({ errors: error.lines });
          }
          throw error;
        }
      });
    }
  }
}
