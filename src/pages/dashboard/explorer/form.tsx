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
import { cellBar } from '../../shared/charts.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html, JSX } from '../../shared/jsx.ts';
import { optionalColumns, type ShownColumn } from './columns.tsx';
import { choiceLabel, parameterLabel, valueText } from './labels.tsx';
import {
  COLUMNS,
  type CountedParameter,
  countedParameters,
  EXPLORER_PATH,
  type ExplorerQuery,
  isPlural,
} from './query.ts';
import { type BoundField, ranges, showTyped } from './units.ts';

/** The bounds of dates. */
const dateParameters = bounds.flatMap(({ unit, min, max }) =>
  unit === 'date' ? [min, ...(max === undefined ? [] : [max])] : [],
);

/** The content of the form. */
export interface FilterForm {
  readonly query: ExplorerQuery;
  readonly errors: readonly ErrorDetail[];
  /** How many startups each choice would leave; undefined if nothing was read. */
  readonly counts:
    | Readonly<Record<CountedParameter, readonly { readonly value: unknown; readonly count: number }[]>>
    | undefined;
  /** The order without a choice. */
  readonly defaultSort: StartupSort;
  readonly columns: readonly ShownColumn[];
}

const FORM_ID = 'filter-form';

/** The ranges that have a place of their own above the list; all others are in the panel. */
const usual = ['Asking price', 'MRR', 'Growth 30d'];

/**
 * The line of filters above the list: the most used ones, a panel with all others, the order and the columns. Each opens
 * without a script. With one, what has `data-part` is replaced by what the next page has under the same name.
 */
export function filterForm(form: FilterForm): Html {
  const { minimum, maximum, default: most } = listParameters.limit;
  return (
    <form
      id={FORM_ID}
      class="filters"
      action={EXPLORER_PATH}
      method="get"
      role="search"
      aria-label="Startups"
      data-apply=""
    >
      <Menu label="Category" names={['category']} form={form}>
        {choices('category', form)}
      </Menu>
      <label class="hidden" for="onSale">
        Sale status
      </label>
      {select('onSale', form)}
      {ranges
        .filter(({ label }) => usual.includes(label))
        .toSorted((a, b) => usual.indexOf(a.label) - usual.indexOf(b.label))
        .map(({ label, fields }) => (
          <Menu label={label} names={fields.map(({ parameter }) => parameter)} form={form}>
            {rangeFields(label, fields, form)}
          </Menu>
        ))}
      <Menu label="More filters" kind="panel" names={panelNames} form={form}>
        {ranges
          .filter(({ label }) => !usual.includes(label))
          .map(({ label, fields }) => rangeFields(label, fields, form))}
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
          'techStack',
          input('techStack', form, { autocomplete: 'off', placeholder: 'Next.js, PostgreSQL' }),
          form,
        )}
        {labelled(
          'limit',
          input('limit', form, { type: 'number', min: minimum, max: maximum, placeholder: String(most) }),
          form,
        )}
        {countedParameters
          .filter((name) => isPlural(name) && name !== 'category')
          .map((name) => choices(name, form))}
      </Menu>
      <noscript>
        <button>Apply</button>
      </noscript>
      <span class="settings actions">
        <label class="hidden" for="sort">
          Sort
        </label>
        {sortSelect(form)}
        <Menu label="Columns" names={[]} form={form}>
          <input type="hidden" name={COLUMNS} value="" />
          <fieldset class="field choices">
            <legend class="hidden">Columns</legend>
            {optionalColumns.map(({ id, heading }) => (
              <label class="choice">
                <input
                  type="checkbox"
                  id={`column-${id}`}
                  name={COLUMNS}
                  value={id}
                  checked={form.columns.some((column) => column.id === id)}
                />
                {heading}
              </label>
            ))}
          </fieldset>
        </Menu>
      </span>
    </form>
  );
}

/** The filters in the panel. */
const panelNames: readonly ListParameterName[] = [
  ...countedParameters.filter((name) => isPlural(name) && name !== 'category'),
  ...ranges
    .filter(({ label }) => !usual.includes(label))
    .flatMap(({ fields }) => fields.map(({ parameter }) => parameter)),
  ...dateParameters,
  'active',
  'xHandle',
  'website',
  'techStack',
];

/** A part of the line that opens, with what is chosen in it. */
function Menu({
  label,
  names,
  form,
  kind = '',
  children,
}: {
  readonly label: string;
  readonly names: readonly ListParameterName[];
  readonly form: FilterForm;
  readonly kind?: string;
  readonly children: Content;
}): Html {
  const chosen = names.filter((name) => form.query.parameters.has(name));
  const text = names.length > 2 ? String(chosen.length) : valueText(form.query.parameters, chosen);
  return (
    <details class={`menu filter ${kind}`} name="filter">
      <summary class="button second">
        {label}
        <span class="chosen" data-part={`chosen-${names[0] ?? COLUMNS}`}>
          {chosen.length > 0 && text}
        </span>
      </summary>
      <div class="popup">
        <div>{children}</div>
      </div>
    </details>
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
      <noscript>
        <button form={FORM_ID} class="second">
          Search
        </button>
      </noscript>
      {errorOf('search', form)}
    </div>
  );
}

function sortSelect({ query: { parameters }, defaultSort }: FilterForm): Html {
  const asked = parameters.get('sort');
  return (
    <select id="sort" name="sort">
      <option value="">{sortLabel(defaultSort)}</option>
      {(parameters.has('search') ? sortValues : startupSorts)
        .filter((sort) => sort !== defaultSort)
        .map((sort) => (
          <option value={sort} selected={sort === asked}>
            {sortLabel(sort)}
          </option>
        ))}
    </select>
  );
}

/** The first words of the description of an order, which suffice in a list. */
export function sortLabel(sort: StartupSort): string {
  return descriptionOf(sort).replace(/[:.;].*$/, '');
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

/** The values of a parameter with their counts, those with most startups first; unknown ones that were sent are last. */
function optionsOf(name: CountedParameter | 'active', { query, counts }: FilterForm) {
  const parameter: ListParameter = listParameters[name];
  const counted = name === 'active' ? undefined : counts?.[name];
  const sent = query.parameters.get(name)?.split(',') ?? [];
  const values = 'values' in parameter ? parameter.values : ['true', 'false'];
  return [...new Set([...values, ...sent])]
    .map((value) => ({
      value,
      isChosen: sent.includes(value),
      startups: counted?.find((facet) => String(facet.value) === value)?.count ?? 0,
    }))
    .filter(({ startups, isChosen }) => parameter.kind !== 'country' || startups > 0 || isChosen)
    .sort((a, b) => b.startups - a.startups);
}

/** Several values of a parameter, each with a bar that compares how many startups it would leave. */
function choices(name: CountedParameter, form: FilterForm): Html {
  const options = optionsOf(name, form);
  const most = Math.max(1, ...options.map(({ startups }) => startups));
  return (
    <fieldset class="field choices" id={name} tabindex="-1">
      <legend>{parameterLabel(name)}</legend>
      <div class="list">
        {options.map(({ value, isChosen, startups }) => (
          <label class="choice">
            <input type="checkbox" id={`${name}-${value}`} name={name} value={value} checked={isChosen} />
            <span class="label">{choiceLabel(name, value)}</span>
            <span class="count" data-part={`count-${name}-${value}`}>
              {form.counts !== undefined && (
                <>
                  {cellBar(startups / most)}
                  {count(startups)}
                </>
              )}
            </span>
          </label>
        ))}
      </div>
      {errorOf(name, form)}
    </fieldset>
  );
}

/** One value of a parameter. */
function select(name: CountedParameter | 'active', form: FilterForm): Html {
  const counted = name === 'active' ? undefined : form.counts?.[name];
  return (
    <>
      <select {...attributes(name, form)} name={name}>
        <option value="">{name === 'onSale' ? 'All startups' : 'Any'}</option>
        {optionsOf(name, form).map(({ value, isChosen, startups }) => (
          <option value={value} selected={isChosen}>
            {choiceLabel(name, value)}
            {counted !== undefined && ` (${count(startups)})`}
          </option>
        ))}
      </select>
      {name === 'onSale' && errorOf(name, form)}
    </>
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

/** The place of the errors of a field, empty if it has none. */
function errorOf(name: ListParameterName, { errors }: FilterForm): Html {
  return (
    <span data-part={`error-${name}`}>
      {errors
        .filter(({ parameter }) => parameter === name)
        .map(({ message }) => (
          <span class="error" id={`${name}-error`}>
            {message}
          </span>
        ))}
    </span>
  );
}
