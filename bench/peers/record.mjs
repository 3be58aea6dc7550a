// The peers' answers: the records of the gateway's REST, from rows, and their schemas.

const string = { type: ['string', 'null'] };
const number = { type: ['number', 'null'] };
const boolean = { type: 'boolean' };

const cardSchema = {
  slug: { type: 'string' },
  name: { type: 'string' },
  icon: string,
  category: string,
  revenue: { type: 'object', properties: { last30Days: { type: 'integer' } } },
  askingPrice: number,
  growth30d: number,
  onSale: boolean,
};
const money = { type: 'integer' };
const recordSchema = {
  ...cardSchema,
  revenue: { type: 'object', properties: { last30Days: money, mrr: money, total: money } },
  description: string,
  website: string,
  country: string,
  foundedDate: string,
  paymentProvider: { type: 'string' },
  targetAudience: string,
  customers: { type: 'integer' },
  activeSubscriptions: { type: 'integer' },
  profitMarginLast30Days: number,
  growthMRR30d: number,
  multiple: number,
  rank: number,
  visitorsLast30Days: number,
  googleSearchImpressionsLast30Days: number,
  revenuePerVisitor: number,
  firstListedForSaleAt: string,
  xHandle: string,
};
const detailSchema = { ...recordSchema, teamSize: string, fundingStatus: string };

const object = (properties) => ({ type: 'object', properties });
const list = (properties) => ({
  response: {
    200: object({
      data: { type: 'array', items: object(properties) },
      meta: object({
        total: { type: 'integer' },
        page: { type: 'integer' },
        limit: { type: 'integer' },
        hasMore: boolean,
      }),
    }),
  },
  querystring: object({
    category: { type: 'string' },
    search: { type: 'string' },
    sort: { type: 'string' },
    page: { type: 'integer', default: 1 },
    ...Object.fromEntries(
      ['Revenue', 'Mrr', 'Growth', 'Price'].flatMap((name) => [
        [`min${name}`, { type: 'number' }],
        [`max${name}`, { type: 'number' }],
      ]),
    ),
  }),
});

const historySchema = object({
  slug: { type: 'string' },
  history: {
    type: 'array',
    items: object({
      day: { type: 'string' },
      revenue: recordSchema.revenue,
      customers: { type: 'integer' },
      activeSubscriptions: { type: 'integer' },
      askingPrice: number,
      onSale: boolean,
    }),
  },
});

export const schemas = {
  histories: { response: { 200: object({ data: { type: 'array', items: historySchema } }) } },
  cards: list(cardSchema),
  records: list(recordSchema),
  detail: { response: { 200: object({ data: object(detailSchema) }) } },
};

/** A row as a card in a list. */
export function toCard(row) {
  return {
    slug: row.slug,
    name: row.name,
    icon: row.icon,
    category: row.category,
    revenue: { last30Days: row.revenue_last_30_days },
    askingPrice: row.asking_price,
    growth30d: row.growth_30d,
    onSale: row.on_sale,
  };
}

/** A row as a whole record. */
export function toRecord(row) {
  const { revenue_last_30_days: last30Days, asking_price: price, visitors_last_30_days: visitors } = row;
  return {
    name: row.name,
    slug: row.slug,
    icon: row.icon,
    description: row.description?.slice(0, 200) ?? null,
    website: row.website,
    country: row.country,
    foundedDate: row.founded_date,
    category: row.category,
    paymentProvider: row.payment_provider,
    targetAudience: row.target_audience,
    revenue: { last30Days, mrr: row.revenue_mrr, total: row.revenue_total },
    customers: row.customers,
    activeSubscriptions: row.active_subscriptions,
    askingPrice: price,
    profitMarginLast30Days: row.profit_margin_last_30_days,
    growth30d: row.growth_30d,
    growthMRR30d: row.growth_mrr_30d,
    multiple: price === null || last30Days === 0 ? null : price / (last30Days * 12),
    rank: row.rank,
    visitorsLast30Days: visitors,
    googleSearchImpressionsLast30Days: row.google_search_impressions_last_30_days,
    revenuePerVisitor: visitors ? last30Days / visitors : null,
    onSale: row.on_sale,
    firstListedForSaleAt: row.first_listed_for_sale_at,
    xHandle: row.x_handle,
    teamSize: row.team_size,
    fundingStatus: row.funding_status,
  };
}

/** A row as a point of a history. */
export function toPoint(row) {
  return {
    day: row.day,
    revenue: { last30Days: row.revenue_last_30_days, mrr: row.revenue_mrr, total: row.revenue_total },
    customers: row.customers,
    activeSubscriptions: row.active_subscriptions,
    askingPrice: row.asking_price,
    onSale: row.on_sale,
  };
}

/** The position of a page, as the gateway tells it. */
export function toMeta(total, page) {
  return { total, page, limit: 10, hasMore: page * 10 < total };
}
