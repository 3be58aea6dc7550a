import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { serve } from './served.ts';

const served = await serve({ standard: 123, premium: 456 });

it('the linter of Redocly finds nothing wrong with the OpenAPI document', async () => {
  const source = await (await fetch(`${served.url}/openapi.json`)).text();
  const config = await createConfig({
    extends: ['recommended-strict'],
    // Rules that are off there, and on in other linters.
    rules: {
      'info-contact': 'error',
      'tag-description': 'error',
      'tags-alphabetical': 'off',
      'operation-tag-defined': 'error',
      'operation-singular-tag': 'error',
      'operation-description': 'error',
      'parameter-description': 'error',
      'no-server-trailing-slash': 'error',
      'no-duplicated-tag-names': 'error',
    },
  });
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});
