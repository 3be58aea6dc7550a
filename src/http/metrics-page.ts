import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import { isLoopback } from '../loopback.ts';
import { METRICS_TYPE } from '../metrics/registry.ts';
import { errorResponse } from '../rest/responses.ts';

/** Answers `/metrics`. */
export type MetricsPage = (request: GatewayRequest, requestId: string) => GatewayResponse;

interface MetricsPageOptions {
  readonly render: () => string;
  /** Who has it may read from anywhere; undefined: only this machine may. */
  readonly token: string | undefined;
  /** Whether nobody but this machine can reach the gateway: behind a proxy, everybody seems to be on this machine. */
  readonly isPrivate: boolean;
}

/** What proxies add: behind one, a peer of this machine speaks for others. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/**
 * Creates the page. Without a token it is there only for this machine itself; a browser on it that some
 * web site's name was pointed at it is told apart by the name in Host.
 */
export function createMetricsPage({ render, token, isPrivate }: MetricsPageOptions): MetricsPage {
  return (request, requestId) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const message = `${request.method} is not allowed here, allowed: GET, HEAD`;
      const response = errorResponse(new ApiError('METHOD_NOT_ALLOWED', message), requestId);
      return { ...response, headers: { ...response.headers, Allow: 'GET, HEAD' } };
    }
    if (token === undefined) {
      return isPrivate && isLocal(request)
        ? page(render())
        : errorResponse(new ApiError('NOT_FOUND', 'Nothing is at /metrics'), requestId);
    }
    if (!isSame(request.header('authorization') ?? '', `Bearer ${token}`)) {
      const error = new ApiError('UNAUTHENTICATED', 'The token of the metrics is required');
      const response = errorResponse(error, requestId);
      return { ...response, headers: { ...response.headers, 'WWW-Authenticate': 'Bearer' } };
    }
    return page(render());
  };
}

function page(body: string): GatewayResponse {
  return { status: 200, headers: { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' }, body };
}

function isLocal(request: GatewayRequest): boolean {
  return (
    isLoopback(request.address ?? '') &&
    PROXY_HEADERS.every((name) => request.header(name) === undefined) &&
    isLocalName(request.header('host'))
  );
}

function isLocalName(host: string | undefined): boolean {
  const name = host?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return name === undefined || isLoopback(name);
}

/** Takes as long for any two texts, whatever they have in common. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
