import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltServer, serveBuilt } from '../main/commands/built-command.ts';
import { run, temporaryDirectory } from '../main/commands/process.ts';
import { only } from '../support/only.ts';
import { findProgram } from '../support/program.ts';
import { makeCertificate } from '../support/servers/certificate.ts';
import { startProxy } from './nginx.ts';

const program = findProgram('nginx');
const METRICS_TOKEN = 'the-token-of-the-metrics';

only(program !== undefined, 'nginx: apt-get install nginx').describe('deploy/nginx.conf', () => {
  const { path, remove } = temporaryDirectory();
  let node: BuiltServer | undefined;
  let nginx: Awaited<ReturnType<typeof startProxy>> | undefined;
  let ca: Buffer;
  let key: string;
  beforeAll(async () => {
    const certificate = await makeCertificate(path);
    ca = readFileSync(certificate.certFile);
    node = await serveBuilt({
      DATA_DIR: `${path}/data`,
      SNAPSHOT_INTERVAL: '0',
      METRICS_TOKEN,
      PUBLIC_URL: 'https://api.example.com',
      TRUST_PROXY: '1',
    });
    key = /rvg_[0-9A-Za-z]{38}/.exec(node.stdout())?.[0] ?? '';
    nginx = await startProxy(program as string, path, node, certificate);
  });
  afterAll(async () => {
    await nginx?.kill();
    await node?.kill();
    remove();
  });

  interface Sent {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    /** The address that the client has; 127.0.0.1 by default. */
    readonly from?: string;
  }

  const send = async (scheme: 'http' | 'https', target: string, { body, from, ...sent }: Sent = {}) => {
    const request = (scheme === 'http' ? requestHttp : requestHttps)({
      host: '127.0.0.1',
      port: scheme === 'http' ? nginx?.httpPort : nginx?.httpsPort,
      path: target,
      method: sent.method ?? 'GET',
      localAddress: from ?? '127.0.0.1',
      ca,
      agent: false,
      headers: { Host: 'api.example.com', ...sent.headers },
      // The certificate of the test is for the address.
      servername: '',
    });
    const [response]: IncomingMessage[] = await once(request.end(body), 'response');
    const { statusCode, headers, rawHeaders } = response as IncomingMessage;
    return { status: statusCode, headers, rawHeaders, body: await text(response as IncomingMessage) };
  };
  const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${key}` });

  it('has no error, and nothing that nginx warns of', async () => {
    const said = await nginx?.check();
    expect(said).toContain('test is successful');
    expect(said).not.toMatch(/\[(warn|emerg)\]/);
  });

  it('redirects to https, with method and query', async () => {
    expect(await send('http', '/docs?a=b', { method: 'POST' })).toMatchObject({
      status: 308,
      headers: { location: 'https://api.example.com/docs?a=b' },
    });
  });

  /** The code and the request id of an error in the format of REST or GraphQL, which must be JSON. */
  const errorOf = ({ headers, body }: Awaited<ReturnType<typeof send>>): unknown[] => {
    expect(headers['content-type']).toBe('application/json');
    const { error, errors } = JSON.parse(body);
    const { code, requestId } = error ?? errors[0].extensions;
    return [code, requestId];
  };

  it.each(['/docs', '/api/v1/startups', '/graphql'])(
    'refuses a key without encryption at %s, and the node does not see it',
    async (path) => {
      const refused = await send('http', path, { headers: bearer() });
      expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('Use https') });
      expect(refused.headers['x-ratelimit-limit']).toBeUndefined();
      if (path !== '/docs') {
        expect(errorOf(refused)).toEqual(['HTTPS_REQUIRED', expect.stringMatching(/^[\da-f]{32}$/)]);
      }
    },
  );

  it('passes on the headers of the limits, and sends Strict-Transport-Security once', async () => {
    const { status, headers, rawHeaders } = await send('https', '/api/v1/startups?limit=1', {
      headers: bearer(),
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', ratelimit: expect.stringContaining('r=') });
    expect(headers.etag).toMatch(/^"/);
    expect(rawHeaders.filter((name) => /^strict-transport-security$/i.test(name))).toHaveLength(1);
  });

  it('compresses responses of the API, which the node sends plain', async () => {
    const path = '/api/v1/startups';
    const headers = { ...bearer(), 'Accept-Encoding': 'gzip' };
    const list = await send('https', path, { headers });
    expect(list.headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/^W\/"/) });
    const again = await send('https', path, {
      headers: { ...headers, 'If-None-Match': list.headers.etag ?? '' },
    });
    expect(again.status).toBe(304);
    const direct = await fetch(`${node?.url}${path}`, { headers });
    expect(direct.headers.get('content-encoding')).toBeNull();
  });

  it('compresses feeds', async () => {
    const env = { DATA_DIR: `${path}/data` };
    const create = 'keys create --name blog --tier standard --accept-policy --json --embed --origin';
    const made = await run([...create.split(' '), 'https://blog.example'], { env });
    const embed = JSON.parse(made.stdout);
    const stdin = JSON.stringify(['query Newest { startups { nodes { slug name updatedAt } } }']);
    const publish = ['documents', 'publish', '-', '--key', embed.id, '--feed'];
    const [, id] = /sha256:(\w{64})/.exec((await run(publish, { env, stdin })).stdout) ?? [];
    const headers = { 'Accept-Encoding': 'gzip' };
    expect(await send('https', `/feeds/${id}.atom?key=${embed.key}`, { headers })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/atom+xml; charset=utf-8', 'content-encoding': 'gzip' },
    });
  });

  it.each(['/import', '/dashboard/operator/imports/new'])(
    'passes on a large body to %s, which the node decides about',
    async (path) => {
      const sent = await send('https', path, { method: 'POST', body: 'x'.repeat(300_000) });
      expect([404, 403]).toContain(sent.status);
      expect(sent.headers['x-request-id']).toBeDefined();
    },
  );

  it('speaks HTTP/2', async () => {
    const session = connectHttp2(`https://127.0.0.1:${nginx?.httpsPort}`, { ca });
    const stream = session.request({ ':path': '/ready', ':authority': 'api.example.com' });
    const [headers] = await once(stream, 'response');
    expect(JSON.parse(await text(stream))).toEqual({ status: 'ready' });
    expect(headers[':status']).toBe(200);
    session.close();
  });

  it('lets the node distinguish clients by their addresses, which they cannot invent', async () => {
    const remaining = async (from: string, headers: Record<string, string> = {}) => {
      const response = await send('https', '/api/v1/startups', { from, headers });
      expect(response.status).toBe(401);
      return Number(response.headers['x-ratelimit-remaining']);
    };
    expect(await remaining('127.0.0.2')).toBe(9);
    expect(await remaining('127.0.0.3')).toBe(9);
    expect(await remaining('127.0.0.2')).toBe(8);
    expect(await remaining('127.0.0.2', { 'X-Forwarded-For': '203.0.113.9' })).toBe(7);
    expect(await remaining('127.0.0.2', { 'X-Forwarded-For': '203.0.113.9, 203.0.113.10' })).toBe(6);
  });

  it('leaves it to the node to refuse a body, unless it is far too large', async () => {
    const post = (length: number) =>
      send('https', '/graphql', {
        method: 'POST',
        headers: { ...bearer(), 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: 'x'.repeat(length) }),
      });
    const refused = await post(100_000);
    expect(refused.status).toBe(413);
    expect(refused.headers['x-ratelimit-limit']).toBe('60');
    expect(refused.body).toContain('PAYLOAD_TOO_LARGE');
    const stopped = await post(300_000);
    expect(stopped.status).toBe(413);
    expect(stopped.headers['x-ratelimit-limit']).toBeUndefined();
    expect(errorOf(stopped)[0]).toBe('PAYLOAD_TOO_LARGE');
    const rest = await send('https', '/api/v1/startups', { method: 'POST', body: 'x'.repeat(300_000) });
    expect([rest.status, errorOf(rest)[0]]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('passes on a long request line', async () => {
    const response = await send('https', `/graphql?query=${'x'.repeat(12_000)}`, { headers: bearer() });
    expect(response.headers['x-ratelimit-limit']).toBe('60');
  });

  it.each(['/metrics', '//metrics', '/%6Detrics', '/./metrics', '/metrics?x', '/docs/../metrics'])(
    'does not expose the metrics at %s, not even to those who know the token',
    async (target) => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
      expect((await fetch(`${node?.url}/metrics`, { headers })).status).toBe(200);
      const { status, body } = await send('https', target, { headers });
      expect(status).toBe(404);
      expect(body).not.toContain('revgate_');
    },
  );

  it('says in JSON that the node does not answer', async () => {
    const apart = temporaryDirectory();
    const certificate = await makeCertificate(apart.path);
    const alone = await startProxy(program as string, apart.path, { port: 1 }, certificate);
    const [before, authority] = [nginx, ca];
    nginx = alone;
    ca = readFileSync(certificate.certFile);
    try {
      for (const path of ['/api/v1/startups', '/graphql?query={__typename}']) {
        const answer = await send('https', path, { headers: bearer() });
        expect([answer.status, errorOf(answer)[0], answer.headers['retry-after']]).toEqual([
          502,
          'SERVICE_UNAVAILABLE',
          '2',
        ]);
      }
      expect((await send('https', '/docs')).headers['content-type']).toBe('text/html');
    } finally {
      nginx = before;
      ca = authority;
      await alone.kill();
      apart.remove();
    }
  });
});
