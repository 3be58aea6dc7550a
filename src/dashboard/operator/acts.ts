import { OperatorError, UnknownError } from '../../errors.ts';
import type { Html } from '../../html.ts';
import { operatorsOnly, type Page, type Route } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';
import { reasonForm } from './frame.ts';

/** What the page of a thing tells after something was done to it, or why it was not. */
export interface Told {
  readonly fault?: string;
  readonly done?: string | null;
}

type Acting = ReturnType<typeof actingAsOperator>;

/** The page of one thing, and what may be done to it: each by its own form, and told on the page. */
export function actRoutes(
  services: Services,
  path: string,
  show: (id: string, told: Told) => Promise<Page>,
  acts: Readonly<Record<string, (acting: Acting, id: string, form: URLSearchParams) => Promise<unknown>>>,
): Route[] {
  return [
    operatorsOnly('GET', `${path}/:id`, ({ params, query }) =>
      show(params.id ?? '', { done: query.get('done') }),
    ),
    ...Object.entries(acts).map(([name, act]) =>
      operatorsOnly('POST', `${path}/:id/${name}`, async ({ params, form, visitor }) => {
        const id = params.id ?? '';
        try {
          await act(actingAsOperator(services, visitor), id, form);
        } catch (error) {
          if (error instanceof OperatorError && !(error instanceof UnknownError)) {
            return show(id, { fault: error.message });
          }
          throw error;
        }
        return { location: `${path}/${id}?done=${name}` };
      }),
    ),
  ];
}

/** The command line may leave it out when it disables; who reads it here has nobody to ask. */
export const reasonToDisable = (form: URLSearchParams): string => (form.get('reason') ?? '').trim();

export const reasonToEnable = (form: URLSearchParams): string | undefined =>
  reasonToDisable(form) || undefined;

/** The form that disables a thing, or enables it again. */
export function stateForm(
  thing: { name: string; path: string; isDisabled: boolean; disabling: string; enabling: string },
  fault: string | undefined,
): Html {
  const { name, path, isDisabled } = thing;
  const [act, word] = isDisabled ? ['enable', 'Enable'] : ['disable', 'Disable'];
  return reasonForm({
    action: `${path}/${act}`,
    title: `${word} the ${name}`,
    text: isDisabled ? thing.enabling : thing.disabling,
    button: `${word} the ${name}`,
    hint: isDisabled
      ? 'For the audit trail only; may be left out.'
      : 'Its holder reads it. 1 to 500 characters.',
    isDangerous: !isDisabled,
    fault,
  });
}
