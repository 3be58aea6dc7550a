import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openSite } from '../dashboard/site.ts';

const [FOR_GOOD, AN_HOUR] = ['public, max-age=31536000, immutable', 'public, max-age=3600'];
const FROM_ANYWHERE = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
const decoders = { identity: (body: Uint8Array) => body, gzip: gunzipSync, br: brotliDecompressSync };
type Encoding = keyof typeof decoders;

const site = await openSite();
const ada = await site.member('ada@example.com');
const get = (path: string, headers: Record<string, string>) =>
  site.raw(path, { headers: { cookie: ada.cookies(), ...headers } });

const [sheet = ''] =
  /\/assets\/dashboard\.[\w-]{12}\.css/.exec((await ada.get('/dashboard/keys')).text) ?? [];
const graphiql = (await ada.get('/graphql', { accept: 'text/html' })).text;
const ofGraphiql = ['graphiql.js', 'graphiql.css', 'start.js', 'start.css', 'schema.json']
  .concat('editor-worker.js', 'graphql-worker.js', 'json-worker.js')
  .map(
    (name) => new RegExp(`/graphiql/${name.replace('.', '\\.[0-9a-f]{16}\\.')}`).exec(graphiql)?.[0] ?? '',
  );
const ofPrograms = ['/openapi.json', '/schema.graphql', '/llms.txt', '/docs/errors.md', '/embed.js'].concat(
  '/client.js',
  '/examples/mirror.mjs',
);
const each = (paths: string[], kept: string, ...encodings: Encoding[]) =>
  paths.map((path) => ({ path, kept, encodings }));

it.each([
  ...each([sheet], FOR_GOOD, 'identity', 'gzip', 'br'),
  ...each(ofGraphiql, FOR_GOOD, 'gzip', 'br'),
  ...each(ofPrograms, AN_HOUR, 'identity', 'gzip'),
  ...each(['/revgate-client.tgz'], AN_HOUR, 'identity'),
  ...each(['/docs'], 'no-cache', 'identity', 'br'),
  ...each(['/dashboard/usage'], 'no-store', 'identity', 'gzip'),
])('$path may be kept "$kept", and is the same in $encodings', async ({ path, kept, encodings }) => {
  const contents: Buffer[] = [];
  for (const encoding of encodings) {
    const accepted = { identity: 'identity', gzip: 'gzip, deflate', br: 'gzip, deflate, br, zstd' }[encoding];
    const { status, headers, body } = await get(path, { 'accept-encoding': accepted });
    expect([status, headers['content-encoding'] ?? 'identity']).toEqual([200, encoding]);
    expect(headers).toMatchObject({
      'cache-control': kept,
      'x-content-type-options': 'nosniff',
      vary: path === '/docs' ? 'Accept-Encoding, Cookie' : 'Accept-Encoding',
      ...(path.endsWith('.css') && { 'content-type': 'text/css; charset=utf-8' }),
      ...(kept === AN_HOUR && FROM_ANYWHERE),
    });
    contents.push(Buffer.from(decoders[encoding](body as Buffer)));
    const { etag = '' } = headers;
    // Also the one that a proxy makes of it.
    for (const known of kept === 'no-store' ? [] : [etag, etag.replace(/"$/, '-gzip"')]) {
      const again = await get(path, { 'if-none-match': known });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      expect(again.headers).toMatchObject(kept === AN_HOUR ? { 'access-control-allow-origin': '*' } : {});
    }
  }
  const [content = Buffer.of(), ...others] = contents;
  expect(others.every((other) => other.equals(content))).toBe(true);
  if (kept === FOR_GOOD) {
    const digest = createHash('sha256').update(content).digest();
    expect([digest.toString('hex').slice(0, 16), digest.toString('base64url').slice(0, 12)]).toContain(
      path.split('.').at(-2),
    );
  }
});

it('what a form returns is not compressed', async () => {
  const { status, headers } = await ada.post(
    '/dashboard/keys',
    { name: '' },
    { 'accept-encoding': 'gzip, br' },
  );
  expect([status, headers['content-encoding']]).toEqual([400, undefined]);
});
