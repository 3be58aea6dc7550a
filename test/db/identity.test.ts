import { expect, it } from 'vitest';
import { readIdentity } from '../../src/db/revisions.ts';
import { openTestDatabase } from '../support/database.ts';

const database = await openTestDatabase();
const client = await database.openClient();

/** The epoch, and which transaction wrote it. */
const epoch = async (): Promise<string> =>
  (await client.query("SELECT concat(value, ' ', xmin) AS epoch FROM revisions WHERE name = 'epoch'")).rows[0]
    .epoch;

it('is the server, its timeline and the epoch of the data', async () => {
  const read = await readIdentity(client);
  expect(read.identity).toMatch(new RegExp(`^\\d+ [0-9A-F]{8} ${await epoch()}$`));
  expect(read.serverStart).toMatch(/^\d+\.\d+$/);
  expect(await readIdentity(client)).toEqual(read);
});

it('is the epoch alone where the host hides its server, and ends no transaction', async () => {
  const { rows } = await client.query('SELECT quote_ident(current_schema()) AS schema');
  await client.query(`BEGIN; CREATE ROLE revgate_test_guest;
    REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC;
    GRANT USAGE ON SCHEMA ${rows[0].schema} TO revgate_test_guest;
    GRANT SELECT ON revisions TO revgate_test_guest;
    SET LOCAL ROLE revgate_test_guest`);
  const read = await readIdentity(client);
  const known = await epoch();
  await client.query('ROLLBACK');
  expect(read).toEqual({ identity: `  ${known}`, serverStart: null });
});

it('has no start of a server whose commits may be lost without its restart', async () => {
  await client.query("BEGIN; SET LOCAL synchronous_commit = 'off'");
  const { serverStart } = await readIdentity(client);
  await client.query('ROLLBACK');
  expect(serverStart).toBeNull();
});

it('is another one for each new database', async () => {
  const other = await openTestDatabase();
  const others = await other.openClient();
  const identities = [await readIdentity(client), await readIdentity(others)].map(({ identity }) => identity);
  // On one server, copies of a database are copies of its epoch: only the embedded one makes them for users.
  expect(identities[0] === identities[1]).toBe(database.kind === 'server');
});
