import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({ standard: 123, premium: 456 });
});
afterAll(() => served.close());

it('the linter of Redocly finds nothing wrong with the OpenAPI document', async () => {
  const source = await (await fetch(`${served.url}/openapi.json`)).text();
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});
