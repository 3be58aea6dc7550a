import type { ImportEntry } from '../../../startups/import/import-log.ts';
import { count } from '../../shared/figures.tsx';

/** What an import changed, in words. */
export function changesText(entry: Pick<ImportEntry, 'created' | 'updated' | 'removed'>): string {
  const parts = (['created', 'updated', 'removed'] as const)
    .filter((name) => entry[name] > 0)
    .map((name) => `${count(entry[name])} ${name}`);
  return parts.length === 0 ? 'None' : parts.join(', ');
}
