import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOutputFile } from '../../../src/lib/files/output-file.ts';
import { testDirectory } from '../../main/commands/process.ts';

describe('an output file', () => {
  it('has its name only when all of it is written, and the permissions that were asked for', async () => {
    const directory = testDirectory();
    const path = join(directory, 'a.txt');
    const file = await createOutputFile(path, { mode: 0o600, replace: false });
    await file.write('first, ');
    await file.write(Buffer.from('second'));
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^a\.txt\.[0-9a-f]{12}\.unfinished$/)]);
    await file.publish();
    expect(readdirSync(directory)).toEqual(['a.txt']);
    expect(readFileSync(path, 'utf8')).toBe('first, second');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await file.discard();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('never replaces a file unless it may, even one that appeared meanwhile', async () => {
    const directory = testDirectory();
    const path = join(directory, 'a.txt');
    const options = { name: 'a.txt', replace: false, ifExists: 'Remove it.' };
    const message = 'a.txt already exists: nothing was written. Remove it.';
    const file = await createOutputFile(path, options);
    await file.write('mine');
    writeFileSync(path, 'other');
    await expect(file.publish()).rejects.toThrow(message);
    await expect(createOutputFile(path, options)).rejects.toThrow(message);
    expect(readFileSync(path, 'utf8')).toBe('other');
    expect(readdirSync(directory)).toEqual(['a.txt']);
  });

  it('leaves nothing when it is discarded or its directory cannot be written', async () => {
    const directory = testDirectory();
    const file = await createOutputFile(join(directory, 'a.txt'), { replace: false });
    await file.write('x'.repeat(100_000));
    await file.discard();
    await expect(createOutputFile(join(directory, 'none', 'a.txt'), { replace: false })).rejects.toThrow(
      /^Cannot write .+a\.txt \(no such file or directory\): nothing was written\. Create the directory first: mkdir -p .+none$/,
    );
    mkdirSync(join(directory, 'folder'));
    await expect(createOutputFile(join(directory, 'folder'), { replace: true })).rejects.toThrow(
      /folder is a directory: specify a file in it\.$/,
    );
    expect(readdirSync(directory)).toEqual(['folder']);
  });

  it.each([
    ['a short text', 'short'],
    ['more than is buffered', 'x'.repeat(1_000_000)],
  ])(
    'that is a device is written to, and reports if the last byte of %s was not written',
    async (_, text) => {
      const full = await createOutputFile('/dev/full', { replace: false });
      await expect(full.write(text).then(() => full.publish())).rejects.toThrow(
        'Cannot write /dev/full (no space left on device): nothing was written. Free some space, or choose another disk.',
      );
      const discarding = await createOutputFile('/dev/null', { replace: false });
      await discarding.write(text);
      await discarding.publish();
      expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
    },
  );
});
