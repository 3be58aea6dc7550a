import type { ErrorDetail } from '../../../lib/errors.ts';
import { isDay } from '../../../lib/text/days.ts';
import { foldText } from '../../../lib/text/words.ts';
import { listParameters, type QueryParameter } from '../../../startups/model/requests/list-parameters.ts';
import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import type { StartupColumn } from '../../parts/startups/columns.tsx';
import {
  choiceLabel,
  type Filter,
  type Filters,
  fieldOf,
  isLowest,
  parameterLabel,
  showTyped,
} from '../../parts/startups/filters.ts';
import {
  type CountedParameter,
  DATE_FIELDS,
  dateParameters,
  type ExplorerQuery,
} from '../../parts/startups/query.ts';
import { cellBar } from '../../shared/charts.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html, JSX } from '../../shared/jsx.ts';
import type { Counts } from './list-documents.ts';

/** The content of the form. */
export interface FilterForm {
  readonly query: ExplorerQuery;
  readonly errors: readonly ErrorDetail[];
  /** How many startups each choice would leave, where that was read. */
  readonly counts: Counts;
  /** The order without a choice. */
  readonly defaultSort: StartupSort;
  readonly columns: readonly StartupColumn[];
  readonly filters: Filters;
}

/** The control of a filter, with its errors. @param named the class of its name: hidden where its menu has it. */
export function control(filter: Filter, form: FilterForm, named?: 'hidden'): Html {
  const { id, label, kind, parameters, unit, isPlural } = filter;
  const { query } = form;
  return (
    <fieldset class={isLong(id) ? 'field long' : 'field'}>
      <legend class={named}>{kind === 'dates' ? `${label}, from and to` : label}</legend>
      {unit !== undefined ? (
        <div class="pair">
          {parameters.map((name) => (
            <span class="affixed" data-unit={'$%'.includes(unit.symbol) ? unit.symbol : undefined}>
              {textInput(name, form, {
                name: fieldOf(filter, name),
                'aria-label': `${parameterLabel(name, form.filters)}, ${unit.name}`,
                maxlength: 40,
                placeholder: isLowest(name) ? 'Min' : 'Max',
                value: query.typed.get(name) ?? showTyped(query.parameters.get(name) ?? '', unit),
              })}
            </span>
          ))}
        </div>
      ) : kind === 'dates' ? (
        parameters.map((name) => textInput(name, form, { type: dateType(query.parameters.get(name)) }))
      ) : kind === 'ownValues' ? (
        ownValueBoxes(filter, form)
      ) : kind === 'boolean' ? (
        yesOrNo(id, form)
      ) : isPlural ? (
        valueBoxes(id as CountedParameter, form)
      ) : (
        textInput(id, form, {})
      )}
      {parameters.map((name) => errorOf(name, form))}
    </fieldset>
  );
}

/** A time of day is kept as text: a field for dates has none. */
const dateType = (value: string | null): 'date' | 'text' =>
  value === null || value === '' || isDay(value) ? 'date' : 'text';

/** One filter for all dates: which one, and since when. Further ones in force are chips. */
export function dateControl(form: FilterForm): Html {
  const { parameters, dateKind } = form.query;
  const value = parameters.get(dateKind) ?? '';
  return (
    <fieldset class="field">
      <legend>Date</legend>
      <select id={DATE_FIELDS.kind} name={DATE_FIELDS.kind} aria-label="Which date">
        {options(dateParameters, dateKind, (name) => parameterLabel(name))}
      </select>
      {textInput(dateKind, form, {
        id: DATE_FIELDS.day,
        name: DATE_FIELDS.day,
        'aria-label': 'Day',
        type: dateType(value),
      })}
      {dateParameters.map((name) => errorOf(name, form))}
    </fieldset>
  );
}

/** Yes or no, or either. */
export const yesOrNo = (name: string, form: FilterForm): Html => (
  <select {...attributes(name, form)} name={name} aria-label={parameterLabel(name, form.filters)}>
    <option value="">{name === 'onSale' ? 'All startups' : 'Any'}</option>
    {options(['true', 'false'], form.query.parameters.get(name), (value) =>
      choiceLabel(name, value, form.filters),
    )}
  </select>
);

const options = (
  values: readonly string[],
  chosen: string | null,
  label: (value: string) => string,
): Content =>
  values.map((value) => (
    <option value={value} selected={value === chosen}>
      {label(value)}
    </option>
  ));

/** A text for a parameter, which shows its value. */
export const textInput = (name: string, form: FilterForm, more: JSX.IntrinsicElements['input']): Html => (
  <input
    {...attributes(name, form)}
    name={name}
    value={form.query.parameters.get(name) ?? ''}
    aria-label={parameterLabel(name, form.filters)}
    autocomplete="off"
    autocapitalize="none"
    spellcheck="false"
    maxlength="200"
    {...more}
  />
);

function attributes(name: string, { errors }: FilterForm) {
  const isInvalid = errors.some(({ parameter }) => parameter === name);
  return { id: name, ...(isInvalid && { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` }) };
}

/** The errors of a field. */
export const errorOf = (name: string, { errors }: FilterForm): Content =>
  errors.map(
    ({ parameter, message }) =>
      parameter === name && (
        <span class="error" id={`${name}-error`}>
          {message}
        </span>
      ),
  );

/** The filters with so many values that one looks for one of them. */
const isLong = (name: string): boolean => ['category', 'country', 'techStack'].includes(name);

/**
 * The values of a parameter with their counts: the chosen ones first, then categories and providers by name, countries and
 * technologies by how many startups they have, and all others in their own order.
 */
function countedValues(name: CountedParameter, { query, counts }: FilterForm) {
  const parameter: QueryParameter = listParameters[name];
  const counted = new Map(counts[name]?.map(({ value, count }) => [String(value ?? ''), count]));
  const values =
    parameter.kind === 'choice' ? parameter.values : [...counted.keys()].filter((one) => one !== '');
  // A technology is the same whatever its case.
  const key = (value: string): string => (name === 'techStack' ? foldText(value) : value);
  const sent = query.parameters.get(name)?.split(',') ?? [];
  const [known, chosen] = [new Set(values.map(key)), new Set(sent.map(key))];
  return [...values, ...sent.filter((value) => !known.has(key(value)))]
    .map((value) => ({
      value,
      label: choiceLabel(name, value),
      isChosen: chosen.has(key(value)),
      startups: counted.get(value) ?? 0,
    }))
    .sort(
      (a, b) =>
        Number(b.isChosen) - Number(a.isChosen) ||
        (name === 'category' || name === 'paymentProvider' ? a.label.localeCompare(b.label, 'en') : 0),
    );
}

/** The values of a declared choice: those of the data, and those of the address. */
function ownValueBoxes({ id, choices = [] }: Filter, { query }: FilterForm): Html {
  const sent = query.parameters.get(id)?.split(',') ?? [];
  return (
    <div class="choices" id={id} tabindex="-1">
      <div class="list" id={`list-${id}`}>
        {[...new Set([...choices, ...sent])].map((value) => (
          <label class="choice">
            <input
              type="checkbox"
              id={`${id}-${value}`}
              name={id}
              value={value}
              checked={sent.includes(value)}
            />
            <span class="label">{value}</span>
          </label>
        ))}
      </div>
    </div>
  );
}

/** Several values of a parameter, each with a bar that compares how many startups it would leave. */
function valueBoxes(name: CountedParameter, form: FilterForm): Content {
  const values = countedValues(name, form);
  const most = Math.max(1, ...values.map(({ startups }) => startups));
  return (
    <div class="choices" id={name} tabindex="-1">
      {isLong(name) && (
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
        {values.map(({ value, label, isChosen, startups }) => (
          <label class="choice">
            <input type="checkbox" id={`${name}-${value}`} name={name} value={value} checked={isChosen} />
            <span class="label">{label}</span>
            <span class="count">
              {form.counts[name] !== undefined && [cellBar(startups / most), count(startups)]}
            </span>
          </label>
        ))}
      </div>
      {isLong(name) && <p class="nothing">Nothing found</p>}
      {name === 'techStack' &&
        textInput(name, form, {
          id: 'other-technology',
          value: '',
          'aria-label': 'Other technology',
          placeholder: 'Other, such as Next.js',
        })}
    </div>
  );
}
