import { type ListParameterName, listParameters } from '../../../startups/requests/list-parameters.ts';
import type { Html } from '../../shared/jsx.ts';
import { choiceLabel, parameterLabel } from './labels.ts';
import { EXPLORER_PATH, explorerPath, withoutParameters } from './query.ts';
import { boundFields, showWithUnit } from './units.ts';

const isFilter = (name: string): name is ListParameterName =>
  Object.hasOwn(listParameters, name) && !['page', 'limit', 'sort'].includes(name);

/** The active filters, in words. */
export function activeFilters(query: URLSearchParams): { name: ListParameterName; text: string }[] {
  return [...query].flatMap(([name, value]) =>
    isFilter(name) ? [{ name, text: describe(name, value) }] : [],
  );
}

/** The active filters, each with a link to the list without it. */
export function filterChips(query: URLSearchParams): Html | null {
  const active = activeFilters(query);
  if (active.length === 0) {
    return null;
  }
  const remaining = withoutParameters(query, 'page', ...active.map(({ name }) => name));
  return (
    <ul class="actions chips bare" aria-label="Active filters">
      {active.map(({ name, text }) => (
        <li>
          <a class="badge" href={explorerPath(withoutParameters(query, 'page', name))}>
            <span class="hidden">Remove </span>
            {text}
            <span aria-hidden="true"> ×</span>
          </a>
        </li>
      ))}
      <li>
        <a class="badge clear" href={remaining.size === 0 ? EXPLORER_PATH : explorerPath(remaining)}>
          Clear all
        </a>
      </li>
    </ul>
  );
}

function describe(name: ListParameterName, value: string): string {
  const bound = boundFields.get(name);
  if (bound !== undefined) {
    return `${bound.label} ${bound.side === 'min' ? '≥' : '≤'} ${showWithUnit(value, bound.unit)}`;
  }
  return name === 'onSale'
    ? choiceLabel(name, value)
    : `${parameterLabel(name)}: ${name === 'xHandle' ? `@${value.replace(/^@/, '')}` : choiceLabel(name, value)}`;
}
