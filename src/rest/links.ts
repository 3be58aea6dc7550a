import type { GatewayRequest } from '../server/request-response.ts';

/** The position of a page, as returned by a list. */
export interface Paging {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

/** The page among the parameters. In another name or value, & and = would be escaped. */
const PAGE = /(?<=^|&)page=[^&]*/;
/** Characters that a URL in a header must not contain, although node:http accepts them in a request. */
const UNSAFE = /[<>"\\^`{|}#]/g;

/**
 * The Link header of a list: its other pages, with the same parameters in the same order.
 * References are relative, so they lead back to the host and scheme that the client used, through any
 * proxy, and a forged Host header has no effect. https://www.rfc-editor.org/rfc/rfc8288
 */
export function linkHeader(request: GatewayRequest, { total, page, limit, hasMore }: Paging): string {
  const query = plainQuery(request).replace(UNSAFE, encodeURIComponent);
  const found = PAGE.exec(query);
  const end = query === '' ? '' : `${query}&`;
  const before = found === null ? end : query.slice(0, found.index);
  const after = found === null ? '' : query.slice(found.index + found[0].length);
  const link = (number: number, relation: string): string =>
    `<${request.path}?${before}page=${number}${after}>; rel="${relation}"`;
  const last = Math.max(1, Math.ceil(total / limit));
  return [
    link(1, 'first'),
    // Before a page past the end comes the last one.
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(hasMore ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
}

/** The query with names in plain text, as clients write them, although they might escape their letters. */
function plainQuery({ query }: GatewayRequest): string {
  return PAGE.test(query) || !query.includes('%') ? query : String(new URLSearchParams(query));
}
