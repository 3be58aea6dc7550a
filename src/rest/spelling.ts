import {
  categoryValues,
  fundingStatusValues,
  paymentProviderValues,
  startupSortValues,
  targetAudienceValues,
  teamSizeValues,
} from '../graphql/types/enums.ts';
import { type StartupFieldKind, startupFields } from '../startups/fields.ts';

const enums = [
  categoryValues,
  fundingStatusValues,
  paymentProviderValues,
  startupSortValues,
  targetAudienceValues,
  teamSizeValues,
];

/** REST's spelling of a value → GraphQL's. No two vocabularies spell one value differently. */
export const graphqlNames = new Map<string, string>(
  enums.flatMap((values) => Object.entries(values).map(([name, { value }]) => [value, name])),
);

/** GraphQL's spelling → REST's. */
export const restNames = new Map([...graphqlNames].map(([value, name]) => [name, value]));

/** Fields of a record that are spelled differently. */
export const choiceFields: string[] = Object.entries(startupFields)
  .filter(([, field]) => (field.kind as StartupFieldKind) === 'choice')
  .map(([path]) => path);
