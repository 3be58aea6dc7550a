import { shortLabelOf } from '../../../startups/model/field-labels.ts';
import { isSortedBy, type OwnField, ownSortsOf } from '../../../startups/model/own-fields.ts';
import { descriptionOf, type StartupSort } from '../../../startups/model/vocabulary.ts';
import { choiceLabel, type Filter, type Filters, filters, rangeText } from './filters.ts';
import { changed, withoutParameters } from './query.ts';

/** The first words of the description of an order, which suffice in a list, with the name of its column. */
export const sortLabel = (sort: StartupSort): string =>
  descriptionOf(sort)
    .replace(/[:.;].*$/, '')
    .replace('last-30-days revenue', shortLabelOf('revenue.last30Days').toLowerCase())
    .replace('monthly recurring revenue', shortLabelOf('revenue.mrr'));

/** The orders by declared fields, with their labels. */
export const ownSortLabels = (own: readonly OwnField[]): ReadonlyMap<string, string> =>
  new Map(
    own.filter(isSortedBy).flatMap(({ name, label, kind }) => {
      const [highest, lowest] = ownSortsOf(name);
      return [
        [highest, `${label}, ${kind === 'date' ? 'latest' : 'highest'} first`] as const,
        [lowest, `${label}, ${kind === 'date' ? 'earliest' : 'lowest'} first`] as const,
      ];
    }),
  );

/** The label of the order that an address has; undefined of one by a field that is not declared any more. */
export const orderLabel = (sort: string, { fields }: Filters): string | undefined =>
  sort.startsWith('own.') ? ownSortLabels(fields).get(sort) : sortLabel(sort as StartupSort);

/** The declared fields that a list is filtered or sorted by and that are not declared any more, by their names. */
export function removedFields(query: URLSearchParams, { find, fields }: Filters): readonly string[] {
  const sort = query.get('sort') ?? '';
  const isOrder = sort.startsWith('own.') && !ownSortLabels(fields).has(sort);
  const names = [...query.keys()].filter((name) => name.startsWith('own.') && find(name) === undefined);
  return [...new Set([...names, ...(isOrder ? [sort] : [])].map((name) => name.split(/[.-]/)[1] ?? ''))];
}

/** The filters in force, each with its values, and the list without each value. Both bounds of a range are one value. */
export function activeFilters(query: URLSearchParams, of: Filters, some: readonly Filter[] = of.all) {
  return some
    .filter(({ parameters }) => parameters.some((name) => query.has(name)))
    .map((filter) => {
      const { id, label, kind, parameters, isPlural } = filter;
      if (kind === 'range' || kind === 'dates') {
        const without = withoutParameters(query, 'page', ...parameters);
        return { label, values: [{ id, text: rangeText(filter, query, of), without }] };
      }
      const value = query.get(id) ?? '';
      const values = isPlural ? value.split(',') : [value];
      return {
        label: `${label}:`,
        values: values.map((one) => ({
          id: isPlural ? `${id}-${one}` : id,
          text: choiceLabel(id, one, of),
          without: changed(query, id, values.filter((other) => other !== one).join(',')),
        })),
      };
    });
}

/** What a list is called: its filters in words. */
export const listName = (query: URLSearchParams, of: Filters = filters): string =>
  filterTexts(query, of).join(' · ') || 'All startups';

/** The filters in force in words. */
export const filterTexts = (query: URLSearchParams, of: Filters): string[] =>
  activeFilters(query, of).map(
    ({ label, values }) => `${label} ${values.map(({ text }) => text).join(', ')}`,
  );
