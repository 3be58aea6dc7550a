import { shortLabelOf } from '../../../startups/model/field-labels.ts';
import { descriptionOf, type StartupSort } from '../../../startups/model/vocabulary.ts';
import { choiceLabel, type Filter, filters, rangeText } from './filters.ts';
import { changed, withoutParameters } from './query.ts';

/** The first words of the description of an order, which suffice in a list, with the name of its column. */
export const sortLabel = (sort: StartupSort): string =>
  descriptionOf(sort)
    .replace(/[:.;].*$/, '')
    .replace('last-30-days revenue', shortLabelOf('revenue.last30Days').toLowerCase())
    .replace('monthly recurring revenue', shortLabelOf('revenue.mrr'));

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

/** What a list is called: its filters in words. */
export const listName = (query: URLSearchParams): string => filterTexts(query).join(' · ') || 'All startups';

/** The filters in force in words. */
export const filterTexts = (query: URLSearchParams): string[] =>
  activeFilters(query).map(({ label, values }) => `${label} ${values.map(({ text }) => text).join(', ')}`);
