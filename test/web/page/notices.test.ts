import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findNotice, noticeIn, noticeNames, withNotice } from '../../../src/web/page/notices.ts';

const WEB = fileURLToPath(new URL('../../../src/web/', import.meta.url));
const NOTICES = join('page', 'notices.ts');
const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(WEB, file), 'utf8') }));

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
  const writing = sources.filter(({ text }) => /[?&]notice=/.test(text)).map(({ file }) => file);
  expect(writing, 'These write ?notice= themselves: use withNotice of page/notices.ts').toEqual([NOTICES]);
});

it('has only notices to which something leads', () => {
  const others = sources.filter(({ file }) => file !== NOTICES).map(({ text }) => text);
  // A name stands in the statement that makes the address; that of a key or an account follows from which it is.
  const leading = others
    .flatMap((text) => [...(text.match(/withNotice\([^;]*;|\bnotice\b[^;=]*=[^;]*;/g) ?? [])])
    .join('\n');
  const made = others.flatMap((text) => [...text.matchAll(/`\$\{kind\}(-[a-z]+)`/g)].map(([, end]) => end));
  const isLedTo = (name: string): boolean =>
    leading.includes(`'${name}'`) || made.includes(name.replace(/^(key|account)(?=-)/, ''));
  expect(
    noticeNames.filter((name) => !isLedTo(name)),
    'Nothing leads to these notices: lead to them by withNotice, or remove them',
  ).toEqual([]);
});
