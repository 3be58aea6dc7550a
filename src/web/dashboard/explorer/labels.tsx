import { dayOf, isDay } from '../../../lib/text/days.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../../startups/model/requests/list-parameters.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { wordsOf } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { timeText } from '../../shared/time.tsx';
import { explorerPath, isPlural, withoutParameters, withParameter } from './query.ts';
import { boundFields, ranges, showWithUnit } from './units.ts';

const parameterLabels: Readonly<Partial<Record<ListParameterName, string>>> = {
  onSale: 'Sale status',
  slug: 'Startup',
  xHandle: 'X handle',
  fundingStatus: 'Funding',
  active: 'Ranking',
  updatedSince: 'Changed since',
  createdSince: 'Added since',
};

/** The label of a parameter of lists. */
export function parameterLabel(name: ListParameterName): string {
  const bound = boundFields.get(name);
  return bound === undefined
    ? (parameterLabels[name] ?? wordsOf(name))
    : `${bound.label}, ${bound.side === 'min' ? 'minimum' : 'maximum'}`;
}

const regions = new Intl.DisplayNames('en', { type: 'region' });

/** The name of a country by its code; anything else is unchanged. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code;
}

/** The label of a value of a parameter; several are separated by commas. */
export function choiceLabel(name: ListParameterName, value: string): string {
  if (name === 'onSale') {
    return value === 'true' ? 'For sale' : 'Not for sale';
  }
  if (name === 'active') {
    return value === 'true' ? 'Ranked' : 'Not ranked';
  }
  if (name === 'xHandle') {
    return `@${value.replace(/^@/, '')}`;
  }
  const parameter: ListParameter = listParameters[name];
  if (parameter.kind === 'instant') {
    const at = new Date(value);
    return isDay(value) || Number.isNaN(at.getTime()) ? value : timeText(at, 'minute');
  }
  const labels = 'values' in parameter ? value.split(',') : [value];
  return labels
    .map((one) =>
      name === 'country' ? countryName(one) : parameter.kind === 'choice' ? (labelOf(one) ?? one) : one,
    )
    .join(', ');
}

const isFilter = (name: string): name is ListParameterName =>
  Object.hasOwn(listParameters, name) && !['page', 'limit', 'sort'].includes(name);

/** The values of one parameter, or of the bounds of a range, in few words: what the line of filters shows of them. */
export function valueText(query: URLSearchParams, names: readonly ListParameterName[]): string {
  const texts = names.map((name) => {
    const value = query.get(name) ?? '';
    const bound = boundFields.get(name);
    if (bound !== undefined) {
      return showWithUnit(value, bound.unit);
    }
    const [first = '', ...others] = value.split(',');
    return `${choiceLabel(name, first)}${others.length > 0 ? ` +${others.length}` : ''}`;
  });
  const [first = ''] = texts;
  const side = boundFields.get(names[0] ?? 'search')?.side;
  return texts.length > 1
    ? texts.join('–')
    : side === undefined
      ? first
      : `${side === 'min' ? '≥' : '≤'} ${first}`;
}

/** A filter in force, such as a category: its label, and each of its values with the list without it. */
interface ActiveFilter {
  readonly label: string;
  readonly values: readonly {
    readonly id: string;
    readonly text: string;
    readonly without: URLSearchParams;
  }[];
}

/** The active filters, in the order of the query. Both bounds of a range are one value. */
function activeFilters(query: URLSearchParams): ActiveFilter[] {
  const names = [...new Set(query.keys())].filter(isFilter);
  return names.flatMap((name) => {
    const range = ranges.find(({ fields }) => fields.some(({ parameter }) => parameter === name));
    if (range === undefined) {
      return [{ label: `${parameterLabel(name)}:`, values: valuesOf(name, query) }];
    }
    const bounds = range.fields.map(({ parameter }) => parameter).filter((one) => query.has(one));
    const without = withoutParameters(query, 'page', ...bounds);
    const value = { id: range.name, text: valueText(query, bounds), without };
    return names.find((one) => bounds.includes(one)) === name
      ? [{ label: range.label, values: [value] }]
      : [];
  });
}

function valuesOf(name: ListParameterName, query: URLSearchParams): ActiveFilter['values'] {
  const rest = withoutParameters(query, 'page', name);
  const value = query.get(name) ?? '';
  if (!isPlural(name)) {
    return [{ id: name, text: choiceLabel(name, value), without: rest }];
  }
  const values = value.split(',');
  return values.map((one) => {
    const others = values.filter((other) => other !== one).join(',');
    return {
      id: `${name}-${one}`,
      text: choiceLabel(name, one),
      without: others === '' ? rest : withParameter(rest, name, others),
    };
  });
}

/** The active filters in words. */
export function filterTexts(query: URLSearchParams): string[] {
  return activeFilters(query).map(
    ({ label, values }) => `${label} ${values.map(({ text }) => text).join(', ')}`,
  );
}

const DAY_MS = 86_400_000;

/** Filters of one click: their parameter, and since how many days. */
const quickFilters = [
  { label: 'New this week', name: 'listedSince', days: 7 },
  { label: 'Price reduced', name: 'priceReducedSince', days: 30 },
] as const;

/** Links that set a filter. It has the id of the link that removes it, so that the focus stays. @param now ms since 1970. */
export function quickFilterLinks(query: URLSearchParams, now: number, more: Content): Html {
  const unset = quickFilters.filter(({ name }) => !query.has(name));
  return (
    <p class="actions">
      {unset.map(({ label, name, days }) => (
        <a
          class="badge add"
          id={`chip-${name}`}
          href={explorerPath(
            withParameter(withoutParameters(query, 'page'), name, dayOf(now - days * DAY_MS)),
          )}
        >
          {label}
        </a>
      ))}
      {more}
    </p>
  );
}

/** The active filters: each has its values, which are links to the list without them. */
export function filterChips(query: URLSearchParams): Html | null {
  const active = activeFilters(query);
  if (active.length === 0) {
    return null;
  }
  return (
    <ul class="actions chips bare" aria-label="Active filters">
      {active.map(({ label, values }) => (
        <li class="badge">
          <span aria-hidden="true">{label}</span>
          {values.map(({ id, text, without }) => (
            <a id={`chip-${id}`} href={explorerPath(without)}>
              <span class="hidden">Remove {label} </span>
              {text}
              <span aria-hidden="true"> ✕</span>
            </a>
          ))}
        </li>
      ))}
      <li>
        <a
          class="badge clear"
          id="chip-all"
          href={explorerPath(withoutParameters(query, 'page', ...[...query.keys()].filter(isFilter)))}
        >
          Clear all
        </a>
      </li>
    </ul>
  );
}
