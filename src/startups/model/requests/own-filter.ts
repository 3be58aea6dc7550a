import { MOST_CHOICES, type OwnCondition, type OwnFilter } from '../own-fields.ts';

/** What a number is on a surface that has others. */
export const ALLOWED_NUMBER = 'a finite number';

/** The conditions on declared fields as they are given, by their names: of the types that the schema has for them. */
export type OwnGiven = Readonly<Record<string, GivenCondition | null | undefined>>;
type GivenCondition =
  | boolean
  | { readonly in?: readonly string[] | null }
  | { readonly min?: number | null; readonly max?: number | null }
  | { readonly from?: Date | null; readonly to?: Date | null };

/** Is told of a condition that is not allowed: its name, its value, what is allowed. */
type Refuse = (parameter: string, got: unknown, allowed: string) => void;

/** Reads conditions on declared fields, in one order, so that equal filters are equal. */
export function readOwnFilter(given: OwnGiven, refuse: Refuse): OwnFilter {
  const conditions = Object.entries(given).flatMap(([name, condition]): [string, OwnCondition][] => {
    const read =
      condition === null || condition === undefined ? undefined : readCondition(name, condition, refuse);
    return read === undefined ? [] : [[name, read]];
  });
  // Without a prototype: a field can be called constructor.
  const filter: Record<string, OwnCondition> = Object.create(null);
  for (const [name, condition] of conditions.sort(([a], [b]) => (a < b ? -1 : 1))) {
    filter[name] = condition;
  }
  return filter;
}

/** Undefined for no condition. */
function readCondition(name: string, given: GivenCondition, refuse: Refuse): OwnCondition | undefined {
  if (typeof given === 'boolean') {
    return given;
  }
  if (Object.hasOwn(given, 'in')) {
    const { in: values } = given as { readonly in: readonly string[] | null };
    if (values !== null && values.length > MOST_CHOICES) {
      refuse(`own.${name}.in`, `${values.length} values`, `at most ${MOST_CHOICES}`);
    }
    return values === null ? undefined : { in: [...new Set(values)].sort() };
  }
  const bounds = given as Readonly<Record<string, Bound>>;
  const [low, high] =
    'from' in bounds || 'to' in bounds ? (['from', 'to'] as const) : (['min', 'max'] as const);
  const [least, most] = [low, high].map((side) => bounds[side]?.valueOf());
  for (const side of [low, high]) {
    // A literal of GraphQL can be infinite.
    if (typeof bounds[side] === 'number' && !Number.isFinite(bounds[side])) {
      refuse(`own.${name}.${side}`, bounds[side], ALLOWED_NUMBER);
    }
  }
  if (least !== undefined && most !== undefined && least > most) {
    refuse(`own.${name}.${low}`, shown(bounds[low]), `at most ${high} (${shown(bounds[high])})`);
  }
  return least === undefined && most === undefined
    ? undefined
    : { ...(least !== undefined && { min: least }), ...(most !== undefined && { max: most }) };
}

type Bound = number | Date | null | undefined;
const shown = (bound: Bound): unknown => (bound instanceof Date ? bound.toISOString() : bound);
