import { accountSubject } from '../../../access/limits/subject.ts';
import { dataOf } from '../../../api/graphql/errors.ts';
import { selectionOf } from '../../../api/rest/endpoint-documents.ts';
import { type NamedStartupField, startupFieldList } from '../../../startups/model/fields.ts';
import { listParameters, type QueryParameter } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';
import type { SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';

/**
 * Runs a document for a page of an account. The page is metered, whatever it reads; the work of an account takes turns
 * with that of others.
 *
 * @throws ApiError the first error of the result.
 */
export async function readDocument<Data>(
  { engine }: Pick<Services, 'engine'>,
  context: SignedInContext,
  query: string,
  coerced: { readonly [name: string]: unknown } = {},
): Promise<Data> {
  const operation = engine.prepare({ query, operationName: null, coerced });
  return dataOf<Data>(
    await engine.run(operation, context.env.request, accountSubject(context.var.visitor.id)),
  );
}

/** A startup as GraphQL returns it: dates are text. */
export interface ShownStartup {
  readonly name: string;
  readonly slug: string;
  readonly category: string | null;
  readonly onSale: boolean;
  /** Each of the last days. */
  readonly history?: readonly { readonly day: string; readonly revenue: { readonly mrr: number } }[];
  readonly [field: string]: unknown;
}

/** How many days the small charts of a list show. */
export const TREND_DAYS = 60;

/** What a page reads of each startup for them. */
export const TREND = `history(last: ${TREND_DAYS}, fill: true) { day revenue { mrr } }`;

/** Every field of a startup's own page: those of the detail record. */
export const detailFields: readonly NamedStartupField[] = startupFieldList.filter(
  ({ shape }) => shape !== 'import',
);

export const DETAILS = selectionOf(detailFields.map(({ path }) => path));

/** Arguments of a list as a document writes them, in parentheses. */
export function listArguments({ filter, ...others }: QueryArguments): string {
  const args = Object.keys(filter).length === 0 ? others : { filter, ...others };
  return Object.keys(args).length === 0 ? '' : `(${literals(args)})`;
}

const literals = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${literal(name, value)}`)
    .join(', ');

/** Conditions on declared fields, which have no enumeration values. */
const ownLiteral = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? `{ ${Object.entries(value)
        .map(([name, one]) => `${name}: ${ownLiteral(one)}`)
        .join(', ')} }`
    : JSON.stringify(value);

/** The parameters whose values are enumeration values. */
const enumerated = new Set(
  Object.entries<QueryParameter>(listParameters).flatMap(([name, parameter]) =>
    parameter.kind === 'choice' ? [name, parameter.plural] : [],
  ),
);

function literal(name: string, value: unknown): string {
  if (name === 'own') {
    // What declared fields are called says nothing of their values.
    return ownLiteral(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((one) => literal(name, one)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    return `{ ${literals(value)} }`;
  }
  return enumerated.has(name) ? constantName(String(value)) : JSON.stringify(value);
}
