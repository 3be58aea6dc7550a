import { dayOf } from '../../../lib/text/days.ts';
import type { Content, Html } from '../../shared/jsx.ts';
import { choiceLabel, type Filter, filters, isPlural, rangeText } from './filters.ts';
import { changed, explorerPath, withoutParameters } from './query.ts';

/** A filter in force, such as a category: its label, and each of its values with the list without it. */
interface ActiveFilter {
  readonly label: string;
  readonly values: readonly {
    readonly id: string;
    readonly text: string;
    readonly without: URLSearchParams;
  }[];
}

const isSet = ({ parameters }: Filter, query: URLSearchParams): boolean =>
  parameters.some((name) => query.has(name));

/** The active filters. Both bounds of a range are one value. */
function activeFilters(query: URLSearchParams): ActiveFilter[] {
  return filters
    .filter((filter) => isSet(filter, query))
    .map((filter) => {
      const { id, label, parameters } = filter;
      if (filter.kind === 'range') {
        const without = withoutParameters(query, 'page', ...parameters);
        return { label, values: [{ id, text: rangeText(filter, query), without }] };
      }
      const value = query.get(id) ?? '';
      const values = isPlural(id) ? value.split(',') : [value];
      return {
        label: `${label}:`,
        values: values.map((one) => ({
          id: values.length > 1 || isPlural(id) ? `${id}-${one}` : id,
          text: choiceLabel(id, one),
          without: changed(query, id, values.filter((other) => other !== one).join(',') || null),
        })),
      };
    });
}

/** The active filters in words. */
export function filterTexts(query: URLSearchParams): string[] {
  return activeFilters(query).map(
    ({ label, values }) => `${label} ${values.map(({ text }) => text).join(', ')}`,
  );
}

/** The active filters: each has its values, which are links to the list without them. */
export function filterChips(query: URLSearchParams): Html | null {
  const active = activeFilters(query);
  const names = filters.flatMap(({ parameters }) => parameters);
  return active.length === 0 ? null : (
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
        <a class="badge clear" id="chip-all" href={explorerPath(withoutParameters(query, 'page', ...names))}>
          Clear all
        </a>
      </li>
    </ul>
  );
}

const DAY_MS = 86_400_000;

/** Filters of one click: their parameter, and since how many days. */
const quickFilters = [
  { label: 'Listed this week', name: 'listedSince', days: 7 },
  { label: 'Price reduced', name: 'priceReducedSince', days: 30 },
] as const;

/** Links that set a filter. Each has the id of the link that removes it, so that the focus stays. @param now ms since 1970. */
export const quickFilterLinks = (query: URLSearchParams, now: number): Content =>
  quickFilters
    .filter(({ name }) => !query.has(name))
    .map(({ label, name, days }) => (
      <a
        class="badge add"
        id={`chip-${name}`}
        href={explorerPath(changed(query, name, dayOf(now - days * DAY_MS)))}
      >
        {label}
      </a>
    ));
