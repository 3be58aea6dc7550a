import type { OwnFilter } from './own-fields.ts';
import type { graphqlFilters, ValuesOf } from './requests/list-parameters.ts';

/**
 * Which startups to list. All given conditions must hold; undefined means no condition, and an empty list matches none.
 * Bounds are inclusive, in the units of `bounds.ts`; a record whose value is unknown passes none. The words of `search`
 * and `techStack` are folded, and `website` is as `writeWebsite` writes it.
 */
export type StartupFilter = ValuesOf<typeof graphqlFilters> & { readonly own?: OwnFilter | undefined };

/** A handle in the form in which it is compared: without a leading @, in lower case (handles are ASCII). */
export function normalizeHandle(handle: string): string {
  return handle.replace(/^@/, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A cache key: two filters have the same one exactly when they are equivalent. */
export function filterKey(filter: StartupFilter): string {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]: [string, unknown]) => {
      if (Array.isArray(value)) {
        return [name, [...new Set(value)].sort()];
      }
      return [name, name === 'xHandle' ? normalizeHandle(value as string) : value];
    })
    .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1));
  return JSON.stringify(parts);
}
