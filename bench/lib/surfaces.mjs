// How an operation is put to each surface, and how its answer is read: { slugs, total }, or { slug }.
import { PAGE_SIZE } from './operations.mjs';

/** What GraphQL lists select: what a card in a list shows. */
const CARD = 'slug name icon category revenue { last30Days } askingPrice growth30d onSale';
const RECORD = `name slug icon description website country foundedDate category paymentProvider targetAudience
  revenue { last30Days mrr total } customers activeSubscriptions askingPrice profitMarginLast30Days growth30d
  growthMRR30d multiple rank visitorsLast30Days googleSearchImpressionsLast30Days revenuePerVisitor onSale
  firstListedForSaleAt xHandle teamSize fundingStatus`;

const LIST = `query List($filter: StartupFilter, $sort: StartupSort, $page: Int, $limit: Int) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) { page { ${CARD} } meta { total } }
}`;
const DETAIL = `query Detail($slug: String!) { startup(slug: $slug) { ${RECORD} } }`;

const upper = (value) => value?.toUpperCase().replaceAll('-', '_');

function graphqlBody({ slug, filter, sort, page }) {
  if (slug !== undefined) {
    return { query: DETAIL, variables: { slug } };
  }
  const variables = { filter: { ...filter, category: upper(filter.category) }, sort: upper(sort), page };
  return { query: LIST, variables: { ...variables, limit: PAGE_SIZE } };
}

function queryOf({ filter, sort, page }) {
  return new URLSearchParams({ ...filter, ...(sort && { sort }), page }).toString();
}

/** A surface of paths: lists under one, details under it. */
function paths(list, detail = list) {
  return {
    request: (operation) => ({
      method: 'GET',
      path: operation.slug === undefined ? `${list}?${queryOf(operation)}` : `${detail}/${operation.slug}`,
    }),
    read: ({ data, meta }) =>
      Array.isArray(data) ? { slugs: data.map(({ slug }) => slug), total: meta.total } : { slug: data.slug },
  };
}

export const surfaces = {
  /** Ours over GraphQL. */
  graphql: {
    request: (operation) => ({
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(graphqlBody(operation)),
    }),
    read({ data, errors }) {
      if (errors !== undefined) {
        throw new Error(errors[0].message);
      }
      return data.startups === undefined
        ? { slug: data.startup.slug }
        : { slugs: data.startups.page.map(({ slug }) => slug), total: data.startups.meta.total };
    },
  },
  /** Ours over REST: whole records. */
  rest: paths('/api/v1/startups'),
  /** A peer that answers with whole records. */
  records: paths('/startups'),
  /** A peer that answers lists with what a card shows. */
  cards: paths('/cards', '/startups'),
};

/** The surface of each peer that asks for the same fields as one of ours. */
export const peerSurfaces = { 'rest-sql': { graphql: 'cards', rest: 'records' } };
