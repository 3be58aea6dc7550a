import type { Hono } from 'hono';
import { OperatorError, UnknownError } from '../../lib/errors.ts';
import { requireAcceptedPolicy } from './access.ts';
import {
  type Audience,
  type DashboardEnv,
  FieldErrors,
  type Outcome,
  type Page,
  type PageRow,
  redirect,
  type SentForm,
  type SignedInContext,
  type Visit,
} from './page.ts';
import { factorFieldIfOld, requireFreshFactor } from './second-factor/factor-form.tsx';
import { actingAsOperator, actingFor, type Services } from './services.ts';

/** Adds pages to the dashboard, which has checked who may see them. */
export function addPages(
  app: Hono<DashboardEnv>,
  services: Services,
  rows: readonly PageRow<unknown>[],
  audience: Audience,
): void {
  const hasAccepted = requireAcceptedPolicy(services);
  for (const row of rows) {
    const { path, load = () => undefined, view, forms = {}, isGuarded = false } = row;
    const visitOf = (context: SignedInContext, sent: SentForm = { values: {}, errors: {} }): Visit => {
      const { visitor, form } = context.var;
      const here = path.replace(/:(\w+)/g, (_, name: string) => context.req.param(name) ?? '');
      return {
        ...{ context, visitor, form, sent, path: here, up: here.slice(0, here.lastIndexOf('/')) },
        id: context.req.param('id') ?? '',
        query: (name) => context.req.query(name),
        factor: isGuarded ? factorFieldIfOld(services, visitor, sent) : null,
        get acting() {
          return audience === 'operators'
            ? actingAsOperator(services, visitor)
            : actingFor(services, visitor);
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
      const above = typeof back === 'string' ? { back: { path: visit.up, label: back } } : {};
      return visit.context.render({ ...outcome, ...above });
    };
    const show = async (visit: Visit, loaded: unknown, more: Partial<Page> = {}): Promise<Response> => {
      const shown = await view?.(visit, loaded);
      return answer(
        visit,
        typeof shown === 'object' && 'main' in shown ? { ...shown, ...more } : (shown ?? visit.up),
      );
    };

    const checks = row.needsPolicy ? [hasAccepted] : [];
    const add = (
      method: string,
      at: string,
      handle: (context: SignedInContext) => Promise<Response>,
    ): void => {
      for (const check of checks) {
        app.on(method, at, check as never);
      }
      app.on(method, at, handle as never);
    };
    if (view !== undefined && !row.isFormOnly) {
      add('GET', path, async (context) => {
        const visit = visitOf(context);
        return show(visit, await load(visit));
      });
    }
    for (const [at, act] of Object.entries(forms)) {
      add('POST', at.startsWith('/dashboard') ? at : path + at, async (context) => {
        const visit = visitOf(context);
        const loaded = await load(visit);
        try {
          if (isGuarded) {
            await requireFreshFactor(services, context);
          }
          return answer(visit, await act(visit, loaded));
        } catch (error) {
          if (error instanceof FieldErrors) {
            return show(visitOf(context, { values: visit.form, errors: error.fields }), loaded, {
              status: 400,
            });
          }
          if (error instanceof OperatorError && !(error instanceof UnknownError)) {
            return show(visitOf(context, { values: visit.form, errors: {} }), loaded, {
              errors: error.lines,
            });
          }
          throw error;
        }
      });
    }
  }
}
