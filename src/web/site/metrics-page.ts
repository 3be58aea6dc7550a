import type { Context, Handler } from 'hono';
import type { Registry } from 'prom-client';
import { ApiError } from '../../lib/errors.ts';
import { isLoopback } from '../../lib/http/loopback.ts';
import type { GatewayRequest } from '../../lib/http/request-response.ts';
import { isSameSecret } from '../../lib/text/digest.ts';
import type { PageEnv } from '../shared/hono-app.ts';

interface MetricsPageOptions {
  readonly metrics: Registry;
  /** The token that allows access from anywhere; undefined: only this machine has access. */
  readonly token: string | undefined;
  /** Whether only this machine can reach the gateway: behind a proxy, all clients seem to be on this machine. */
  readonly isPrivate: boolean;
}

/** Headers that proxies add: behind one, a peer on this machine forwards requests of others. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/**
 * Creates the page. Without a token it exists only for this machine itself. A web site whose name was made
 * to resolve to this machine is recognized by the name in Host.
 */
export function createMetricsPage({ metrics, token, isPrivate }: MetricsPageOptions): Handler<PageEnv> {
  const page = async (c: Context<PageEnv>) =>
    c.body(await metrics.metrics(), 200, {
      'Content-Type': metrics.contentType,
      'Cache-Control': 'no-store',
    });
  return (c) => {
    const { request } = c.env;
    if (token === undefined) {
      return isPrivate && isLocal(request) ? page(c) : c.notFound();
    }
    if (!isSameSecret(/^bearer +(\S.*)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '', token)) {
      c.header('WWW-Authenticate', 'Bearer');
      throw new ApiError(
        'UNAUTHENTICATED',
        'A valid token is required: Authorization: Bearer <METRICS_TOKEN>',
      );
    }
    return page(c);
  };
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
