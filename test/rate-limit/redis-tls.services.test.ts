import { describe, expect, it, onTestFinished } from 'vitest';
import { serveBuilt } from '../cli/built-command.ts';
import { temporaryDirectory, testDirectory } from '../cli/process.ts';
import { makeCertificate } from '../support/certificate.ts';
import { closeAfterwards } from '../support/closing.ts';
import { startTlsRedis } from './redis-server.ts';

const { path, remove } = temporaryDirectory();
closeAfterwards(remove);
const certificate = await makeCertificate(path);
const redis = await startTlsRedis(certificate);
closeAfterwards(redis.kill);

/**
 * The answers of a node to two requests, by status and limit: 10 while it counts in Redis, and 5, its part, while it
 * does not. A process of its own, since Node reads at its start which authorities it trusts.
 */
async function askNode(host: string, isTrusted: boolean) {
  const url = new URL(redis.url);
  url.hostname = host;
  const node = await serveBuilt({
    DATA_DIR: testDirectory(),
    SNAPSHOT_INTERVAL: '0',
    REDIS_URL: url.href,
    RATE_LIMIT_NODES: '2',
    ...(isTrusted ? { NODE_EXTRA_CA_CERTS: certificate.certFile } : {}),
  });
  onTestFinished(() => node.kill());
  const [key] = /rvg_[0-9A-Za-z]{38}/.exec(node.stdout()) ?? [];
  const ask = async () => {
    const url = `${node.url}/api/v1/startups`;
    const { status, headers } = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    return `${status} ${headers.get('x-ratelimit-limit')} ${headers.get('x-ratelimit-remaining')}`;
  };
  return { answers: [await ask(), await ask()], log: node.stderr };
}

describe('Redis over TLS', () => {
  it('counts where its certificate is trusted', async () => {
    const { answers, log } = await askNode('127.0.0.1', true);
    expect(answers).toEqual(['200 10 9', '200 10 8']);
    expect(log()).not.toContain('Redis');
  });

  it.each([
    ['nobody vouches for its certificate', '127.0.0.1', false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['its certificate is for another host', 'localhost', true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])(
    'is not used where %s, which the log says, and the node counts its part',
    async (_where, host, isTrusted, reason) => {
      const { answers, log } = await askNode(host, isTrusted);
      expect(answers).toEqual(['200 5 4', '200 5 3']);
      await expect.poll(log).toContain(`"reason":"${reason}","msg":"Redis fails`);
    },
  );
});
