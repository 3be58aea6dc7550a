// The statements of the SQL peer, as one writes them by hand; the benchmark checks every answer by them.
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());

const CARD = [
  'slug',
  'name',
  'icon',
  'category',
  'revenue_last_30_days',
  'asking_price',
  'growth_30d',
  'on_sale',
];

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
  relevance: 'match DESC, revenue_last_30_days DESC, id',
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
  if (filter.search === undefined) {
    return { text, values };
  }
  const found = ` JOIN (SELECT id AS found, ts_rank(words, query) AS match
    FROM bench_search, to_tsquery('simple', $${values.length + 1}) AS query WHERE words @@ query) AS search ON found = id`;
  const query = filter.search.split(' ').map((word) => `${word}:*`);
  return { text: `${found}${text}`, values: [...values, query.join(' & ')] };
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
  const columns = CARD.join(', ');
  return prepared(
    shape === 'cards'
      ? `SELECT ${columns} ${page1}`
      : `SELECT startups.*, rank FROM (SELECT * ${page1}) startups
          LEFT JOIN bench_ranks USING (id) ORDER BY ${orders[sort]}`,
    [...values, 10, (page - 1) * 10],
  );
}

/** The startups whose names are most like what is searched. */
export function similarStatement({ filter }, shape) {
  const columns = shape === 'cards' ? CARD.join(', ') : 'startups.*, rank';
  const ranks = shape === 'cards' ? '' : ' LEFT JOIN bench_ranks USING (id)';
  return prepared(
    `SELECT ${columns} FROM startups JOIN bench_search USING (id)${ranks}
      WHERE names %> $1 ORDER BY word_similarity($1, names) DESC, revenue_last_30_days DESC, id LIMIT 10`,
    [filter.search],
  );
}

/**
 * What an expert gives the peer to search by: words with the weights of their fields, and names by trigrams. A table of
 * its own, so that changes of figures do not write it.
 */
export const SEARCH_TABLE = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE TABLE IF NOT EXISTS bench_search (id int PRIMARY KEY, words tsvector, names text);
  INSERT INTO bench_search
    SELECT id, ${[
      ['name', 'A'],
      ['slug', 'B'],
      ["coalesce(x_handle, '')", 'B'],
      ["left(coalesce(description, ''), 200)", 'D'],
    ]
      .map(
        ([text, weight]) =>
          `setweight(to_tsvector('simple', regexp_replace(${text}, '[^[:alnum:]]+', ' ', 'g')), '${weight}')`,
      )
      .join(' || ')}, name
    FROM startups WHERE NOT EXISTS (SELECT FROM bench_search);
  CREATE INDEX IF NOT EXISTS bench_words ON bench_search USING gin (words);
  CREATE INDEX IF NOT EXISTS bench_names ON bench_search USING gin (names gin_trgm_ops);
  ANALYZE bench_search;`;

export function detailStatement(slug) {
  return prepared('SELECT startups.*, rank FROM startups LEFT JOIN bench_ranks USING (id) WHERE slug = $1', [
    slug,
  ]);
}

/** The points of startups of the last 90 days. */
export function historyStatement(slugs) {
  return prepared(
    `SELECT slug, day::text, p.revenue_last_30_days, p.revenue_mrr, p.revenue_total, p.customers, p.active_subscriptions,
        p.asking_price, p.on_sale
      FROM startups JOIN startup_points AS p ON startup_id = id
      WHERE slug = ANY($1) AND day > current_date - 90 AND day <= current_date ORDER BY startup_id, day`,
    [slugs],
  );
}
