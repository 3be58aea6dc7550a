import { expect, it } from 'vitest';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { type ServedPlace, servedPlaces } from './databases.ts';

it('an import over HTTP goes on while commands in a second terminal begin and end', async () => {
  const [embedded] = servedPlaces;
  const place = (await embedded?.open()) as ServedPlace;
  await place.run('accounts', 'create', '--name', 'Ada', '--email', 'ada@example.com', '--operator');
  const { token } = await place.json('tokens', 'create', '--name', 'y', '--account', 'ada@example.com');
  const sent = fetch(`${place.served.url}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: [...sampleNdjson({ count: 4_000, seed: 1 })].join(''),
  });
  let isAnswered = false;
  const answered = sent.finally(() => {
    isAnswered = true;
  });
  let commands = 0;
  for (; !isAnswered; commands += 1) {
    expect(await place.run('keys', 'list')).toMatchObject({ code: 0 });
  }
  const answer = await answered;
  expect([answer.status, await answer.json()]).toMatchObject([200, { records: 4_000 }]);
  expect(commands).toBeGreaterThan(2);
});
