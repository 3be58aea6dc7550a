import type { GatewayRequest } from '../server/request-response.ts';

/** The position of a page, as returned by a list. */
export interface Paging {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

/** The page among the parameters. In a name or value, & and = would be escaped. */
const PAGE = /(?<=^|&)page=(?=$|&)/;

/**
 * The Link header of a list: its other pages, with the same parameters in the same order.
 * References are relative, so they lead back to the host and scheme that the client used, through any
 * proxy, and a forged Host header has no effect. https://www.rfc-editor.org/rfc/rfc8288
 */
export function linkHeader(request: GatewayRequest, { total, page, limit, hasMore }: Paging): string {
  const last = Math.max(1, Math.ceil(total / limit));
  const pages = {
    first: 1,
    // Before a page past the end comes the last one.
    prev: page > 1 ? Math.min(page - 1, last) : undefined,
    next: hasMore ? page + 1 : undefined,
    last,
  };
  const query = new URLSearchParams(request.query);
  query.set('page', '');
  const [before = '', after = ''] = query.toString().split(PAGE);
  return Object.entries(pages)
    .filter(([, number]) => number !== undefined)
    .map(([relation, number]) => `<${request.path}?${before}page=${number}${after}>; rel="${relation}"`)
    .join(', ');
}
