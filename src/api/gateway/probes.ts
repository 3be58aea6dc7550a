import type { Registry } from 'prom-client';
import { ApiError } from '../../lib/errors.ts';
import { isLoopback } from '../../lib/http/addresses.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { isSameSecret } from '../../lib/text/digest.ts';
import { jsonResponse } from './responses.ts';
import { assertMethod, type Route } from './surface.ts';

interface ProbeNeeds {
  readonly metrics: Registry;
  /** The token that allows reading the metrics from anywhere; undefined: only this machine may. */
  readonly metricsToken?: string | undefined;
  /** Whether only this machine can reach the gateway: behind a proxy, all clients seem to be on this machine. */
  readonly isPrivate: boolean;
  /** Why the gateway cannot answer; empty if it can. */
  readonly unready: () => readonly string[];
}

const METHODS = ['GET', 'HEAD'];

/** Headers that proxies add: behind one, a peer on this machine forwards requests of others. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** Answers `/health`, `/ready` and `/metrics`, for load balancers and monitoring. */
export function bindProbes({ metrics, metricsToken, isPrivate, unready }: ProbeNeeds): Route {
  return {
    methods: METHODS,
    challenge: 'Bearer',
    async answer(request) {
      assertMethod(request, METHODS);
      const response = await read(request);
      response.headers.push('Cache-Control', 'no-store');
      return response;
    },
  };

  async function read(request: GatewayRequest): Promise<GatewayResponse> {
    if (request.path === '/health') {
      return jsonResponse(200, { status: 'alive' });
    }
    if (request.path === '/ready') {
      const reasons = unready();
      return reasons.length === 0
        ? jsonResponse(200, { status: 'ready' })
        : jsonResponse(503, { status: 'unready', reasons });
    }
    assertReader(request);
    return { status: 200, headers: ['Content-Type', metrics.contentType], body: await metrics.metrics() };
  }

  /** Without a token, metrics exist only for this machine itself. */
  function assertReader(request: GatewayRequest): void {
    if (metricsToken === undefined) {
      if (!isPrivate || !isLocal(request)) {
        throw new ApiError('NOT_FOUND', `No such path: ${request.path}`);
      }
      return;
    }
    const [, sent = ''] = /^bearer +(\S.*)$/i.exec(request.header('authorization') ?? '') ?? [];
    if (!isSameSecret(sent, metricsToken)) {
      const message = 'A valid token is required: Authorization: Bearer <METRICS_TOKEN>';
      throw new ApiError('UNAUTHENTICATED', message);
    }
  }
}

function isLocal(request: GatewayRequest): boolean {
  return (
    isLoopback(request.address ?? '') &&
    PROXY_HEADERS.every((name) => request.header(name) === undefined) &&
    isLocalName(request.header('host'))
  );
}

/** A web site whose name was made to lead to this machine is recognized by the name in Host. */
function isLocalName(host: string | undefined): boolean {
  const name = host?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return name === undefined || isLoopback(name);
}
