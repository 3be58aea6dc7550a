import { expect, it } from 'vitest';
import { writeTypes } from '../../client/write-types.ts';
import { writeFields } from '../../embed/write-fields.ts';
import { openApiDocument } from '../../src/api/rest/openapi.ts';

// Where they differ: npm run generate

it('the types of the client are those of the API', async () => {
  const written = writeTypes(openApiDocument({ standard: 10, premium: 60 }));
  await expect(written).toMatchFileSnapshot('../../client/src/api.ts');
});

it('the component for web pages knows the fields of the API', async () => {
  await expect(writeFields()).toMatchFileSnapshot('../../embed/src/fields.ts');
});
