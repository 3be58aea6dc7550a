import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { deleteAccount, demoteAccount, disableAccount } from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { readOpenFile, stageFile } from '../../../src/lib/files/staged-file.ts';
import { KEPT_MS, openKeptUploads } from '../../../src/startups/import/kept-upload.ts';
import { testDirectory } from '../../main/commands/process.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { only } from '../../support/only.ts';

const database = await openTestDatabase();
const { prisma, kind } = database;
const clock = createTestClock(Date.parse('2026-11-20T12:00:00.000Z'));
const acting = { prisma, now: clock.now, actor: 'op', randomBytes };
const [directory, stagingDirectory] = [join(testDirectory(), 'uploads'), testDirectory()];

/** The files as a node has them: two of a server share only its database. */
const openNode = () =>
  openKeptUploads({
    prisma,
    kind,
    directory,
    stagingDirectory,
    now: clock.now,
    schedule: clock.schedule,
    onError: (error) => {
      throw error;
    },
  });
const uploads = openNode();
const allow = async (): Promise<void> => {};
const refuse = async (): Promise<void> => {
  throw new Error('The right has ended.');
};

const createOwner = async () => {
  const { id } = await createAccount(acting, { name: 'Ada' });
  await prisma.account.update({ where: { id }, data: { operator: true } });
  return id;
};
/** Keeps a file as a form does that has arrived. */
async function keep(accountId: string, content: string | Buffer, authorize = allow) {
  const file = await stageFile(chunksOf(Buffer.from(content)), stagingDirectory);
  const answers = { update: true };
  try {
    return await uploads.keep({ accountId, name: 'a.csv', file, answers, examination: undefined }, authorize);
  } finally {
    await file.close();
  }
}
async function* chunksOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 100_000) {
    yield content.subarray(at, at + 100_000);
  }
}
/** The content of a kept file, as a node reads it; undefined if it is gone. */
async function read(key: { accountId: string; digest: string }, node = uploads) {
  const opened = await node.open(key);
  const content = opened && (await text(readOpenFile(opened.fd)));
  await opened?.close();
  return content;
}
/** How many files or pieces there are of all accounts. */
const countStored = async (): Promise<number> =>
  kind === 'server' ? prisma.keptPiece.count() : existsSync(directory) ? readdirSync(directory).length : 0;

describe('a kept upload', () => {
  it('is the only one of its account, and nobody else has it', async () => {
    const [owner, other] = [await createOwner(), await createOwner()];
    const first = await keep(owner, 'name\nAcme\n');
    const before = await countStored();
    const second = await keep(owner, 'name\nBeta\n');
    expect(second).toMatchObject({ name: 'a.csv', bytes: 10, answers: { update: true } });
    expect(second.expiresAt.getTime() - second.keptAt.getTime()).toBe(KEPT_MS);
    expect(await uploads.find(owner)).toMatchObject({ digest: second.digest });
    expect(await read(second)).toBe('name\nBeta\n');
    expect(await read(first)).toBeUndefined();
    expect(await read({ ...second, accountId: other })).toBeUndefined();
    expect(await countStored()).toBe(before);
  });

  it('is one of two that arrive at once, with all of its bytes', async () => {
    const owner = await createOwner();
    const before = await countStored();
    const [one, two] = ['a', 'b'].map((letter) => letter.repeat(2_500_000));
    await Promise.all([keep(owner, one ?? ''), keep(owner, two ?? '')]);
    const found = await uploads.find(owner);
    expect([one, two]).toContain(await read(found ?? { accountId: owner, digest: '' }));
    expect(await countStored()).toBe(before + (kind === 'server' ? 3 : 1));
  });

  it('is the same for another node, after a restart too, however many pieces it has', async () => {
    const owner = await createOwner();
    const content = randomBytes(3_500_000).toString('base64');
    const kept = await keep(owner, content);
    expect(await read(kept, openNode())).toBe(content);
    expect(readdirSync(stagingDirectory)).toEqual([]);
  });

  it('keeps answers with the order of their columns, and any character', async () => {
    const owner = await createOwner();
    const kept = await keep(owner, 'a');
    const answers = { columns: { zebra: 'name', a: '', 'nul \u0000': '', '\ud800': 'half' } };
    expect(await uploads.update(kept, { answers, examination: undefined }, allow)).toBe(true);
    const found = await uploads.find(owner);
    expect(JSON.stringify(found?.answers)).toBe(JSON.stringify(answers));
    const other = { ...kept, digest: 'of another file' };
    expect(await uploads.update(other, { answers: {}, examination: undefined }, allow)).toBe(false);
    expect((await uploads.find(owner))?.answers).toEqual(answers);
  });

  it('is gone after an hour, and so are its bytes', async () => {
    const owner = await createOwner();
    const kept = await keep(owner, 'name\nAcme\n');
    await clock.advance(KEPT_MS - 1);
    expect(await read(kept)).toBe('name\nAcme\n');
    await clock.advance(1);
    expect(await uploads.find(owner)).toBeUndefined();
    expect(await read(kept)).toBeUndefined();
    expect(await countStored()).toBe(0);
  });

  it('is gone when it is removed', async () => {
    const owner = await createOwner();
    const kept = await keep(owner, 'name\nAcme\n');
    const before = await countStored();
    await uploads.remove({ ...kept, digest: 'of another file' }, allow);
    expect(await read(kept)).toBe('name\nAcme\n');
    await uploads.remove(kept, allow);
    expect(await uploads.find(owner)).toBeUndefined();
    expect(await countStored()).toBe(before - 1);
  });

  it.each([
    ['is demoted', demoteAccount],
    ['is disabled', (context: typeof acting, id: string) => disableAccount(context, id, 'left')],
    ['is deleted', deleteAccount],
  ])('goes with an account that %s', async (_how, end) => {
    const owner = await createOwner();
    await uploads.tidy();
    const before = await countStored();
    await keep(owner, 'name\nAcme\n');
    await end(acting, owner);
    expect(await uploads.find(owner)).toBeUndefined();
    await uploads.tidy();
    expect(await countStored()).toBe(before);
  });

  it('stays as it was where the right has ended', async () => {
    const owner = await createOwner();
    const kept = await keep(owner, 'name\nAcme\n');
    const before = await countStored();
    await expect(keep(owner, 'name\nBeta\n', refuse)).rejects.toThrow('The right has ended.');
    await expect(uploads.update(kept, { answers: 1, examination: undefined }, refuse)).rejects.toThrow();
    await expect(uploads.remove(kept, refuse)).rejects.toThrow();
    expect(await uploads.find(owner)).toEqual(expect.objectContaining({ answers: { update: true } }));
    expect(await read(kept)).toBe('name\nAcme\n');
    expect(await countStored()).toBe(before);
  });
});

only(kind === 'embedded', 'the embedded database: npm test').describe('the directory of kept uploads', () => {
  it('loses what a crash left without a row', async () => {
    const kept = await keep(await createOwner(), 'name\nAcme\n');
    writeFileSync(join(directory, 'left'), 'name\n');
    await openNode().tidy();
    expect(existsSync(join(directory, 'left'))).toBe(false);
    expect(await read(kept)).toBe('name\nAcme\n');
  });

  it('has no file for others to read', async () => {
    await keep(await createOwner(), 'name\nAcme\n');
    const modes = [directory, ...readdirSync(directory).map((name) => join(directory, name))].map(
      (path) => statSync(path).mode & 0o077,
    );
    expect(new Set(modes)).toEqual(new Set([0]));
  });

  it('may lack a file, or have a part of it: it is gone then', async () => {
    const kept = await keep(await createOwner(), 'name\nAcme\n');
    const names = readdirSync(directory);
    for (const name of names) {
      writeFileSync(join(directory, name), 'na');
    }
    expect(await read(kept)).toBeUndefined();
    for (const name of names) {
      rmSync(join(directory, name));
    }
    expect(await read(kept)).toBeUndefined();
  });
});
