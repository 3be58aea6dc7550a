import { dayOf } from '../../../lib/text/days.ts';
import type { Content, Html } from '../../shared/jsx.ts';
import { choiceLabel, type Filter, filters, rangeText } from './filters.ts';
import { changed, explorerPath, withoutParameters } from './query.ts';

/** The filters in force, each with its values, and the list without each value. Both bounds of a range are one value. */
export function activeFilters(query: URLSearchParams, of: readonly Filter[] = filters) {
  return of
    .filter(({ parameters }) => parameters.some((name) => query.has(name)))
    .map((filter) => {
      const { id, label, kind, parameters, isPlural } = filter;
      if (kind === 'range') {
        const without = withoutParameters(query, 'page', ...parameters);
        return { label, values: [{ id, text: rangeText(filter, query), without }] };
      }
      const value = query.get(id) ?? '';
      const values = isPlural ? value.split(',') : [value];
      return {
        label: `${label}:`,
        values: values.map((one) => ({
          id: isPlural ? `${id}-${one}` : id,
          text: choiceLabel(id, one),
          without: changed(query, id, values.filter((other) => other !== one).join(',')),
        })),
      };
    });
}

/** The filters in force in words. */
export const filterTexts = (query: URLSearchParams): string[] =>
  activeFilters(query).map(({ label, values }) => `${label} ${values.map(({ text }) => text).join(', ')}`);

/** The filters in force: each has its values, which are links to the list without them. */
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
  ['Listed this week', 'listedSince', 7],
  ['Price reduced', 'priceReducedSince', 30],
] as const;

/** Links that set a filter. Each has the id of the link that removes it, so that the focus stays. @param now ms since 1970. */
export const quickFilterLinks = (query: URLSearchParams, now: number): Content =>
  quickFilters.map(
    ([label, name, days]) =>
      !query.has(name) && (
        <a
          class="badge add"
          id={`chip-${name}`}
          href={explorerPath(changed(query, name, dayOf(now - days * DAY_MS)))}
        >
          {label}
        </a>
      ),
  );
