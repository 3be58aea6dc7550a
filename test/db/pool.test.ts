import pg from 'pg';
import { expect, it } from 'vitest';
import { cancelStatement } from '../../src/db/pool.ts';

it('an import that is stopped while it connects has no statement to cancel', () => {
  expect(cancelStatement(new pg.Client())).toBeUndefined();
});
