import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../main/commands/process.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { makeCertificate } from '../../support/servers/certificate.ts';
import { PATIENT_MS, startTlsRedis } from './redis-server.ts';

const { path, remove } = temporaryDirectory();
closeAfterwards(remove);
const certificate = await makeCertificate(path);
const redis = await startTlsRedis(certificate);

/** A node, of the built program: makes two reservations, and says how they were answered and what it reported. */
const PROGRAM = `
  const { openCounter } = await import(process.env.MODULE);
  const reported = [];
  const { counter, state, close } = await openCounter({
    redisUrl: process.env.REDIS_URL,
    now: Date.now,
    timeoutMs: ${PATIENT_MS},
    onFallback: (active, reason) => reported.push([active, reason]),
  });
  const answers = [await counter.reserve('a', 1, 10), await counter.reserve('a', 1, 10)];
  console.log(JSON.stringify({ reported, state: state(), used: answers.map(({ used }) => used) }));
  close();
`;

/** What a node reports that trusts the certificate. A process of its own: Node reads at its start whom it trusts. */
async function askNode(host: string): Promise<unknown> {
  const url = new URL(redis.url);
  url.hostname = host;
  const env = {
    ...process.env,
    MODULE: new URL('../../../dist/access/limits/open-counter.js', import.meta.url).href,
    REDIS_URL: url.href,
    NODE_EXTRA_CA_CERTS: certificate.certFile,
  };
  const args = ['--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

describe('Redis over TLS', () => {
  it.each([
    ['127.0.0.1', 'redis', []],
    // The certificate is for another host.
    ['localhost', 'fallback', [[true, 'ERR_TLS_CERT_ALTNAME_INVALID']]],
  ])('counts where its certificate is trusted and for the host: %s', async (host, state, reported) => {
    expect(await askNode(host)).toEqual({ reported, state, used: [1, 2] });
  });

  it('is not used where nobody vouches for its certificate, which the log says, and the node counts itself', async () => {
    const gateway = await openTestGateway({ redisUrl: redis.url });
    const { key } = await gateway.key();
    for (const remaining of ['9', '8']) {
      const { status, headers } = await gateway.call('/api/v1/startups', { key });
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'x-ratelimit-remaining': remaining });
    }
    expect(gateway.logs.join('')).toContain('"reason":"DEPTH_ZERO_SELF_SIGNED_CERT","msg":"Redis fails');
  });
});
