import { expect, it } from 'vitest';
import { schemaText } from '../../src/graphql/schema.ts';

// `npx vitest run test/graphql/schema.test.ts -u` writes it anew.
it('prints as the committed schema.graphql', async () => {
  await expect(schemaText).toMatchFileSnapshot('../../schema.graphql');
});
