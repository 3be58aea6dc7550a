import type { Html } from '../../shared/jsx.ts';
import { field, PostForm } from '../forms.tsx';
import type { Visit } from '../page.ts';
import type { Acting } from '../services.ts';

/** The form that disables a key or an account under the policy, or enables it again. */
export function stateForm(
  { path, sent }: Visit,
  what: { kind: 'key' | 'account'; isDisabled: boolean; disabling: string; enabling: string },
): Html {
  const { kind, isDisabled } = what;
  const label = `${isDisabled ? 'Enable' : 'Disable'} the ${kind}`;
  return (
    <section class={isDisabled ? 'card' : 'card danger'}>
      <h2>{label}</h2>
      <p>{isDisabled ? what.enabling : what.disabling}</p>
      <PostForm
        action={`${path}/${isDisabled ? 'enable' : 'disable'}`}
        button={label}
        kind={isDisabled ? undefined : 'danger'}
      >
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

/** What the form does. */
export function stateActs(
  kind: 'key' | 'account',
  disable: (acting: Acting, id: string, reason: string) => Promise<unknown>,
  enable: (acting: Acting, id: string, reason?: string) => Promise<unknown>,
) {
  const reasonIn = ({ form }: Visit): string => (form.reason ?? '').trim();
  return {
    // The reason is required here, unlike on the command line: its reader in the dashboard cannot ask the operator.
    '/disable': async (visit: Visit) => {
      await disable(visit.acting, visit.id, reasonIn(visit));
      return `${visit.path}?notice=${kind}-disable`;
    },
    '/enable': async (visit: Visit) => {
      await enable(visit.acting, visit.id, reasonIn(visit) || undefined);
      return `${visit.path}?notice=${kind}-enable`;
    },
  };
}
