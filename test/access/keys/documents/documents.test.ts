import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAccount } from '../../../../src/access/accounts/create.ts';
import { removeExpired } from '../../../../src/access/accounts/tidy.ts';
import { listAudit } from '../../../../src/access/audit/audit-log.ts';
import { disableKey, revokeKey, setKeyDocuments } from '../../../../src/access/keys/change.ts';
import type { NewKey } from '../../../../src/access/keys/create.ts';
import { hashDocument, listDocuments } from '../../../../src/access/keys/documents/list.ts';
import type { ManifestEntry } from '../../../../src/access/keys/documents/manifest.ts';
import {
  MAX_DOCUMENTS,
  publishDocuments,
  removeDocument,
} from '../../../../src/access/keys/documents/publish-and-remove.ts';
import { listKeys } from '../../../../src/access/keys/key.ts';
import { rotateKey } from '../../../../src/access/keys/rotate.ts';
import { documentCheck } from '../../../../src/api/graphql/planning/check-document.ts';
import { schema } from '../../../../src/api/graphql/schema.ts';
import { OperatorError } from '../../../../src/lib/errors.ts';
import { openTestDatabase } from '../../../support/database.ts';
import { createTestKey } from '../../../support/keys.ts';
import { readRevisions } from '../../../support/revisions.ts';

const checkDocument = documentCheck(() => schema);

const START = Date.parse('2026-11-20T12:00:00.000Z');

// A command publishes a thousand documents at once. On a slow machine that takes longer than a request may wait.
const database = await openTestDatabase();
const context = { prisma: database.prisma, now: () => START, actor: 'op', randomBytes, check: checkDocument };

const newKey = async (input?: Partial<NewKey>): Promise<string> => (await createTestKey(context, input)).id;
const idOf = (text: string): string => `sha256:${hashDocument(text)}`;
const entry = (text: string): ManifestEntry => ({ id: idOf(text), text });
const total = (name: string): string => `query ${name} { dataset { total } }`;
/** What documents say is not at issue, and takes the longest to check. */
const unchecked = { ...context, check: () => ({ operations: [], errors: [] }) };
const keysRevision = async () => (await readRevisions(database.pool)).keys;

describe('publishing', () => {
  it('stores each document under the hash of its exact text, with who published it, once', async () => {
    const id = await newKey();
    const before = await keysRevision();
    const texts = [total('One'), `${total('Two')}\n`];
    const published = await publishDocuments(context, id, texts.map(entry));
    const shown = { replacedId: null, isNew: true };
    expect(published).toEqual([
      { id: idOf(texts[0] ?? ''), operations: ['One'], ...shown },
      { id: idOf(texts[1] ?? ''), operations: ['Two'], ...shown },
    ]);
    const listed = await listDocuments(context, id);
    expect(listed.map((one) => one.id).sort()).toEqual(texts.map(idOf).sort());
    expect(listed[0]?.publishedAt).toEqual(new Date(START));
    expect(await keysRevision()).toBeGreaterThan(before);
    const log = await listAudit(database.prisma, 1);
    expect(log).toMatchObject([
      { actor: 'op', action: 'documents.publish', subject: id, details: { documents: 2 } },
    ]);
    const again = await publishDocuments(context, id, texts.map(entry));
    expect(again.map(({ isNew }) => isNew)).toEqual([false, false]);
    expect(await listAudit(database.prisma, 1)).toEqual(log);
    const more = await publishDocuments(context, id, [...texts, total('Three')].map(entry));
    expect(more.map(({ isNew }) => isNew)).toEqual([false, false, true]);
  });

  it('refuses all of a manifest, and names every error', async () => {
    const id = await newKey();
    const entries = [
      entry(total('Good')),
      { id: idOf('another text'), text: total('Bad') },
      entry('query Worse { nothing never }'),
      { id: 'x', text: '{' },
    ];
    const error = await publishDocuments(context, id, entries).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.lines).toEqual([
      expect.stringMatching(
        /^Bad \("sha256:.*"\): its id is not the SHA-256 of its text, which is \w{64}\.$/,
      ),
      expect.stringMatching(/^Worse .*: line 1, column 15: Cannot query field "nothing"/),
      expect.stringMatching(/^Worse .*: line 1, column 23: Cannot query field "never"/),
      'Document "x": line 1, column 2: Syntax Error: Expected Name, found <EOF>.',
    ]);
    expect(await listDocuments(context, id)).toEqual([]);
  });

  it('rejects more documents than a key may have', async () => {
    const id = await newKey();
    const texts = Array.from({ length: MAX_DOCUMENTS + 1 }, (_, i) => total(`Q${i}`));
    await publishDocuments(unchecked, id, texts.slice(1).map(entry));
    await expect(publishDocuments(unchecked, id, texts.slice(0, 1).map(entry))).rejects.toThrow(
      `Key ${id} has 1,000 published documents, and 1 is new; allowed: at most 1,000 published documents.`,
    );
    expect(await listDocuments(context, id)).toHaveLength(MAX_DOCUMENTS);
  });

  it('limits the documents and bytes of all keys of an account, comments included', async () => {
    const { id: accountId } = await createAccount(context, { name: 'Ada' });
    const keys = await Promise.all(Array.from({ length: 6 }, () => newKey({ accountId })));
    await database.pool.query(
      `INSERT INTO documents (family_id, hash, text, operations)
       SELECT key, sha256(convert_to(text, 'UTF8')), text, '{}' FROM unnest($1::text[]) AS key,
         generate_series(1, $2::integer) AS n, concat('query Q', n, ' { dataset { total } }') AS text`,
      [keys.slice(0, 4), MAX_DOCUMENTS],
    );
    const [revoked = '', , , , fifth = '', last = ''] = keys;
    const large = (i: number): ManifestEntry => entry(`# ${i}\n# ${'é'.repeat(49_990)}\n${total('Q')}`);
    const publishLarge = (count: number) =>
      publishDocuments(unchecked, fifth, [...Array(count).keys()].map(large));
    await expect(publishLarge(100)).rejects.toThrow(
      new RegExp(
        `^Account ${accountId} has 1\\d\\d,\\d{3} bytes of published documents, and 10,\\d{3},\\d{3} are new; allowed: at most 10,000,000 bytes`,
      ),
    );
    await publishLarge(2);
    const others = Array.from({ length: 999 }, (_, i) => entry(total(`R${i}`)));
    await expect(publishDocuments(unchecked, last, others)).rejects.toThrow(
      `Account ${accountId} has 4,002 published documents, and 999 are new; allowed: at most 5,000 published documents. Remove documents, or revoke keys that are no longer used.`,
    );
    await revokeKey(context, revoked);
    await publishDocuments(unchecked, last, others);
  });

  it.each([
    ['revoked', (id: string) => revokeKey(context, id)],
    ['disabled', (id: string) => disableKey(context, id)],
    [
      'expired',
      (id: string) => context.prisma.apiKey.update({ where: { id }, data: { expiresAt: new Date(START) } }),
    ],
  ] as const)('is for an active key only, not one that is %s', async (state, end) => {
    const id = await newKey();
    await end(id);
    await expect(publishDocuments(context, id, [entry(total('One'))])).rejects.toThrow(
      `Key ${id} is ${state}: only an active key can publish documents.`,
    );
  });
});

describe('an upload of many documents', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, i) => total(`Q${i}`));
  /** A context whose check notes what it checks, always with the same errors. */
  const counting = (errors: readonly string[], slow = true) => {
    const checked: string[] = [];
    const check = (text: string) => {
      checked.push(text);
      const end = performance.now() + (slow ? 1.5 : 0);
      while (performance.now() < end) {
        // It takes as long as that of a short document.
      }
      return { operations: [], errors };
    };
    return { ...context, check, checked };
  };

  it('is counted before any is checked', async () => {
    const upload = counting([]);
    await expect(
      publishDocuments(upload, await newKey(), texts(MAX_DOCUMENTS + 1).map(entry)),
    ).rejects.toThrow(
      'The upload has 1,001 documents, allowed: at most 1,000 documents, as many as a key can have.',
    );
    expect(upload.checked).toEqual([]);
  });

  it('is checked in turns, and no other of the account meanwhile', async () => {
    const [id, upload] = [await newKey(), counting([])];
    const first = publishDocuments(upload, id, texts(100).map(entry));
    // A slice is some ms.
    expect(upload.checked.length).toBeLessThan(20);
    await expect(publishDocuments(upload, id, texts(1).map(entry))).rejects.toThrow(
      'Documents of an earlier upload of yours are still being checked.',
    );
    const other = { ...upload, actor: 'another' };
    await publishDocuments(other, await newKey(), [entry(total('Other'))]);
    expect(await first).toHaveLength(100);
    await publishDocuments(upload, id, texts(1).map(entry));
  });

  it('is no longer checked once its client has left, and the account may send another', async () => {
    const [id, upload, client] = [await newKey(), counting([]), new AbortController()];
    const leaving = { ...upload, throwIfAborted: () => client.signal.throwIfAborted() };
    const publishing = publishDocuments(leaving, id, texts(900).map(entry));
    client.abort();
    await expect(publishing).rejects.toThrow('aborted');
    expect(upload.checked.length).toBeLessThan(20);
    await publishDocuments(counting([]), id, [entry(total('Q'))]);
  });

  it('is checked up to the errors that are shown', async () => {
    const upload = counting(['not valid.', 'nor this.']);
    const error = await publishDocuments(upload, await newKey(), texts(900).map(entry)).catch((e) => e);
    expect(error.lines).toHaveLength(51);
    expect(error.lines.at(-1)).toBe('There may be more errors: these are the first.');
    expect(upload.checked).toHaveLength(25);
  });

  it('is checked once for equal texts, and written by one statement with a fixed number of parameters', async () => {
    const upload = counting([], false);
    const id = await newKey();
    const statements: { text: string; values: unknown[] }[] = [];
    database.pool.on('acquire', (client) => {
      const { query } = client;
      client.query = (...args: unknown[]) => {
        statements.push(args[0] as (typeof statements)[number]);
        return (query as (...args: unknown[]) => never).apply(client, args);
      };
    });
    await publishDocuments(upload, id, [...texts(500), ...texts(500)].map(entry));
    expect(upload.checked).toHaveLength(500);
    expect(await listDocuments(context, id)).toHaveLength(500);
    // Prisma occupies the event loop with each parameter.
    const inserts = statements.filter(({ text }) => /^\s*INSERT INTO documents/.test(text));
    expect(inserts.map(({ values }) => values.length)).toEqual([4]);
  });
});

describe('documents', () => {
  it('belong to all keys of a rotated line, whichever key is given', async () => {
    const old = await newKey();
    await publishDocuments(context, old, [entry(total('One'))]);
    await setKeyDocuments(context, old, 'trusted');
    const { id } = await rotateKey(context, old, '24h');
    await publishDocuments(context, id, [entry(total('Two'))]);
    expect(await listDocuments(context, old)).toEqual(await listDocuments(context, id));
    const modes = async () =>
      (await listKeys(context)).flatMap((key) => (key.familyId === old ? key.trustedOnly : []));
    expect(await modes()).toEqual([true, true]);
    await setKeyDocuments(context, id, 'any');
    expect(await modes()).toEqual([false, false]);
  });

  it('are removed when the last key of their line has been revoked or has expired', async () => {
    const [one, other, kept] = [await newKey(), await newKey(), await newKey()];
    for (const id of [one, other, kept]) {
      await publishDocuments(context, id, [entry(total('One'))]);
    }
    const left = async (id: string): Promise<number> => (await listDocuments(context, id)).length;
    const { id: successor } = await rotateKey(context, one, '0');
    expect(await left(successor)).toBe(1);
    await revokeKey(context, successor);
    expect(await left(one)).toBe(0);

    const inAnHour = new Date(START + 3_600_000);
    await context.prisma.apiKey.update({ where: { id: other }, data: { expiresAt: inAnHour } });
    await rotateKey(context, other, '1h');
    await removeExpired({ prisma: context.prisma, now: () => START });
    expect(await left(other)).toBe(1);
    await removeExpired({ prisma: context.prisma, now: () => START + 3_600_000 });
    expect([await left(other), await left(kept)]).toEqual([0, 1]);
  });

  it('are removed with a record, once', async () => {
    const id = await newKey();
    await publishDocuments(context, id, [entry(total('One')), entry(total('Two'))]);
    expect(await removeDocument(context, id, hashDocument(total('One')))).toBe(idOf(total('One')));
    expect(await listAudit(database.prisma, 1)).toMatchObject([
      { action: 'documents.remove', subject: id, details: { document: idOf(total('One')) } },
    ]);
    expect((await listDocuments(context, id)).map((one) => one.operations)).toEqual([['Two']]);
    for (const unknown of [idOf(total('One')), 'sha256:no', '\0']) {
      await expect(removeDocument(context, id, unknown)).rejects.toThrow(`Key ${id} has no document`);
    }
  });

  it('cannot be stored under another hash, even by SQL', async () => {
    const id = await newKey();
    const write = database.prisma.trustedDocument.create({
      data: { familyId: id, hash: Buffer.alloc(32), text: total('One'), operations: [] },
    });
    await expect(write).rejects.toThrow();
  });
});

describe('setting the documents mode of a key', () => {
  it('is recorded if it changes something', async () => {
    const id = await newKey();
    const log = async () => (await listAudit(database.prisma, 1))[0];
    expect((await setKeyDocuments(context, id, 'trusted')).trustedOnly).toBe(true);
    const last = await log();
    expect(last).toMatchObject({ action: 'key.documents', subject: id, details: { documents: 'trusted' } });
    await setKeyDocuments(context, id, 'trusted');
    expect(await log()).toEqual(last);
  });

  it('cannot allow any document for an embed key, nor does the database', async () => {
    const id = await newKey({ origins: ['https://example.com'] });
    await expect(setKeyDocuments(context, id, 'any')).rejects.toThrow(`Key ${id} is an embed key`);
    expect((await setKeyDocuments(context, id, 'trusted')).trustedOnly).toBe(true);
    const free = database.prisma.apiKey.update({ where: { id }, data: { trustedOnly: false } });
    await expect(free).rejects.toThrow();
  });
});
