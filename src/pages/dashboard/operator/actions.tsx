import { Hono } from 'hono';
import type { Html } from '../../shared/jsx.ts';
import { field, PostForm } from '../forms.tsx';
import { type Form, orShow, type Page, redirect, type SignedInEnv } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';

/** The outcome of an action, for the page that it belongs to. */
export interface Outcome {
  /** Why it failed. */
  readonly error?: string;
  /** The name of the completed action. */
  readonly done?: string | undefined;
}

type Acting = ReturnType<typeof actingAsOperator>;

/** The page of one key or account, and the actions on it: each has a separate form; the page shows the outcome. */
export function actRoutes(
  services: Services,
  path: string,
  show: (id: string, outcome: Outcome) => Promise<Page>,
  acts: Readonly<Record<string, (acting: Acting, id: string, form: Form) => Promise<unknown>>>,
): Hono<SignedInEnv> {
  const app = new Hono<SignedInEnv>();
  app.get(`${path}/:id`, async (context) =>
    context.render(await show(context.req.param('id') ?? '', { done: context.req.query('done') })),
  );
  for (const [name, act] of Object.entries(acts)) {
    app.post(`${path}/:id/${name}`, async (context) => {
      const id = context.req.param('id') ?? '';
      return orShow(
        async () => {
          await act(actingAsOperator(services, context.var.visitor), id, context.var.form);
          return redirect(context, `${path}/${id}?done=${name}`);
        },
        async ({ message }) => context.render(await show(id, { error: message })),
      );
    });
  }
  return app;
}

/** Required here, unlike on the command line: its reader in the dashboard cannot ask the operator. */
export const reasonToDisable = (form: Form): string => (form.reason ?? '').trim();

export const reasonToEnable = (form: Form): string | undefined => reasonToDisable(form) || undefined;

/** The form that disables a thing under the policy, or enables it again. */
export function stateForm(
  thing: { name: string; path: string; isDisabled: boolean; disabling: string; enabling: string },
  error: string | undefined,
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
          hint: isDisabled
            ? 'Optional, for the audit log only.'
            : 'Shown to its holder. 1 to 500 characters.',
          error,
        })}
      </PostForm>
    </section>
  );
}
