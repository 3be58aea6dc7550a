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

/** A row as a card in a list. Its columns have the names of fields (sql.mjs); what no schema has is not sent. */
export function toCard(row) {
  row.revenue = { last30Days: row.last30Days };
  return row;
}

/** A row as a whole record. */
export function toRecord(row) {
  const { last30Days, mrr, total, description, askingPrice, visitorsLast30Days: visitors } = row;
  row.revenue = { last30Days, mrr, total };
  row.description = description?.slice(0, 200) ?? null;
  row.multiple = askingPrice === null || last30Days === 0 ? null : askingPrice / (last30Days * 12);
  row.revenuePerVisitor = visitors ? last30Days / visitors : null;
  return row;
}

/** The position of a page, as the gateway tells it. */
export function toMeta(total, page) {
  return { total, page, limit: 10, hasMore: page * 10 < total };
}
