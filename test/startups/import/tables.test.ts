import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promoteAccount } from '../../../src/access/accounts/change.ts';
import { createOperatorToken } from '../../../src/access/accounts/operator-tokens.ts';
import type { Database } from '../../../src/db/open.ts';
import { exactText } from '../../../src/lib/text/figures.ts';
import type { Mapping } from '../../../src/startups/import/columns/mapping.ts';
import type { toExaminationReport } from '../../../src/startups/import/examine.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { openServedPlace } from '../../main/commands/databases.ts';
import { textIn } from '../../support/html.ts';
import { openSite } from '../../web/dashboard/site.ts';
import { type Fields, formOn, sendUpload } from '../../web/dashboard/upload-form.ts';
import { leastDefaults } from './inputs.ts';

// Each table of tables.txt, made from the rule "never a guess" without knowledge of the code, through the command, HTTP
// and the page. After `---` come the questions (`?`), the columns left out and why (`-`), the answers that are given (`>`),
// what people are told (`~`), what is stored (`=`) and why nothing is (`!`, again where the page has other words). Fields that a line does not name are not
// compared. What no table has is answered with ANSWERS.

const ANSWERS: Readonly<Record<string, string>> = leastDefaults;
const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  bom: (text) => Buffer.from(`\ufeff${text}`),
  cr: (text) => Buffer.from(text.replaceAll('\n', '\r')),
  // Within its last character that has two bytes.
  cut: (text) => Buffer.from(text).subarray(0, Buffer.from(text).lastIndexOf('ö') + 1),
  latin1: (text) => Buffer.from(text, 'latin1'),
  'utf-16': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  // Of its characters above Latin-1, the tables have a dash, quotes and the euro.
  'windows-1252': (text) =>
    Buffer.from(
      text.replace(/[–“”€]/g, (one) => '\x96\x93\x94\x80'.charAt('–“”€'.indexOf(one))),
      'latin1',
    ),
};

const tables = readFileSync(join(import.meta.dirname, 'tables.txt'), 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((part) => {
    const [, name = '', encoding, text = '', expected = ''] =
      /^(\S+)(?: \[(\S+)\])?\n(.*\n)---\n(.*)$/s.exec(part) ?? [];
    const content = encoding === undefined ? Buffer.from(text) : ENCODINGS[encoding]?.(text);
    const lines = (mark: string): string[] =>
      expected.split('\n').flatMap((line) => (line.startsWith(`${mark} `) ? line.slice(2) : []));
    return { name, content: content ?? Buffer.alloc(0), lines };
  });
type Table = (typeof tables)[number];
type Examination = ReturnType<typeof toExaminationReport>;

/** Splits at the last mark. */
const cut = (text: string, mark: string): [string, string] => {
  const at = text.lastIndexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
};

/** Of an answer: what kind, what it is for, and what it is. */
function answersOf({ lines }: Table) {
  return lines('>').map((line) => {
    const [of, value] = cut(line, '=');
    const [, field = '', text = ''] = /^([\w.]+):(.+)$/.exec(of) ?? [];
    const isValue = Object.hasOwn(ANSWERS, field) || storedStartupFields.some(({ path }) => path === field);
    return of.startsWith('row ')
      ? ({ kind: 'row', of: of.slice(4), value } as const)
      : isValue
        ? ({ kind: 'value', of: field, text, value } as const)
        : ({ kind: 'column', of, value } as const);
  });
}

/** The mapping that `--suggest` wrote, with the answers written into it. */
function answer({ columns, defaults = {}, rows, values = {}, ...others }: Mapping, table: Table): Mapping {
  const answers = answersOf(table);
  const of = (kind: 'column' | 'row') =>
    Object.fromEntries(answers.flatMap((given) => (given.kind === kind ? [[given.of, given.value]] : [])));
  const textsOf = (path: string) =>
    answers.flatMap((one) => (one.kind === 'value' && one.of === path ? [[one.text, one.value]] : []));
  const chosen = Object.entries(values).map(([path, texts]) => {
    const all = Object.entries<string>({ ...texts, ...Object.fromEntries(textsOf(path)) });
    const kept = all.filter(([, value]) => value !== 'invalid');
    return [path, Object.fromEntries(kept.map(([text, value]) => [text, value === 'none' ? '' : value]))];
  });
  const set = ([path, value]: [string, string]) => [path, value === '?' ? (ANSWERS[path] ?? '') : value];
  return {
    ...others,
    columns: { ...columns, ...of('column') },
    defaults: Object.fromEntries(Object.entries(defaults).map(set)),
    rows: { ...rows, ...of('row') } as Mapping['rows'],
    values: Object.fromEntries(chosen),
  };
}

/** The form of the page with the answers chosen in it, until it has no question. */
function chosen(form: Fields, table: Table): Fields {
  const fields = { ...form };
  const indexOf = (value: string, name: RegExp): string =>
    Object.keys(form).find((key) => name.test(key) && form[key] === value) ?? '';
  for (const given of answersOf(table)) {
    const [field = '', words = ''] = given.value.startsWith('left out') ? [''] : given.value.split(':');
    if (given.kind === 'column') {
      const column = indexOf(given.of, /^column\.\d+\.name$/);
      fields[column.replace('.name', '.field')] = field;
      const isFormat = (word: string): boolean => /^(point|comma|round)$/.test(word);
      const parts = words.split(',');
      fields[column.replace('.name', '.notation')] = parts.filter((word) => !isFormat(word)).join();
      fields[column.replace('.name', '.format')] = parts.filter(isFormat).join();
    } else if (given.kind === 'row') {
      fields[indexOf(given.of, /^row\.\d+\.name$/).replace('.name', '.answer')] = given.value;
    } else {
      const text = indexOf(given.text, new RegExp(`^${given.of}\\.\\d+\\.text$`));
      // A value that no choice has is typed.
      const isTyped =
        /^(none|invalid|)$/.test(given.value) === false && text.replace('.text', '.typed') in form;
      fields[text.replace('.text', isTyped ? '.typed' : '.is')] = given.value;
    }
  }
  // A value for the gaps of a column is only offered.
  const asked = (name: string): boolean => fields[name.replace('.field', '.is')] !== 'offered';
  for (const key of Object.keys(fields).filter((name) => /^default\.\d+\.field$/.test(name) && asked(name))) {
    fields[key.replace('.field', '.value')] ||= ANSWERS[fields[key] ?? ''] ?? '';
  }
  return fields;
}

const place = await openServedPlace();
const site = await openSite();
const browser = await site.member('op@example.com');
const { id: account } = await promoteAccount(site.acting, 'op@example.com');
const { token } = await createOperatorToken({ ...site.acting, operators: [] }, { name: 'tables', account });

/** What is stored of the startups that a table names, in the words of the table. */
async function storedIn({ prisma }: Pick<Database, 'prisma'>, table: Table): Promise<string[]> {
  const rows = await prisma.startup.findMany();
  return table.lines('=').map((line) => {
    const [, isNone, name = '', fields = ''] = /^(no )?([^:]+):?\s*(.*)$/.exec(line) ?? [];
    const found = rows.filter((row) => row.name === name);
    if (isNone !== undefined || found.length !== 1) {
      return found.length === 0 ? `no ${name}` : `${found.length} ${name}`;
    }
    const shown = fields.split(' | ').map((one) => {
      const [path] = cut(one, '=');
      const field = storedStartupFields.find((each) => each.path === path);
      const value = found[0]?.[field?.property as keyof (typeof found)[0]] ?? '';
      const text = value instanceof Date ? value.toISOString().replace('T00:00:00.000Z', '') : String(value);
      const isAmount = field?.kind === 'cents' && text !== '';
      return field === undefined ? one : `${path}=${isAmount ? exactText(Number(value)) : text}`;
    });
    return fields === '' ? line : `${name}: ${shown.join(' | ')}`;
  });
}

test.each(tables)('$name gives the same through the command, HTTP and the page', async (table) => {
  const { name, content, lines } = table;
  const [error, errorOnPage = error] = lines('!');
  const asked = lines('?').filter((one) => !one.startsWith('default '));
  const cannotBeAnswered = lines('=').length === 0 && error === undefined;
  writeFileSync(join(place.cwd, name), content);

  // The command asks.
  const suggested = await place.run('import', '--suggest', '--json', name);
  const examined = suggested.code === 0 ? (JSON.parse(suggested.stdout) as Examination) : undefined;
  if (examined === undefined) {
    expect(suggested.stderr).toContain(error ?? 'no error');
  }
  const questions = examined?.questions ?? [];
  const open = questions.filter((one) => !one.includes('a required field without a value'));
  const isFound = (wanted: string): boolean => {
    const [of, why] = /^(row |name \(|[\w.]+ ")/.test(wanted) ? [wanted, ''] : cut(wanted, ': ');
    return open.some((one) => one.replaceAll('"', '').includes(of.replaceAll('"', '')) && one.includes(why));
  };
  if (examined !== undefined) {
    expect([open.length, asked.filter((one) => !isFound(one))], open.join('\n')).toEqual([asked.length, []]);
  }
  for (const one of lines('-')) {
    const [of, why] = cut(one, ': ');
    const column = examined?.columns.find((each) => each.name === of);
    expect([of, column?.state, column?.reason]).toEqual([of, 'left out', expect.stringContaining(why)]);
  }
  for (const one of lines('?').filter((each) => each.startsWith('default '))) {
    expect(examined?.mapping.defaults?.[one.slice(8)]).toBe('?');
  }
  if (cannotBeAnswered) {
    return;
  }
  let mapping = answer(examined?.mapping ?? {}, table);
  // The answer for a column may leave a field without a value, or ask about texts.
  if (lines('>').length > 0) {
    writeFileSync(join(place.cwd, 'answered.json'), JSON.stringify(mapping));
    const again = await place.run('import', '--suggest', '--json', '--mapping', 'answered.json', name);
    expect(again.stderr).toBe('');
    mapping = answer((JSON.parse(again.stdout) as Examination).mapping, table);
  }

  // The command imports.
  writeFileSync(join(place.cwd, 'asked.json'), JSON.stringify(examined?.mapping ?? {}));
  writeFileSync(join(place.cwd, 'answered.json'), JSON.stringify(mapping));
  const run = (file: string) => place.run('import', '--replace', '--yes', '--mapping', file, name);
  if (questions.length > 0) {
    expect(await run('asked.json')).toMatchObject({ code: 1, stderr: expect.stringContaining('question') });
  }
  const { code, stdout, stderr } = await run('answered.json');
  expect([code, stderr]).toEqual(
    error === undefined ? [0, ''] : [1, expect.stringContaining(examined ? error : '')],
  );
  const told = [stdout, ...(examined?.problems ?? []), ...(examined?.notes ?? [])].join('\n');
  expect(lines('~').filter((one) => !told.includes(one))).toEqual([]);
  if (error === undefined) {
    expect(await place.use((database) => storedIn(database, table))).toEqual(lines('='));
  }

  // The other doors share what reads and stores, in a thread of its own for each step: a few tables here, all on PostgreSQL.
  if (process.env.TEST_DATABASE_URL === undefined && tables.indexOf(table) % 16 !== 0) {
    return;
  }

  // The same over HTTP.
  site.nextMinute();
  const post = (sent: Mapping) => {
    const query = new URLSearchParams({ name, replace: 'true', yes: 'true', mapping: JSON.stringify(sent) });
    const headers = { authorization: `Bearer ${token}` };
    return site.call(`/import?${query}`, { method: 'POST', headers, body: content });
  };
  if (questions.length > 0) {
    expect(await post(examined?.mapping ?? {})).toMatchObject({
      status: 400,
      text: expect.stringContaining('question'),
    });
  }
  const { status, json } = await post(mapping);
  expect([status, JSON.stringify(json).replaceAll('\\"', '"')]).toEqual(
    error === undefined ? [200, expect.anything()] : [400, expect.stringContaining(examined ? error : '')],
  );
  if (error === undefined) {
    expect(await storedIn(site.database, table)).toEqual(lines('='));
    await site.database.prisma.startup.deleteMany();
  }

  // The same on the page.
  const send = (fields: Fields) => sendUpload(site, browser, fields, content, {}, name);
  let page = await send({});
  // Twice where the first answers ask more.
  for (let turn = 0; examined !== undefined && turn < 2 && !formOn(page.text).previewed; turn += 1) {
    page = await send({ ...chosen(formOn(page.text), table), replace: 'on', yes: 'on', act: 'preview' });
  }
  if (error !== undefined) {
    expect([textIn(page.text), page.text.includes('value="import"')]).toEqual([
      expect.stringContaining(errorOnPage ?? error),
      false,
    ]);
    return;
  }
  expect([textIn(page.text), formOn(page.text).previewed]).toEqual([
    expect.anything(),
    expect.stringMatching(/./),
  ]);
  const { headers } = await send({ ...formOn(page.text), act: 'import' });
  expect(headers.location).toMatch(/imports\/\d+\?notice=imported$/);
  expect(await storedIn(site.database, table)).toEqual(lines('='));
  await site.database.prisma.startup.deleteMany();
});
