// The statements of the SQL peer, as one writes them by hand; the benchmark checks every answer by them.
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());

const CARD = `slug, name, icon, category, revenue_last_30_days AS "last30Days", asking_price AS "askingPrice",
  growth_30d AS "growth30d", on_sale AS "onSale"`;
const RECORD = `${CARD}, description, website, country, founded_date AS "foundedDate", customers, rank,
  payment_provider AS "paymentProvider", target_audience AS "targetAudience", revenue_mrr AS mrr, revenue_total AS total,
  active_subscriptions AS "activeSubscriptions", profit_margin_last_30_days AS "profitMarginLast30Days",
  growth_mrr_30d AS "growthMRR30d", visitors_last_30_days AS "visitorsLast30Days",
  google_search_impressions_last_30_days AS "googleSearchImpressionsLast30Days", x_handle AS "xHandle",
  first_listed_for_sale_at AS "firstListedForSaleAt", team_size AS "teamSize", funding_status AS "fundingStatus"`;

const conditions = {
  category: 'category = ',
  minRevenue: 'revenue_last_30_days >= ',
  maxRevenue: 'revenue_last_30_days <= ',
  minMrr: 'revenue_mrr >= ',
  maxMrr: 'revenue_mrr <= ',
  minGrowth: 'growth_30d >= ',
  maxGrowth: 'growth_30d <= ',
  minPrice: 'asking_price >= ',
  maxPrice: 'asking_price <= ',
};
// The interface bounds growth as a fraction, and stores it as a percentage.
const scales = { minGrowth: 100, maxGrowth: 100 };
const orders = {
  'revenue-desc': 'revenue_last_30_days DESC, id',
  'listed-desc': 'first_listed_for_sale_at DESC NULLS LAST, id',
};

function where(filter) {
  const names = Object.keys(conditions).filter((name) => filter[name] !== undefined);
  const values = names.map((name) =>
    scales[name] === undefined ? filter[name] : filter[name] * scales[name],
  );
  const texts = names.map((name, index) => `${conditions[name]}$${index + 1}`);
  const text = texts.length === 0 ? '' : ` WHERE ${texts.join(' AND ')}`;
  return { text, values };
}

// One name for each text: it is planned once per connection.
const statements = new Map();
function prepared(text, values) {
  if (!statements.has(text)) {
    statements.set(text, `peer_${statements.size}`);
  }
  return { name: statements.get(text), text, values };
}

export function countStatement({ filter }) {
  const { text, values } = where(filter);
  return prepared(`SELECT count(*)::int AS total FROM startups${text}`, values);
}

/** @param shape `cards`: what a card shows; `records`: everything. */
export function listStatement({ filter, sort = 'revenue-desc', page }, shape) {
  const { text, values } = where(filter);
  const [limit, offset] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const page1 = `FROM startups${text} ORDER BY ${orders[sort]} LIMIT ${limit} OFFSET ${offset}`;
  return prepared(
    shape === 'cards'
      ? `SELECT ${CARD} ${page1}`
      : `SELECT ${RECORD} FROM (SELECT * ${page1}) startups
          LEFT JOIN bench_ranks USING (id) ORDER BY ${orders[sort]}`,
    [...values, 10, (page - 1) * 10],
  );
}

export function detailStatement(slug) {
  return prepared(`SELECT ${RECORD} FROM startups LEFT JOIN bench_ranks USING (id) WHERE slug = $1`, [slug]);
}
