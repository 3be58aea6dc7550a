import { accountSubject } from '../../../access/limits/subject.ts';
import { dataOf } from '../../../api/graphql/errors.ts';
import type { SignedInContext } from '../page.ts';
import type { Services } from '../services.ts';

/**
 * Runs a document for a page of an account. The page is metered, whatever it reads; the work of an account takes turns
 * with that of others.
 *
 * @throws ApiError the first error of the result.
 */
export type Read = <Data>(
  context: SignedInContext,
  query: string,
  variables?: { readonly [name: string]: unknown },
) => Promise<Data>;

export const createReader =
  ({ engine }: Pick<Services, 'engine'>): Read =>
  async <Data>(context: SignedInContext, query: string, coerced = {}) => {
    const operation = engine.prepare({ query, operationName: null, coerced });
    const subject = accountSubject(context.var.visitor.id);
    return dataOf<Data>(await engine.run(operation, context.env.request, subject));
  };
