import { fieldsOf } from '../../src/startups/model/fields.ts';
import type { Answer, TestGateway } from '../support/gateway.ts';
import { filterOf, type ListCase } from '../support/model/rest-list.ts';
import { plurals } from '../support/model/rules.ts';

/** A list as both surfaces give it: REST's records, and the paging. */
export interface ListAnswer {
  answer: Answer;
  data: Record<string, unknown>[] | undefined;
  meta: unknown;
}

/** What REST gives of each startup of a list, as GraphQL selects it. */
export const listedFields = `name slug icon description website country foundedDate category paymentProvider targetAudience
  revenue { last30Days mrr total } customers activeSubscriptions askingPrice profitMarginLast30Days growth30d
  growthMRR30d multiple rank visitorsLast30Days googleSearchImpressionsLast30Days revenuePerVisitor onSale
  firstListedForSaleAt xHandle`;

/** What REST gives of a startup alone. */
export const detailFields = `${listedFields} ${fieldsOf('detail')
  .map(({ path }) => path)
  .join(' ')}`;

const listDocument = `query List($filter: StartupFilter, $sort: StartupSort, $page: Int, $limit: Int) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) {
    page { ${listedFields} }
    meta { total page limit hasMore corrected }
  }
}`;

const sizes: Record<string, string> = {
  SIZE_1: '1',
  SIZE_2_5: '2-5',
  SIZE_6_10: '6-10',
  SIZE_11_25: '11-25',
  SIZE_26_50: '26-50',
  SIZE_51_PLUS: '51+',
};
const sizeNames = Object.fromEntries(Object.entries(sizes).map(([name, value]) => [value, name]));
const toName = (value: string): string => value.toUpperCase().replaceAll('-', '_');
/** The value of REST with a name in GraphQL. */
export const toValue = (name: string, field?: string): string =>
  field === 'teamSize' ? (sizes[name] as string) : name.toLowerCase().replaceAll('_', '-');

const enums = ['category', 'fundingStatus', 'paymentProvider', 'targetAudience'];
const singulars = new Map(Object.entries(plurals).map(([one, several]) => [several as string, one]));

/** The variables of a GraphQL list for what REST would be asked. */
export function variablesOf(list: ListCase): object {
  const respell = (name: string, value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((item) => respell(singulars.get(name) ?? name, item))
      : name === 'teamSize'
        ? sizeNames[value as string]
        : enums.includes(name)
          ? toName(value as string)
          : value;
  const { page, limit, search, sort, ...asked } = list;
  const conditions = Object.entries(filterOf(asked)).map(([name, value]) =>
    // Dates are sent as they are written.
    [name, value instanceof Date ? list[name as keyof ListCase] : respell(name, value)],
  );
  const filter = { ...Object.fromEntries(conditions), ...(search !== undefined && { search }) };
  return { filter, sort: sort === undefined ? undefined : toName(sort as string), page, limit };
}

/** The two surfaces under test, asked alike and answering in REST's form. */
export const surfaces = {
  rest: async (gateway: TestGateway, list: ListCase, key: string): Promise<ListAnswer> => {
    const query = new URLSearchParams(Object.entries(list).map(([name, value]) => [name, String(value)]));
    const answer = await gateway.call(`/api/v1/startups?${query}`, { key });
    return { answer, data: answer.json.data, meta: answer.json.meta };
  },
  graphql: async (gateway: TestGateway, list: ListCase, key: string): Promise<ListAnswer> => {
    const headers = { accept: 'application/graphql-response+json' };
    const answer = await gateway.graphql(listDocument, variablesOf(list), { key, headers });
    const list_ = answer.json.data?.startups;
    const { corrected, ...meta } = list_?.meta ?? {};
    return {
      answer,
      data: list_?.page.map(toRestRecord),
      meta: list_ && { ...meta, ...(corrected && { corrected }) },
    };
  },
};

/** A GraphQL startup in REST's spelling. */
export function toRestRecord(startup: Record<string, unknown>): Record<string, unknown> {
  const respelled = { ...startup };
  for (const field of ['category', 'paymentProvider', 'targetAudience', 'fundingStatus']) {
    if (typeof respelled[field] === 'string') {
      respelled[field] = toValue(respelled[field] as string);
    }
  }
  if (typeof respelled.teamSize === 'string') {
    respelled.teamSize = sizes[respelled.teamSize];
  }
  return respelled;
}

/** The details of a refusal, wherever the surface puts them. */
export function errorsOf({ json }: Answer): { parameter: string; message: string }[] {
  return (
    json.error?.details ??
    json.errors.flatMap((error: { extensions: { details: [] } }) => error.extensions.details)
  );
}
