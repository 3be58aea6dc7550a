import {
  describeOwn,
  describeOwnSort,
  isSortedBy,
  OWN_TEXT,
  type OwnField,
  ownFilterOf,
  ownSortsOf,
} from '../own-fields.ts';
import { choice, listParameters, type QueryParameter, summaryParameters } from './list-parameters.ts';

/** What an own parameter's name begins with. */
const PREFIX = 'own.';

/** The parameters of a list and of its summary, with those of the declared fields. */
export function withOwnParameters(own: readonly OwnField[]): {
  readonly list: Readonly<Record<string, QueryParameter>>;
  readonly summary: Readonly<Record<string, QueryParameter>>;
} {
  const filters = Object.fromEntries(own.flatMap(parametersOf));
  const sorts = own.filter(isSortedBy).flatMap(({ name }) => ownSortsOf(name));
  const { sort } = listParameters;
  const list = {
    ...listParameters,
    sort: { ...sort, values: [...sort.values, ...sorts] },
    include: choice([INCLUDE], 'Adds own: the fields that this service adds. Other lists leave them out.'),
    ...filters,
  };
  return { list, summary: { ...summaryParameters, ...filters } };
}

const INCLUDE = 'own';

/** What the values of parameters mean that declared fields add: that of `include`, and each order. */
export const ownValueTexts = (own: readonly OwnField[]): ReadonlyMap<string, string> =>
  new Map([
    [INCLUDE, OWN_TEXT],
    ...own
      .filter(isSortedBy)
      .flatMap((field) =>
        ownSortsOf(field.name).map((sort) => [sort, describeOwnSort(field, sort)] as const),
      ),
  ]);

/** The names of the parameters that filter by a field. */
export const ownParametersOf = (field: OwnField): readonly string[] =>
  parametersOf(field).map(([name]) => name);

function parametersOf(field: OwnField): [string, QueryParameter][] {
  const { name, label, choices } = field;
  const told = `${describeOwn(field)} Excludes startups whose value is unknown.`;
  switch (ownFilterOf(field)) {
    case 'range':
      return [
        [`${PREFIX}${name}.min`, { kind: 'number', description: `Minimum, inclusive. ${told}` }],
        [`${PREFIX}${name}.max`, { kind: 'number', description: `Maximum, inclusive. ${told}` }],
      ];
    case 'dates':
      return [
        [`${PREFIX}${name}.from`, { kind: 'instant', description: `This time or later. ${told}` }],
        [`${PREFIX}${name}.to`, { kind: 'instant', description: `This time or earlier. ${told}` }],
      ];
    case 'values':
      return [
        [`${PREFIX}${name}`, { kind: 'ownValues', choices, description: `Any of these values. ${told}` }],
      ];
    case 'flag':
      return [
        [`${PREFIX}${name}`, { kind: 'boolean', description: `Only those where "${label}" is so. ${told}` }],
      ];
    case undefined:
      return [];
  }
}

/** Adds the value of a parameter to the conditions on declared fields. @returns whether it is one of them. */
export function addOwnCondition(own: Record<string, unknown>, parameter: string, value: unknown): boolean {
  if (!parameter.startsWith(PREFIX)) {
    return false;
  }
  const [name = '', side] = parameter.slice(PREFIX.length).split('.');
  if (side !== undefined) {
    own[name] = { ...(own[name] as object | undefined), [side]: value };
  } else {
    own[name] = Array.isArray(value) ? { in: value } : value;
  }
  return true;
}
