import { expect, it } from 'vitest';
import { cannotConnect } from '../../src/db/server-checks.ts';

it('a pooler that passes no options on is named with the statement that sets them', () => {
  const refusal = new Error('unsupported startup parameter in options: search_path');
  const { message } = cannotConnect(
    'postgres://gate:secret@db/main?options=-c%20search_path%3Dgate',
    Object.assign(refusal, { code: '08P01' }),
  );
  expect(message).toBe(
    'Cannot reach the database of DATABASE_URL (unsupported startup parameter in options: search_path): the pooler passes no options on. Remove them from the URL, and set them with ALTER ROLE "gate" IN DATABASE "main" SET search_path = ….',
  );
});
