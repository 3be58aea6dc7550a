import type { ErrorDetail } from '../../errors.ts';
import { type Content, type Html, html } from '../../html.ts';
import type { FacetCount } from '../../startups/catalogue/summary.ts';
import { bounds } from '../../startups/filter.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../startups/list-parameters.ts';
import { type StartupSort, sortDescriptions } from '../../startups/vocabulary.ts';
import { count, shortMoney, wordsOf } from '../figures.ts';

/** The parameters whose values are counted. */
export const countedParameters = ['onSale', 'category', 'teamSize', 'fundingStatus'] as const;
type CountedParameter = (typeof countedParameters)[number];

/** What the form shows. */
export interface FilterForm {
  /** What was asked for, as it was typed. */
  readonly values: URLSearchParams;
  readonly errors: readonly ErrorDetail[];
  /** How many startups each choice would leave; undefined where nothing was read. */
  readonly counts: Readonly<Record<CountedParameter, readonly FacetCount<unknown>[]>> | undefined;
  /** The order of a list that asks for none. */
  readonly defaultSort: StartupSort;
}

const PATH = '/dashboard/explorer';

/** Filters and orders as a form: a field for each parameter that lists take, in their order. */
export function filterForm(form: FilterForm): Html {
  const names = (Object.keys(listParameters) as ListParameterName[]).filter((name) => name !== 'page');
  const ranged = new Set<string>(bounds.flatMap(({ min, max }) => [min, max]));
  const isOrder = (name: string): boolean => name === 'sort' || name === 'limit';
  const choices = names.filter((name) => !ranged.has(name) && !isOrder(name));
  return html`<form class="card filters" action="${PATH}" method="get" role="search" aria-label="Startups">
<div class="grid">
${choices.map((name) => single(name, form))}
${bounds.map((range) => rangeFields(range, form))}
${names.filter(isOrder).map((name) => single(name, form))}
<div class="actions"><button>Show</button>${form.values.size > 0 && html`<a class="button second" href="${PATH}">Reset</a>`}</div>
</div>
<details class="help"><summary>What the fields mean</summary><dl>${names.map(
    (name) =>
      html`<div><dt>${wordsOf(name)} <code>${name}</code></dt><dd id="${name}-help">${listParameters[name].description}</dd></div>`,
  )}</dl></details>
</form>`;
}

function single(name: ListParameterName, form: FilterForm): Html {
  return html`<div class="field"><label for="${name}">${wordsOf(name)}</label>${control(name, form)}${errorOf(name, form, '')}</div>`;
}

function rangeFields({ name: bounded, min, max, divisor }: (typeof bounds)[number], form: FilterForm): Html {
  const isMoney = divisor === 1;
  const unit = isMoney ? 'US cents' : 'fraction: 0.1 is 10 %';
  const amounts = isMoney ? [min, max].map((name) => amountOf(form.values.get(name))) : [];
  const told = amounts.some((amount) => amount !== '');
  return html`<fieldset class="field range"><legend>${wordsOf(bounded)} <span class="unit">${unit}${isMoney && html`<span data-amounts>${told && `: ${amounts.map((amount) => amount || '…').join(' to ')}`}</span>`}</span></legend>
<div class="pair">${[min, max].map(
    (name, index) =>
      html`<label class="hidden" for="${name}">${wordsOf(name)}, ${unit}</label>${control(name, form, index === 0 ? 'from' : 'to')}`,
  )}</div>
${[min, max].map((name) => errorOf(name, form, `${wordsOf(name)}: `))}</fieldset>`;
}

function amountOf(value: string | null): string {
  return value !== null && /^-?\d{1,15}(\.\d+)?$/.test(value) ? shortMoney(Number(value)) : '';
}

function control(name: ListParameterName, form: FilterForm, placeholder?: string): Html {
  const parameter: ListParameter = listParameters[name];
  const value = form.values.get(name) ?? '';
  const isInvalid = form.errors.some(({ parameter }) => parameter === name);
  const attributes = html` id="${name}" name="${name}" aria-describedby="${name}-help${isInvalid && ` ${name}-error`}"${isInvalid && html` aria-invalid="true"`}`;
  switch (parameter.kind) {
    case 'choice':
      return select(
        attributes,
        value,
        parameter.values.map((one) => [one, one]),
        name,
        form,
      );
    case 'boolean':
      return select(
        attributes,
        value,
        [
          ['true', 'yes'],
          ['false', 'no'],
        ],
        name,
        form,
      );
    case 'integer':
      return html`<input${attributes} type="number" min="${parameter.minimum}" max="${parameter.maximum}" placeholder="${parameter.default}" value="${value}">`;
    case 'number':
      return html`<input${attributes} inputmode="decimal" maxlength="40" autocomplete="off" placeholder="${placeholder}" value="${value}">`;
    case 'handle':
      return html`<input${attributes} maxlength="31" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="any" value="${value}">`;
  }
}

function select(
  attributes: Html,
  value: string,
  options: readonly (readonly [value: string, label: string])[],
  name: ListParameterName,
  { counts, defaultSort }: FilterForm,
): Html {
  const counted = isCounted(name) ? counts?.[name] : undefined;
  const label = (one: string, text: string): Content =>
    name === 'sort'
      ? sortLabel(one as StartupSort)
      : html`${text}${counted !== undefined && ` (${count(counted.find((facet) => String(facet.value) === one)?.count ?? 0)})`}`;
  const unknown = value !== '' && !options.some(([one]) => one === value);
  return html`<select${attributes}><option value="">${name === 'sort' ? `${sortLabel(defaultSort)} (default)` : 'any'}</option>${options.map(
    ([one, text]) =>
      html`<option value="${one}"${one === value && html` selected`}>${label(one, text)}</option>`,
  )}${unknown && html`<option value="${value}" selected>${value}</option>`}</select>`;
}

/** The first words of what an order is, which say enough in a list. */
function sortLabel(sort: StartupSort): string {
  return sortDescriptions[sort].replace(/[:.].*$/, '');
}

function isCounted(name: string): name is CountedParameter {
  return (countedParameters as readonly string[]).includes(name);
}

function errorOf(name: string, { errors }: FilterForm, of: string): Html[] {
  return errors
    .filter(({ parameter }) => parameter === name)
    .map(({ message }) => html`<p class="error" id="${name}-error">${of}${message}</p>`);
}
