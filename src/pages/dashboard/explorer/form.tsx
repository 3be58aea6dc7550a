import type { ErrorDetail } from '../../../errors.ts';
import { isDay } from '../../../startups/days.ts';
import { startupFields } from '../../../startups/fields.ts';
import { bounds } from '../../../startups/filter.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
  SEARCH_LIMITS,
} from '../../../startups/requests/list-parameters.ts';
import { descriptionOf, type StartupSort, sortValues, startupSorts } from '../../../startups/vocabulary.ts';
import { count } from '../../shared/figures.tsx';
import type { Html, JSX } from '../../shared/jsx.ts';
import { choiceLabel, parameterLabel } from './labels.tsx';
import { EXPLORER_PATH, type ExplorerQuery } from './query.ts';
import { type BoundField, ranges, showTyped } from './units.ts';

/** The parameters whose values are counted. */
export const countedParameters = [
  'category',
  'onSale',
  'fundingStatus',
  'teamSize',
  'country',
  'paymentProvider',
  'targetAudience',
] as const;
export type CountedParameter = (typeof countedParameters)[number];

/** The bounds of dates. */
const dateParameters = bounds.flatMap(({ unit, min, max }) =>
  unit !== 'date' ? [] : max === undefined ? [min] : [min, max],
);

/** The content of the form. */
export interface FilterForm {
  readonly query: ExplorerQuery;
  readonly errors: readonly ErrorDetail[];
  /** How many startups each choice would leave; undefined if nothing was read. */
  readonly counts:
    | Readonly<Record<CountedParameter, readonly { readonly value: unknown; readonly count: number }[]>>
    | undefined;
}

/** The id of the form. On a phone it is shown while the URL ends in this fragment. */
export const FILTERS_ID = 'filters';
const FORM_ID = 'filter-form';

/** The filters, beside the list or, on a phone, above it when opened. */
export function filterForm(form: FilterForm): Html {
  const { minimum, maximum, default: most } = listParameters.limit;
  return (
    <aside class="rail" id={FILTERS_ID} aria-label="Filters">
      <div class="heading sub">
        <h2>Filters</h2>
        <a class="close" href="#results">
          Close
        </a>
      </div>
      <form
        id={FORM_ID}
        class="filters"
        action={EXPLORER_PATH}
        method="get"
        role="search"
        aria-label="Startups"
        data-apply=""
      >
        {countedParameters.map((name) => labelled(name, select(name, form), form))}
        {ranges.map(({ label, fields }) => rangeFields(label, fields, form))}
        {dateParameters.map((name) => labelled(name, dateInput(name, form), form))}
        {labelled('active', select('active', form), form)}
        {labelled('xHandle', handleInput(form), form)}
        {labelled(
          'website',
          input('website', form, {
            maxlength: startupFields.website.maxLength,
            autocomplete: 'off',
            autocapitalize: 'none',
            spellcheck: 'false',
            placeholder: 'acme.io',
          }),
          form,
        )}
        {labelled(
          'limit',
          input('limit', form, { type: 'number', min: minimum, max: maximum, placeholder: String(most) }),
          form,
        )}
        <noscript>
          <button>Apply</button>
        </noscript>
      </form>
    </aside>
  );
}

/** The search, which is part of the form above the list. */
export function searchControl(form: FilterForm): Html {
  return (
    <div class="actions search">
      <label class="hidden" for="search">
        Search
      </label>
      {input('search', form, {
        form: FORM_ID,
        type: 'search',
        maxlength: SEARCH_LIMITS.characters,
        autocomplete: 'off',
        placeholder: 'Search name, handle or description  ( / )',
      })}
      <button form={FORM_ID} class="second">
        Search
      </button>
      {errorOf('search', form)}
    </div>
  );
}

/** The order of the list, which is part of the form wherever it is shown. */
export function sortControl({ parameters }: ExplorerQuery, defaultSort: StartupSort): Html {
  const asked = parameters.get('sort');
  return (
    <div class="actions sort">
      <label for="sort">Sort</label>
      <select id="sort" name="sort" form={FORM_ID}>
        <option value="">{sortLabel(defaultSort)} (default)</option>
        {(parameters.has('search') ? sortValues : startupSorts)
          .filter((sort) => sort !== defaultSort)
          .map((sort) => (
            <option value={sort} selected={sort === asked}>
              {sortLabel(sort)}
            </option>
          ))}
      </select>
      <noscript>
        <button form={FORM_ID} class="second">
          Sort
        </button>
      </noscript>
    </div>
  );
}

/** The first words of the description of an order, which suffice in a list. */
function sortLabel(sort: StartupSort): string {
  return descriptionOf(sort).replace(/[:.].*$/, '');
}

function labelled(name: ListParameterName, control: Html, form: FilterForm): Html {
  return (
    <div class="field">
      <label for={name}>{parameterLabel(name)}</label>
      {control}
      {errorOf(name, form)}
    </div>
  );
}

function rangeFields(label: string, fields: readonly BoundField[], form: FilterForm): Html {
  return (
    <fieldset class="field range">
      <legend>{label}</legend>
      <div class="pair">
        {fields.map(({ parameter, field, side, unit }) => {
          const given = form.query.parameters.get(parameter);
          const value = form.query.typed.get(parameter) ?? (given === null ? '' : showTyped(given, unit));
          return (
            <span class="affixed" data-unit={unit.symbol}>
              <label class="hidden" for={parameter}>
                {parameterLabel(parameter)}, {unit.name}
              </label>
              <input
                {...attributes(parameter, form)}
                name={field}
                inputmode={unit.symbol === '%' ? 'text' : 'decimal'}
                maxlength="40"
                autocomplete="off"
                placeholder={side === 'min' ? 'Min' : 'Max'}
                value={value}
              />
            </span>
          );
        })}
      </div>
      {fields.map(({ parameter }) => errorOf(parameter, form))}
    </fieldset>
  );
}

/** A list of choices, those with most startups first. */
function select(name: CountedParameter | 'active', form: FilterForm): Html {
  const parameter: ListParameter = listParameters[name];
  const value = form.query.parameters.get(name) ?? '';
  const counted = name === 'active' ? undefined : form.counts?.[name];
  const options = ('values' in parameter ? parameter.values : ['true', 'false'])
    .map((one) => ({
      value: one,
      startups: counted?.find((facet) => String(facet.value) === one)?.count ?? 0,
    }))
    .filter((option) => parameter.kind !== 'country' || option.startups > 0)
    .sort((a, b) => b.startups - a.startups);
  const isUnknown = value !== '' && !options.some((option) => option.value === value);
  return (
    <select {...attributes(name, form)} name={name}>
      <option value="">Any</option>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {choiceLabel(name, option.value)}
          {counted !== undefined && ` (${count(option.startups)})`}
        </option>
      ))}
      {isUnknown && (
        <option value={value} selected>
          {choiceLabel(name, value)}
        </option>
      )}
    </select>
  );
}

/** An input for one parameter, which shows its value. */
function input(name: ListParameterName, form: FilterForm, more: JSX.IntrinsicElements['input']): Html {
  const value = form.query.parameters.get(name) ?? '';
  return <input {...attributes(name, form)} name={name} value={value} {...more} />;
}

function dateInput(name: ListParameterName, form: FilterForm): Html {
  const value = form.query.parameters.get(name) ?? '';
  // A time of day is kept as text: a field for dates has none.
  return input(name, form, { type: isDay(value) || value === '' ? 'date' : 'text' });
}

function handleInput(form: FilterForm): Html {
  return (
    <span class="affixed" data-unit="@">
      {input('xHandle', form, {
        maxlength: 31,
        autocomplete: 'off',
        autocapitalize: 'none',
        spellcheck: 'false',
        placeholder: 'Any founder',
        value: (form.query.parameters.get('xHandle') ?? '').replace(/^@/, ''),
      })}
    </span>
  );
}

function attributes(name: ListParameterName, { errors }: FilterForm) {
  const isInvalid = errors.some(({ parameter }) => parameter === name);
  return { id: name, ...(isInvalid && { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` }) };
}

function errorOf(name: ListParameterName, { errors }: FilterForm): Html[] {
  return errors
    .filter(({ parameter }) => parameter === name)
    .map(({ message }) => (
      <p class="error" id={`${name}-error`}>
        {message}
      </p>
    ));
}
