import { dayOf, isDay } from '../../../startups/days.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../../startups/requests/list-parameters.ts';
import { labelOf } from '../../../startups/vocabulary.ts';
import { wordsOf } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { timeText } from '../../shared/time.tsx';
import { explorerPath, isPlural, withoutParameters, withParameter } from './query.ts';
import { boundFields, showWithUnit } from './units.ts';

const parameterLabels: Readonly<Partial<Record<ListParameterName, string>>> = {
  onSale: 'Sale status',
  xHandle: 'X handle',
  fundingStatus: 'Funding',
  active: 'Ranking',
  updatedSince: 'Changed since',
  createdSince: 'Added since',
  limit: 'Rows per page',
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

/** The active filters in words, each value of several on its own, and the list without it. */
export function activeFilters(query: URLSearchParams) {
  return [...query].flatMap(([name, value]) => {
    if (!isFilter(name)) {
      return [];
    }
    const values = isPlural(name) ? value.split(',') : [value];
    return values.map((one) => {
      const rest = withoutParameters(query, 'page', name);
      const others = values.filter((other) => other !== one).join(',');
      return {
        name,
        id: values.length > 1 ? `${name}-${one}` : name,
        text: chipText(name, one),
        without: others === '' ? rest : withParameter(rest, name, others),
      };
    });
  });
}

const DAY_MS = 86_400_000;

/** Filters of one click: their parameter, and since how many days. */
const quickFilters = [
  { label: 'New this week', name: 'listedSince', days: 7 },
  { label: 'Price reduced', name: 'priceReducedSince', days: 30 },
] as const;

/** Links that set a filter, or remove it if it is set. @param now ms since 1970. */
export function quickFilterLinks(query: URLSearchParams, now: number): Html {
  return (
    <p class="actions">
      {quickFilters.map(({ label, name, days }) => {
        const others = withoutParameters(query, 'page', name);
        const path = query.has(name)
          ? explorerPath(others)
          : explorerPath(withParameter(others, name, dayOf(now - days * DAY_MS)));
        return (
          <a
            class="badge"
            id={`quick-${name}`}
            href={path}
            aria-current={query.has(name) ? 'true' : undefined}
          >
            {label}
          </a>
        );
      })}
    </p>
  );
}

/** The active filters, each a link to the list without it. */
export function filterChips(query: URLSearchParams): Html | null {
  const active = activeFilters(query);
  if (active.length === 0) {
    return null;
  }
  return (
    <ul class="actions chips bare" aria-label="Active filters">
      {active.map(({ id, text, without }) => (
        <li>
          <a class="badge" id={`chip-${id}`} href={explorerPath(without)}>
            <span class="hidden">Remove </span>
            {text}
            <span aria-hidden="true"> ✕</span>
          </a>
        </li>
      ))}
      <li>
        <a
          class="badge clear"
          id="chip-all"
          href={explorerPath(withoutParameters(query, 'page', ...active.map(({ name }) => name)))}
        >
          Clear all
        </a>
      </li>
    </ul>
  );
}

function chipText(name: ListParameterName, value: string): string {
  const bound = boundFields.get(name);
  if (bound !== undefined) {
    return `${bound.label} ${bound.side === 'min' ? '≥' : '≤'} ${showWithUnit(value, bound.unit)}`;
  }
  return name === 'onSale'
    ? choiceLabel(name, value)
    : `${parameterLabel(name)}: ${name === 'xHandle' ? `@${value.replace(/^@/, '')}` : choiceLabel(name, value)}`;
}
