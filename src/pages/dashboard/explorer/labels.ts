import type { ListParameterName } from '../../../startups/requests/list-parameters.ts';
import { labelOf } from '../../../startups/vocabulary.ts';
import { wordsOf } from '../../shared/figures.tsx';
import { boundFields } from './units.ts';

const parameterLabels: Readonly<Partial<Record<ListParameterName, string>>> = {
  onSale: 'Sale status',
  xHandle: 'X handle',
  fundingStatus: 'Funding',
  active: 'Ranking',
  updatedSince: 'Changed since',
  limit: 'Rows per page',
};

/** The label of a parameter of lists. */
export function parameterLabel(name: ListParameterName): string {
  const bound = boundFields.get(name);
  return bound === undefined
    ? (parameterLabels[name] ?? wordsOf(name))
    : `${bound.label}, ${bound.side === 'min' ? 'minimum' : 'maximum'}`;
}

/** The label of a value of a parameter that has choices. */
export function choiceLabel(name: ListParameterName, value: string): string {
  if (name === 'onSale') {
    return value === 'true' ? 'For sale' : 'Not for sale';
  }
  if (name === 'active') {
    return value === 'true' ? 'Ranked' : 'Not ranked';
  }
  return value
    .split(',')
    .map((one) => labelOf(one) ?? one)
    .join(', ');
}
