import {
  categoryValues,
  fundingStatusValues,
  paymentProviderValues,
  startupSortValues,
  targetAudienceValues,
  teamSizeValues,
} from '../graphql/types/enums.ts';

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
