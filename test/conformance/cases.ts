import type { ListParameterName } from '../../src/startups/list-parameters.ts';

/** What a list is asked, in the spelling of REST. GraphQL's arguments are made from it. */
export type ListCase = Partial<Record<ListParameterName, string | number | boolean>>;

/** Lists that both surfaces must answer alike. */
export const validLists: ListCase[] = [
  {},
  { page: 2 },
  { page: 3, limit: 7 },
  { limit: 1 },
  { page: 2147483647 },
  ...(
    [
      'revenue-desc',
      'revenue-asc',
      'price-desc',
      'price-asc',
      'multiple-asc',
      'multiple-desc',
      'growth-desc',
      'growth-asc',
      'listed-desc',
      'listed-asc',
      'best-deal',
    ] as const
  ).flatMap((sort) => [{ sort }, { sort, page: 5 }, { sort, onSale: true }, { sort, category: 'ai' }]),
  { onSale: true },
  { onSale: false },
  { category: 'developer-tools' },
  { category: 'crypto-web3', onSale: false },
  { xHandle: 'Maker_3' },
  { xHandle: '@maker_3' },
  { xHandle: '1' },
  { xHandle: 'nobody_here' },
  ...(['1', '2-5', '6-10', '11-25', '26-50', '51+'] as const).map((teamSize) => ({ teamSize })),
  { fundingStatus: 'bootstrapped' },
  { fundingStatus: 'vc-funded', sort: 'growth-desc' },
  { minRevenue: 0 },
  { minRevenue: 50000.5, maxRevenue: 5000000 },
  { maxRevenue: -1 },
  { minMrr: 100000 },
  { maxMrr: 0 },
  { minGrowth: 0.24, maxGrowth: 0.24 },
  { minGrowth: -0.5, maxGrowth: 0 },
  { minPrice: 0 },
  { maxPrice: 10000000, sort: 'price-desc' },
  { minPrice: 1, minGrowth: -1, minMrr: 1, maxRevenue: 9007199254740991, sort: 'multiple-asc' },
];

/** Lists that both surfaces must refuse, with the parameters that they must name. */
export const invalidLists: [ListCase, ListParameterName[]][] = [
  [{ page: 0 }, ['page']],
  [{ page: -1 }, ['page']],
  [{ limit: 0 }, ['limit']],
  [{ limit: 11 }, ['limit']],
  [{ xHandle: 'not a handle' }, ['xHandle']],
  [{ xHandle: 'x'.repeat(31) }, ['xHandle']],
  [{ minRevenue: 2, maxRevenue: 1 }, ['minRevenue']],
  [{ minGrowth: 0.2, maxGrowth: 0.1 }, ['minGrowth']],
  [{ minRevenue: 9007199254740991, maxRevenue: -0.5 }, ['minRevenue']],
  [{ limit: 2147483647, page: -2147483648 }, ['page', 'limit']],
  [
    { minMrr: 1, maxMrr: 0, minPrice: 5, maxPrice: 4, limit: 99, page: 0 },
    ['page', 'limit', 'minMrr', 'minPrice'],
  ],
];
