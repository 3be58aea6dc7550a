import type { Startup } from '../../src/db/generated/client/client.ts';
import type { Database } from '../../src/db/open.ts';
import type { ImportRecord } from '../../src/startups/import/values/record.ts';

export type { ImportRecord };

/** What only the detail record has, absent. */
export const noDetails = {
  verifiedAt: null,
  techStack: [],
  cofounders: [],
  founderName: null,
  founderMessage: null,
  xFollowerCount: null,
  isMerchantOfRecord: null,
  valueProposition: null,
  problemSolved: null,
  pricingModel: null,
  targetPersona: null,
};

/** A record with everything that may be null null. */
export function record(slug: string, more: Partial<ImportRecord> = {}): ImportRecord {
  return {
    name: slug.toUpperCase(),
    slug,
    icon: null,
    description: null,
    website: null,
    country: null,
    foundedDate: null,
    category: null,
    paymentProvider: 'stripe',
    targetAudience: null,
    revenue: { last30Days: 100_00, mrr: 80_00, total: 1_000_00 },
    customers: 10,
    activeSubscriptions: 5,
    askingPrice: null,
    profitMarginLast30Days: null,
    growth30d: null,
    growthMRR30d: null,
    visitorsLast30Days: null,
    googleSearchImpressionsLast30Days: null,
    onSale: false,
    firstListedForSaleAt: null,
    xHandle: null,
    teamSize: null,
    fundingStatus: null,
    ...noDetails,
    active: true,
    ...more,
  };
}

/** The columns of a record. */
function columnsOf({
  revenue,
  askingPrice,
  foundedDate,
  firstListedForSaleAt,
  verifiedAt,
  ...others
}: ImportRecord) {
  return {
    ...others,
    revenueLast30Days: BigInt(revenue.last30Days),
    revenueMrr: BigInt(revenue.mrr),
    revenueTotal: BigInt(revenue.total),
    askingPrice: askingPrice === null ? null : BigInt(askingPrice),
    foundedDate: foundedDate === null ? null : new Date(foundedDate),
    firstListedForSaleAt: firstListedForSaleAt === null ? null : new Date(firstListedForSaleAt),
    verifiedAt: verifiedAt === null ? null : new Date(verifiedAt),
    previousAskingPrice: null,
    askingPriceChangedAt: null,
  };
}

/** Stores records in their order, past every check but the database's own. */
export async function insertRecords(database: Database, records: readonly ImportRecord[]): Promise<void> {
  const data = records.map(columnsOf).map(({ techStack, cofounders, ...row }) => ({
    ...row,
    // No list is null, as imports store it.
    ...(techStack.length > 0 && { techStack }),
    ...(cofounders.length > 0 && { cofounders }),
  }));
  await database.prisma.startup.createMany({ data });
}

/** The rows that records become which are imported together. */
export function rowsOf(records: readonly ImportRecord[]): Startup[] {
  const importedAt = new Date('2026-01-01');
  return records.map((record, index) => ({
    ...columnsOf(record),
    id: index + 1,
    sample: false,
    revision: 1n,
    createdAt: importedAt,
    updatedAt: importedAt,
  }));
}
