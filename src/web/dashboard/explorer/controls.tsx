import type { ErrorDetail } from '../../../lib/errors.ts';
import { isDay } from '../../../lib/text/days.ts';
import { foldText } from '../../../lib/text/words.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../../startups/model/requests/list-parameters.ts';
import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import { cellBar } from '../../shared/charts.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html, JSX } from '../../shared/jsx.ts';
import type { ShownColumn } from './columns.tsx';
import { choiceLabel, parameterLabel } from './labels.tsx';
import type { CountedParameter, ExplorerQuery } from './query.ts';
import type { Counts } from './requests.ts';
import { type Range, showTyped } from './units.ts';

/** The content of the form. */
export interface FilterForm {
  readonly query: ExplorerQuery;
  readonly errors: readonly ErrorDetail[];
  /** How many startups each choice would leave, where that was read. */
  readonly counts: Counts;
  /** How many startups match; undefined if nothing was read. */
  readonly total: number | undefined;
  /** The order without a choice. */
  readonly defaultSort: StartupSort;
  readonly columns: readonly ShownColumn[];
}

export function labelled(name: ListParameterName, control: Html, form: FilterForm): Html {
  return (
    <div class="field">
      <label for={name}>{parameterLabel(name)}</label>
      {control}
      {errorOf(name, form)}
    </div>
  );
}

export function rangeFields({ label, unit, fields }: Range, form: FilterForm): Html {
  return (
    <fieldset class="field range">
      <legend>{label}</legend>
      <div class="pair">
        {fields.map(({ parameter, field, side }) => {
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

/** The values of a parameter with their counts: the chosen ones first, then in their own order; of countries, those with most startups. */
function optionsOf(name: CountedParameter | 'onSale' | 'active', { query, counts }: FilterForm) {
  const parameter: ListParameter = listParameters[name];
  const counted = name === 'active' || name === 'onSale' ? undefined : counts[name];
  const sent = query.parameters.get(name)?.split(',') ?? [];
  const isText = parameter.kind === 'texts';
  const values =
    'values' in parameter
      ? parameter.values
      : isText
        ? (counted ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
        : ['true', 'false'];
  // A technology is the same whatever its case.
  const key = (value: string): string => (isText ? foldText(value) : value);
  const known = new Set(values.map(key));
  const chosen = new Set(sent.map(key));
  return [...values, ...sent.filter((value) => !known.has(key(value)))]
    .map((value) => ({
      value,
      isChosen: chosen.has(key(value)),
      startups: counted?.find((facet) => String(facet.value) === value)?.count ?? 0,
    }))
    .filter(({ startups, isChosen }) => parameter.kind !== 'country' || startups > 0 || isChosen)
    .sort(
      (a, b) =>
        Number(b.isChosen) - Number(a.isChosen) ||
        (parameter.kind === 'country' ? b.startups - a.startups : 0),
    );
}

/** The parameters with so many values that one looks for one of them. */
const longLists: readonly CountedParameter[] = ['category', 'country', 'techStack'];

/** Several values of a parameter, each with a bar that compares how many startups it would leave. */
export function choices(name: CountedParameter, form: FilterForm, children?: Content): Html {
  const options = optionsOf(name, form);
  const most = Math.max(1, ...options.map(({ startups }) => startups));
  return (
    <fieldset class="field choices" id={name} tabindex="-1">
      <legend>{parameterLabel(name)}</legend>
      {longLists.includes(name) && (
        <input
          type="search"
          class="by-script"
          data-narrows=""
          autocomplete="off"
          aria-label={`Find in ${parameterLabel(name)}`}
          placeholder="Find"
        />
      )}
      <div class="list" id={`list-${name}`}>
        {options.map(({ value, isChosen, startups }) => (
          <label class="choice">
            <input type="checkbox" id={`${name}-${value}`} name={name} value={value} checked={isChosen} />
            <span class="label">{choiceLabel(name, value)}</span>
            <span class="count">
              {form.counts[name] !== undefined && (
                <>
                  {cellBar(startups / most)}
                  {count(startups)}
                </>
              )}
            </span>
          </label>
        ))}
      </div>
      {children}
      {errorOf(name, form)}
    </fieldset>
  );
}

/** One value of a parameter. */
export function select(name: 'onSale' | 'active', form: FilterForm): Html {
  return (
    <>
      <select {...attributes(name, form)} name={name}>
        <option value="">{name === 'onSale' ? 'All startups' : 'Any'}</option>
        {optionsOf(name, form).map(({ value, isChosen }) => (
          <option value={value} selected={isChosen}>
            {choiceLabel(name, value)}
          </option>
        ))}
      </select>
      {name === 'onSale' && errorOf(name, form)}
    </>
  );
}

/** An input for one parameter, which shows its value. */
export function input(name: ListParameterName, form: FilterForm, more: JSX.IntrinsicElements['input']): Html {
  const value = form.query.parameters.get(name) ?? '';
  return <input {...attributes(name, form)} name={name} value={value} {...more} />;
}

export function dateInput(name: ListParameterName, form: FilterForm): Html {
  const value = form.query.parameters.get(name) ?? '';
  // A time of day is kept as text: a field for dates has none.
  return input(name, form, { type: isDay(value) || value === '' ? 'date' : 'text' });
}

export function handleInput(form: FilterForm): Html {
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
export function errorOf(name: ListParameterName, { errors }: FilterForm): Html {
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
