// The peers' answers: the records of the gateway's REST, from rows, and their schemas.

const all = (names, schema) => Object.fromEntries(names.split(' ').map((name) => [name, schema]));
const object = (properties) => ({ type: 'object', properties });
const [text, integer] = [{ type: 'string' }, { type: 'integer' }];
const maybeText = { type: ['string', 'null'] };
const maybeNumber = { type: ['number', 'null'] };

const cardSchema = {
  ...all('slug name', text),
  ...all('icon category', maybeText),
  revenue: object({ last30Days: integer }),
  ...all('askingPrice growth30d', maybeNumber),
  onSale: { type: 'boolean' },
};
const recordSchema = {
  ...cardSchema,
  revenue: object(all('last30Days mrr total', integer)),
  paymentProvider: text,
  ...all('customers activeSubscriptions', integer),
  ...all('description website country foundedDate targetAudience firstListedForSaleAt xHandle', maybeText),
  ...all('profitMarginLast30Days growthMRR30d multiple rank revenuePerVisitor', maybeNumber),
  ...all('visitorsLast30Days googleSearchImpressionsLast30Days', maybeNumber),
};
const detailSchema = { ...recordSchema, ...all('teamSize fundingStatus', maybeText) };

const list = (properties) => ({
  response: {
    200: object({
      data: { type: 'array', items: object(properties) },
      meta: object({ ...all('total page limit', integer), hasMore: { type: 'boolean' } }),
    }),
  },
  querystring: object({
    ...all('category sort', text),
    page: { type: 'integer', default: 1 },
    ...all('minRevenue maxRevenue minMrr maxMrr minGrowth maxGrowth minPrice maxPrice', { type: 'number' }),
  }),
});

export const schemas = {
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

/** The position of a page, as the gateway tells it. */
export function toMeta(total, page) {
  return { total, page, limit: 10, hasMore: page * 10 < total };
}
