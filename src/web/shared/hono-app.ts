import { type Context, Hono } from 'hono';
import { plainTags } from '../../lib/http/header-values.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';

/** What handlers of pages get in addition to Hono's request. */
export interface PageEnv {
  Bindings: {
    readonly request: GatewayRequest;
    /** The body of a response with 200, if a handler has set it with {@link sharedBody}. */
    shared?: Buffer;
  };
}

/** Answers all paths below one, as an app within another does. */
export type AnswerPage = (request: Request, env: PageEnv['Bindings']) => Response | Promise<Response>;

/** The longest body that a page reads, in bytes. */
const PAGE_BODY_LIMIT = 128 * 1024;

/** Creates an app that matches raw paths, as the rest of the gateway does: not decoded, not normalized. */
export function createPageApp<E extends PageEnv = PageEnv>(): Hono<E> {
  return new Hono<E>({
    getPath: (_request, options) => (options as { env: PageEnv['Bindings'] }).env.request.path,
  });
}

/**
 * A response whose body is sent from the given memory. A fetch response would copy it for each request, and a client
 * that does not read would keep the copy.
 */
export function sharedBody(c: Context<PageEnv>, body: Buffer, headers: Record<string, string>): Response {
  c.env.shared = body;
  return c.body(null, 200, headers);
}

/** Answers a request of the gateway with an app. */
export async function answerWith(app: Hono<PageEnv>, request: GatewayRequest): Promise<GatewayResponse> {
  const env: PageEnv['Bindings'] = { request };
  const response = await app.fetch(toFetchRequest(request), env);
  const { status } = response;
  const headers = [...response.headers].flat();
  return env.shared !== undefined && status === 200
    ? { status, headers, body: env.shared, isShared: true }
    : { status, headers, body: Buffer.from(await response.arrayBuffer()) };
}

function toFetchRequest(request: GatewayRequest): Request {
  const url = new URL('http://localhost');
  url.pathname = request.path;
  url.search = request.query;
  const init = { method: fetchMethod(request.method), headers: request.headers() };
  const known = init.headers.get('If-None-Match');
  if (known !== null) {
    init.headers.set('If-None-Match', plainTags(known));
  }
  if (init.method !== 'POST') {
    return new Request(url, init);
  }
  // Read only when a handler accesses it.
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(await request.body(PAGE_BODY_LIMIT));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  // Node requires `duplex` for a stream; its types do not know it.
  return new Request(url, { ...init, body, duplex: 'half' } as RequestInit);
}

/** HEAD is answered as GET: the server leaves the body out, but says its length. A fetch request cannot be a TRACE. */
function fetchMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method === 'TRACE' ? 'OPTIONS' : method;
}
