import type { ErrorDetail } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import type { FacetCount } from '../../startups/catalogue/summary.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../startups/list-parameters.ts';
import { type StartupSort, sortDescriptions, startupSorts } from '../../startups/vocabulary.ts';
import { count } from '../figures.ts';
import { choiceLabel, parameterLabel } from './labels.ts';
import { EXPLORER_PATH, type ExplorerQuery } from './query.ts';
import { type BoundField, ranges, showTyped } from './units.ts';

/** The parameters whose values are counted. */
export const countedParameters = ['category', 'onSale', 'fundingStatus', 'teamSize'] as const;
type CountedParameter = (typeof countedParameters)[number];

/** The content of the form. */
export interface FilterForm {
  readonly query: ExplorerQuery;
  readonly errors: readonly ErrorDetail[];
  /** How many startups each choice would leave; undefined if nothing was read. */
  readonly counts: Readonly<Record<CountedParameter, readonly FacetCount<unknown>[]>> | undefined;
}

/** The id of the form. On a phone it is shown while the URL ends in this fragment. */
export const FILTERS_ID = 'filters';
const FORM_ID = 'filter-form';

/** The filters, beside the list or, on a phone, above it when opened. */
export function filterForm(form: FilterForm): Html {
  return html`<aside class="rail" id="${FILTERS_ID}" aria-label="Filters">
<div class="rail-head"><h2>Filters</h2><a class="close" href="#results">Close</a></div>
<form id="${FORM_ID}" class="filters" action="${EXPLORER_PATH}" method="get" role="search" aria-label="Startups" data-apply>
${countedParameters.map((name) => labelled(name, select(name, form), form))}
${ranges.map(({ label, fields }) => rangeFields(label, fields, form))}
${labelled('xHandle', handleInput(form), form)}
${labelled('limit', limitInput(form), form)}
<noscript><button>Apply</button></noscript>
</form></aside>`;
}

/** The order of the list, which is part of the form wherever it is shown. */
export function sortControl({ parameters }: ExplorerQuery, defaultSort: StartupSort): Html {
  const asked = parameters.get('sort');
  return html`<div class="sort"><label for="sort">Sort</label><select id="sort" name="sort" form="${FORM_ID}">
<option value="">${sortLabel(defaultSort)} (default)</option>${startupSorts.map(
    (sort) => html`<option value="${sort}"${sort === asked && html` selected`}>${sortLabel(sort)}</option>`,
  )}</select><noscript><button form="${FORM_ID}" class="second">Sort</button></noscript></div>`;
}

/** The first words of the description of an order, which suffice in a list. */
function sortLabel(sort: StartupSort): string {
  return sortDescriptions[sort].replace(/[:.].*$/, '');
}

function labelled(name: ListParameterName, control: Html, form: FilterForm): Html {
  return html`<div class="field"><label for="${name}">${parameterLabel(name)}</label>${control}${errorOf(name, form)}</div>`;
}

function rangeFields(label: string, fields: readonly BoundField[], form: FilterForm): Html {
  return html`<fieldset class="field range"><legend>${label}</legend><div class="pair">${fields.map(
    ({ parameter, field, side, unit }) => {
      const given = form.query.parameters.get(parameter);
      const value = form.query.typed.get(parameter) ?? (given === null ? '' : showTyped(given, unit));
      return html`<span class="affixed" data-unit="${unit.symbol}"><label class="hidden" for="${parameter}">${parameterLabel(parameter)}, ${unit.symbol === '$' ? 'US dollars' : 'percent'}</label><input${attributes(parameter, form)} name="${field}" inputmode="${unit.symbol === '$' ? 'decimal' : 'text'}" maxlength="40" autocomplete="off" placeholder="${side === 'min' ? 'Min' : 'Max'}" value="${value}"></span>`;
    },
  )}</div>${fields.map(({ parameter }) => errorOf(parameter, form))}</fieldset>`;
}

/** A list of choices, those with most startups first. */
function select(name: CountedParameter, form: FilterForm): Html {
  const parameter: ListParameter = listParameters[name];
  const value = form.query.parameters.get(name) ?? '';
  const counted = form.counts?.[name];
  const options = (parameter.kind === 'choice' ? parameter.values : ['true', 'false'])
    .map((one) => ({
      value: one,
      startups: counted?.find((facet) => String(facet.value) === one)?.count ?? 0,
    }))
    .sort((a, b) => b.startups - a.startups);
  const isUnknown = value !== '' && !options.some((option) => option.value === value);
  return html`<select${attributes(name, form)} name="${name}"><option value="">Any</option>${options.map(
    (option) =>
      html`<option value="${option.value}"${option.value === value && html` selected`}>${choiceLabel(name, option.value)}${counted !== undefined && ` (${count(option.startups)})`}</option>`,
  )}${isUnknown && html`<option value="${value}" selected>${value}</option>`}</select>`;
}

function handleInput(form: FilterForm): Html {
  const value = form.query.parameters.get('xHandle') ?? '';
  return html`<span class="affixed" data-unit="@"><input${attributes('xHandle', form)} name="xHandle" maxlength="31" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="Any founder" value="${value.replace(/^@/, '')}"></span>`;
}

function limitInput(form: FilterForm): Html {
  const { minimum, maximum, default: most } = listParameters.limit;
  return html`<input${attributes('limit', form)} name="limit" type="number" min="${minimum}" max="${maximum}" placeholder="${most}" value="${form.query.parameters.get('limit') ?? ''}">`;
}

function attributes(name: ListParameterName, { errors }: FilterForm): Html {
  return html` id="${name}"${errors.some(({ parameter }) => parameter === name) && html` aria-invalid="true" aria-describedby="${name}-error"`}`;
}

function errorOf(name: ListParameterName, { errors }: FilterForm): Html[] {
  return errors
    .filter(({ parameter }) => parameter === name)
    .map(({ message }) => html`<p class="error" id="${name}-error">${message}</p>`);
}
