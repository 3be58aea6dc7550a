import { expect, it } from 'vitest';
import { listNodes } from '../../src/db/nodes.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createTestDatabase } from '../support/database.ts';

it('lists the nodes that are connected to a PostgreSQL server', async () => {
  const url = await createTestDatabase();
  const open = (node?: string) => openDatabase({ kind: 'server', url, ...(node && { node }) }, () => {});
  const nodes = [await open('one:4000'), await open('two:4001')];
  const command = await open();
  for (const { pool } of nodes) {
    await pool.query('SELECT 1');
  }
  const listed = await listNodes(command.prisma);
  expect(listed.map(({ name }) => name)).toEqual(['one:4000', 'two:4001']);
  expect(listed.every(({ silence }) => silence >= 0 && silence < 60)).toBe(true);
  await Promise.all([...nodes, command].map((database) => database.close()));
});
