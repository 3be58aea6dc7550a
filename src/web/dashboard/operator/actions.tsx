import { Hono } from 'hono';
import type { Html } from '../../shared/jsx.ts';
import { action, type SentForm, view } from '../form-actions.ts';
import { field, PostForm } from '../forms.tsx';
import { type Form, type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';

type Acting = ReturnType<typeof actingAsOperator>;
type Acts = Readonly<Record<string, (acting: Acting, id: string, form: Form) => Promise<unknown>>>;

/** The page of one key or account, and the actions on it, each with a form on the page. */
export function actRoutes(
  services: Services,
  kind: 'key' | 'account',
  show: (id: string, sent: SentForm) => Promise<Page>,
  acts: Acts,
): Hono<SignedInEnv> {
  const path = `/dashboard/operator/${kind}s`;
  const page = (context: SignedInContext, sent: SentForm): Promise<Page> =>
    show(context.req.param('id') ?? '', sent);
  const app = new Hono<SignedInEnv>().get(`${path}/:id`, view(page));
  for (const [name, act] of Object.entries(acts)) {
    app.post(
      `${path}/:id/${name}`,
      action(page, async (context) => {
        const id = context.req.param('id') ?? '';
        await act(actingAsOperator(services, context.var.visitor), id, context.var.form);
        return redirect(context, `${path}/${id}?notice=${kind}-${name}`);
      }),
    );
  }
  return app;
}

/** The actions of {@link stateForm}. */
export function stateActs(
  disable: (acting: Acting, id: string, reason: string) => Promise<unknown>,
  enable: (acting: Acting, id: string, reason?: string) => Promise<unknown>,
): Acts {
  const reasonIn = (form: Form): string => (form.reason ?? '').trim();
  return {
    // The reason is required here, unlike on the command line: its reader in the dashboard cannot ask the operator.
    disable: (acting, id, form) => disable(acting, id, reasonIn(form)),
    enable: (acting, id, form) => enable(acting, id, reasonIn(form) || undefined),
  };
}

/** The form that disables a thing under the policy, or enables it again. */
export function stateForm(
  thing: { name: string; path: string; isDisabled: boolean; disabling: string; enabling: string },
  sent: SentForm,
): Html {
  const { name, path, isDisabled } = thing;
  const [act, word] = isDisabled ? ['enable', 'Enable'] : ['disable', 'Disable'];
  const label = `${word} the ${name}`;
  return (
    <section class={isDisabled ? 'card' : 'card danger'}>
      <h2>{label}</h2>
      <p>{isDisabled ? thing.enabling : thing.disabling}</p>
      <PostForm action={`${path}/${act}`} button={label} kind={isDisabled ? undefined : 'danger'}>
        {field({
          name: 'reason',
          label: 'Reason',
          autocomplete: 'off',
          maxLength: 500,
          isRequired: !isDisabled,
          sent,
          hint: isDisabled
            ? 'Optional, for the audit log only.'
            : 'Shown to its holder. 1 to 500 characters.',
        })}
      </PostForm>
    </section>
  );
}
