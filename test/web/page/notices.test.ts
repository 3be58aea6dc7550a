import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findNotice, noticeIn, withNotice } from '../../../src/web/page/notices.ts';

const WEB = fileURLToPath(new URL('../../../src/web/', import.meta.url));

it('finds the text of a notice by the address that leads to it', () => {
  const name = noticeIn(withNotice('/dashboard/keys', 'published-before'));
  expect(findNotice(name)).toEqual({ text: 'Nothing changed: this was published before.', tone: 'warn' });
  expect(findNotice('toString')).toBeUndefined();
});

it('does not compile a notice that has no text', () => {
  // @ts-expect-error: its name is misspelt.
  expect(findNotice(noticeIn(withNotice('/dashboard/keys', 'publised')))).toBeUndefined();
});

it('leads to a notice only with a name that is checked', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const writing = files.filter((file) => /[?&]notice=/.test(readFileSync(join(WEB, file), 'utf8')));
  expect(writing, 'These write ?notice= themselves: use withNotice of page/notices.ts').toEqual([
    join('page', 'notices.ts'),
  ]);
});
