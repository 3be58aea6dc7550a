// How long the server works on a page of the dashboard, for an operator who is signed in and has ten keys, one of
// them busy, with 500 startups.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openDatabase } from '../../dist/db/open.js';
import { openApp } from '../../dist/http/app.js';
import { loadPolicy } from '../../dist/keys/policy.js';
import { publishPolicy } from '../../dist/keys/publish-policy.js';
import { createLifecycle } from '../../dist/lifecycle.js';
import { loadSample } from '../../dist/startups/import/load-sample.js';
import { progress } from '../lib/measure.mjs';
import { PROJECT } from '../lib/processes.mjs';

const ORIGIN = 'http://127.0.0.1:4000';
const LIMIT = 1_000_000_000;
const WARM = 20;
const TIMES = 200;
const KEYS = 10;

export async function runPages() {
  const lifecycle = createLifecycle();
  const fail = (error) => {
    throw error;
  };
  // The slower of the two databases.
  const database = await openDatabase({ kind: 'embedded', directory: undefined }, fail);
  lifecycle.onClose(() => database.close());
  const policy = loadPolicy(readFileSync(`${PROJECT}docs/policy.md`, 'utf8'));
  await publishPolicy({ prisma: database.prisma, now: Date.now, actor: 'benchmark' }, policy);
  const client = await database.connect();
  await loadSample({ client, sharedSession: true, count: 500, seed: 1, now: Date.now() });
  await client.end();
  const mails = [];
  const handle = await openApp({
    database,
    policy,
    limits: { standard: LIMIT, premium: LIMIT },
    embedLimit: LIMIT,
    caches: { rows: 64_000_000, records: 100_000_000, answers: 8_000_000 },
    dashboard: {
      origin: () => ORIGIN,
      secret: randomUUID(),
      github: undefined,
      mailer: { kind: 'smtp', send: async (mail) => mails.push(mail), close() {} },
    },
    logger: { info() {}, warn: console.error, error: console.error },
    now: Date.now,
    lifecycle,
  });
  const visit = visitor(handle);
  const credentials = { email: 'bench@example.com', password: randomUUID() };
  await visit('/dashboard/sign-up', credentials);
  const token = new URL(mails[0].link.url).searchParams.get('token');
  await visit('/dashboard/verify', { token, password: credentials.password });
  await visit('/dashboard/policy', { accept: policy.version });
  for (let key = 1; key <= KEYS; key += 1) {
    await visit('/dashboard/keys', { name: `Key ${key}` });
  }
  const { id } = await database.prisma.apiKey.findFirst({ select: { id: true } });
  await database.prisma.account.updateMany({ data: { operator: true } });
  await database.pool.query(
    `INSERT INTO key_usage SELECT $1, date_trunc('hour', now()) - hour * interval '1 hour', surface, status, 1000
     FROM generate_series(0, 719) AS hour, unnest('{rest,graphql}'::text[]) AS surface,
       unnest('{200,304,400,404,429}'::int[]) AS status`,
    [id],
  );
  const { slug } = await database.prisma.startup.findFirst({ select: { slug: true } });
  const pages = {
    'sign-in': '/dashboard/sign-in',
    keys: '/dashboard/keys',
    'one key': `/dashboard/keys/${id}`,
    'new key': '/dashboard/keys/new',
    account: '/dashboard/account',
    policy: '/dashboard/policy',
    usage: '/dashboard/usage',
    'usage of a key': `/dashboard/usage/${id}`,
    explorer: '/dashboard/explorer?category=ai&sort=growth-desc',
    'a startup': `/dashboard/explorer/${slug}`,
    health: '/dashboard/operator',
    accounts: '/dashboard/operator/accounts',
    'all keys': '/dashboard/operator/keys',
    'audit trail': '/dashboard/operator/audit',
  };
  const results = [];
  for (const [page, path] of Object.entries(pages)) {
    const times = [];
    for (let time = -WARM; time < TIMES; time += 1) {
      const startedAt = performance.now();
      await visit(path);
      if (time >= 0) {
        times.push(performance.now() - startedAt);
      }
    }
    times.sort((a, b) => a - b);
    results.push({ page, ms: times[TIMES / 2], high: times[Math.floor(TIMES * 0.99)] });
    progress(`page ${page} in ${results.at(-1).ms.toFixed(1)} ms`);
  }
  await lifecycle.close();
  return results;
}

/** Keeps its cookies, and ends the benchmark at anything but a page or a redirect. */
function visitor(handle) {
  const cookies = new Map();
  return async (target, form) => {
    const [path, query = ''] = target.split('?');
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form && { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const response = await handle({
      method: form ? 'POST' : 'GET',
      path,
      query,
      header: (name) => headers[name],
      address: '127.0.0.1',
      body: async () => Buffer.from(new URLSearchParams(form).toString()),
    });
    if (response.status >= 400) {
      throw new Error(`${target} answered ${response.status}`);
    }
    for (const cookie of response.cookies ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      cookies.set(name, value);
    }
  };
}
