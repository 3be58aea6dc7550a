import { expect, it } from 'vitest';
import { serve, testDirectory } from './process.ts';

const fields = { email: 'ada@example.com', password: 'correct horse battery' };

async function post(url: string, path: string, form: Record<string, string>): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams(form),
  });
}

it('on loopback without a mail server, links are printed, and a session outlives a restart', async () => {
  const options = { env: { DATA_DIR: 'data' }, cwd: testDirectory() };
  const first = await serve(options.env, options);
  expect((await post(first.url, '/dashboard/sign-up', fields)).status).toBe(200);
  await expect.poll(first.stdout).toContain(`${first.url}/dashboard/reset-password?token=`);
  const token = /reset-password\?token=(\S+)/.exec(first.stdout())?.[1] ?? '';
  const verified = await post(first.url, '/dashboard/reset-password', { token, password: fields.password });
  expect(verified.status).toBe(303);
  const cookie = verified.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(cookie).toMatch(/^revgate\.session_token=/);
  // What is logged holds neither.
  expect(first.stderr()).not.toContain(token.slice(-20));
  expect(await first.stop()).toBe(0);

  const second = await serve(options.env, options);
  const page = await fetch(`${second.url}/dashboard/keys`, { headers: { cookie }, redirect: 'manual' });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('ada@example.com');
});
