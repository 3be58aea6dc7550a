import type { Html } from '../../shared/jsx.ts';
import { FormCard } from '../forms.tsx';
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
    <FormCard
      title={label}
      text={isDisabled ? what.enabling : what.disabling}
      isDanger={!isDisabled}
      action={`${path}/${isDisabled ? 'enable' : 'disable'}`}
      button={label}
      sent={sent}
      fields={[
        {
          name: 'reason',
          label: 'Reason',
          autocomplete: 'off',
          maxLength: 500,
          isRequired: !isDisabled,
          hint: isDisabled
            ? 'Optional, for the audit log only.'
            : 'Shown to its holder. 1 to 500 characters.',
        },
      ]}
    />
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
