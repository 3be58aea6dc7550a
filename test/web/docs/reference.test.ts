import { buildSchema, isEnumType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorMeanings, errorStatuses } from '../../../src/lib/errors.ts';
import { sortValues } from '../../../src/startups/model/vocabulary.ts';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { textIn } from '../../support/html.ts';

/** Sections that are texts of their own. */
const SEPARATE = ['changelog'];

const gateway = await openTestGateway({ limits: { standard: 123, premium: 456 } });
const list = (await gateway.call('/llms.txt')).text;
const slugs = [...list.matchAll(/\/docs\/([\w-]+)\.md/g)].map(([, slug = '']) => slug);
/** All pages by their path. */
const pages: ReadonlyMap<string, Answer> = new Map(
  await Promise.all(
    ['', ...slugs.map((slug) => `/${slug}`)].map(
      async (path) => [`/docs${path}`, await gateway.call(`/docs${path}`)] as const,
    ),
  ),
);

/** What a reader sees. */
const plainText = (markup: string): string =>
  textIn(markup.replace(/<\/(?:p|d[dt]|h\d|li|t[dhr]|pre)>/g, '\n'));

/** What a page has of its own. */
const mainOf = (path: string): string => pages.get(path)?.text.split('<main')[1]?.split('</main>')[0] ?? '';
const mainless = (path: string): string => pages.get(path)?.text.split('<main')[0] ?? '';
const idsOf = (html: string): string[] => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);

/** The pages of the reference. */
const markup = slugs
  .filter((slug) => !SEPARATE.includes(slug))
  .map((slug) => mainOf(`/docs/${slug}`))
  .join('\n');
const text = plainText(markup);

/** The text of the entry with an anchor. */
function entry(id: string): string {
  const [, found] = markup.split(`<div id="${id}">`);
  expect(found, `the entry ${id}`).toBeDefined();
  return plainText((found ?? '').split('</div>')[0] ?? '');
}

describe('the reference', () => {
  it.each(slugs)('%s has at most 1,500 words beside its samples', (slug) => {
    const prose = mainOf(`/docs/${slug}`).replace(/<pre[\s\S]*?<\/pre>/g, ' ');
    expect(plainText(prose).split(/\s+/).length).toBeLessThanOrEqual(1500);
  });

  it('loads its own files only, and allows no script or style in the page', () => {
    expect(pages.size).toBeGreaterThan(25);
    for (const page of pages.values()) {
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(page.text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son\w+=/);
      expect(plainText(page.text)).not.toMatch(/undefined|\[object/);
    }
  });

  it('has a title, a description and an address for each page, and leads to its neighbours', () => {
    const heads = [...pages.values()].map(({ text }) => [
      /<title>([^<]+) · revgate<\/title>/.exec(text)?.[1],
      /<meta name="description" content="([^"]{20,200})"/.exec(text)?.[1],
    ]);
    for (const part of [0, 1]) {
      const values = heads.map((head) => head[part]);
      expect(values).toEqual([...new Set(values)]);
      expect(values).not.toContain(undefined);
    }
    const paths = [...pages.keys()];
    paths.forEach((path, at) => {
      const html = pages.get(path)?.text ?? '';
      expect(/rel="prev" href="([^"]*)"/.exec(html)?.[1]).toBe(paths[at - 1]);
      expect(/rel="next" href="([^"]*)"/.exec(html)?.[1]).toBe(paths[at + 1]);
      // All pages are at the side.
      const [navigation = ''] = html.split('<main');
      for (const other of paths) {
        const current = other === path ? ' aria-current="page"' : '';
        expect(navigation.split(`<a href="${other}"${current}>`).length).toBeGreaterThanOrEqual(2);
      }
    });
  });

  it('leads only to pages and anchors that exist, and has no anchor twice', async () => {
    expect(idsOf(markup).length).toBeGreaterThan(250);
    const others = new Map<string, number>();
    const first = await gateway.call('/', { headers: { accept: 'text/html' } });
    for (const [path, { text: html }] of [...pages, ['/', first] as const]) {
      const ids = idsOf(html);
      expect(ids).toEqual([...new Set(ids)]);
      for (const [, href = ''] of html.matchAll(/\shref="([^"]+)"/g)) {
        const { pathname, hash, origin } = new URL(href, `http://localhost${path}`);
        const target = pathname === '/' ? first : pages.get(pathname);
        if (target !== undefined && hash !== '') {
          expect(idsOf(target.text), `${href} in ${path}`).toContain(decodeURIComponent(hash.slice(1)));
        } else if (target === undefined && origin === 'http://localhost') {
          others.set(pathname, 0);
        }
      }
    }
    for (const path of others.keys()) {
      others.set(path, (await gateway.call(path, { headers: { accept: 'text/html' } })).status);
    }
    // This gateway has no dashboard.
    expect([...others].filter(([path, status]) => status !== 200 && !path.startsWith('/dashboard'))).toEqual(
      [],
    );
  });

  it('has few pages for customers in groups, and none for operators beside them', () => {
    const [, side = ''] = mainless('/docs').split('<nav id="contents-menu"');
    const groups = side.split('<p class="group soft">').slice(1);
    expect(groups.map((group) => [group.split('<')[0], group.split('<li>').length - 1])).toEqual([
      ['Start', 5],
      ['Read data', 6],
      ['GraphQL', 3],
      ['Limits and errors', 4],
      ['Agents', 1],
      ['Embed', 4],
      ['Reference', 5],
    ]);
    expect(mainless('/docs')).toContain('<a href="/docs" aria-current="page">Docs</a>');
    // The first page is one path, and no list of all others.
    expect(mainOf('/docs').match(/href="\/docs\//g)?.length).toBeLessThan(15);
  });

  it('calls responses examples, as this service has data of its own', () => {
    expect(markup.match(/Response <span/g)).toBeNull();
    expect(markup.match(/Example response <span/g)?.length).toBeGreaterThan(15);
  });

  it('has every parameter, response, header and schema of the OpenAPI document', async () => {
    expect(text).not.toContain('NaN');
    const { paths, components } = (await gateway.call('/openapi.json')).json;
    type Described = { name: string; description: string; properties?: object };
    type Operations = Record<string, { parameters?: Described[] }>;
    for (const [path, operations] of Object.entries<Operations>(paths)) {
      for (const method of Object.keys(operations)) {
        expect(text).toContain(`${method.toUpperCase()} /api/v1${path}`);
      }
      const fields: Record<string, string> = {
        '/startups/{slug}': 'startup',
        // It has the filters of a list.
        '/summary': 'startups',
        '/startups/{slug}/history': 'history',
      };
      const field = fields[path] ?? path.slice(1);
      for (const { name, description } of operations.get?.parameters ?? []) {
        // The only parameter of a field below the list.
        const shown = entry(`Query.${name === 'by' ? 'groups' : field}.${name}`);
        expect(shown).toContain(description);
      }
    }
    for (const [name, { description }] of Object.entries<Described>(components.headers)) {
      expect(entry(`header.${name}`)).toContain(description);
    }
    const record: Record<string, Described> = components.schemas.StartupDetail.properties;
    for (const [name, { description, properties }] of Object.entries(record)) {
      expect(properties === undefined ? entry(`Startup.${name}`) : description).toContain(description);
    }
  });

  it('has every argument of GraphQL, and every enumeration with its values on both surfaces', async () => {
    const types = Object.values(buildSchema((await gateway.call('/schema.graphql')).text).getTypeMap());
    for (const type of types.filter(({ name }) => !name.startsWith('__'))) {
      for (const { name, description } of isEnumType(type) ? type.getValues() : []) {
        expect(entry(`${type.name}.${name}`)).toMatch(new RegExp(`GraphQL ${name}\\b`));
        expect(entry(`${type.name}.${name}`)).toContain(description);
      }
      if (isObjectType(type) && type.name === 'Query') {
        for (const { name, description, args } of Object.values(type.getFields())) {
          expect(text).toContain(description);
          for (const arg of args) {
            expect(entry(`Query.${name}.${arg.name}`)).toContain(String(arg.type));
          }
        }
      }
    }
    expect(entry('MarketDay.mrr.median')).toContain('integer');
  });

  it('has every error code with its status and meaning, and every sort of REST', () => {
    for (const code of Object.keys(errorStatuses) as ErrorCode[]) {
      expect(entry(code)).toMatch(new RegExp(`(REST|GraphQL|/import|/feeds) ${errorStatuses[code]}`));
      expect(entry(code)).toContain(errorMeanings[code]);
    }
    for (const value of sortValues) {
      expect(entry('Query.startups.sort')).toMatch(new RegExp(`(?<![\\w-])${value}(?![\\w-])`));
    }
  });

  it('names the limits of this gateway', () => {
    expect(text).toMatch(/standard\s*123\s*premium\s*456\s*signed in, without a key \(GraphiQL\)\s*60\s/i);
  });
});

describe('the reference for programs', () => {
  it('is listed in /llms.txt, a line for each page', async () => {
    const { status, headers, text: list } = await gateway.call('/llms.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(list).toMatch(/^# revgate\n\n> /);
    const lines = list.split('\n').filter((line) => line.startsWith('- '));
    expect(lines).toHaveLength(pages.size);
    for (const line of lines) {
      expect(line).toMatch(/^- \[[^\]]+\]\(http:\/\/[^)]+\/docs(?:\/[\w-]+)?\.md\): .{20,}\.$/);
    }
  });

  it('has each page as Markdown, with its code and its links', async () => {
    for (const path of pages.keys()) {
      const answer = await gateway.call(`${path}.md`);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(pages.get(path)?.text).toContain(
        `<link rel="alternate" type="text/markdown" href="${path}.md"/>`,
      );
      expect(answer.text).toMatch(/^# .+\n\n\S/);
      const outside = answer.text.replace(/^ *```[\s\S]*?^ *```/gm, '');
      expect(outside.match(/undefined|\[object|<\/|&(amp|lt|gt|quot);/g), path).toBe(null);
      expect(answer.text.split(/^ *```/m).length % 2).toBe(1);
      for (const [, target = '', anchor = ''] of answer.text.matchAll(/\]\((\/docs[^)#]*)#?([^)]*)\)/g)) {
        expect(pages.has(target), `${target} in ${path}.md`).toBe(true);
        expect(anchor === '' || idsOf(pages.get(target)?.text ?? '').includes(anchor), target).toBe(true);
      }
    }
    const errors = (await gateway.call('/docs/errors.md')).text;
    expect(errors).toContain('- `RATE_LIMITED` · REST `429` · GraphQL `429`: The request costs more than');
    const first = (await gateway.call('/docs.md')).text;
    expect(first).toMatch(
      /^1\. .*\[Sign up\]\(\/dashboard\/sign-up\?next=\/dashboard\/keys\/new\), and create a key/m,
    );
    expect(first).toMatch(/^```sh\ncurl "http.*\\\n {2}-H "Authorization: Bearer \$REVGATE_KEY"\n```$/m);
    expect((await gateway.call('/docs/failures.md')).text).toMatch(
      /^\| failure \| effect on clients \| recovery \|\n\| ---/m,
    );
    expect((await gateway.call('/docs/nowhere.md')).status).toBe(404);
  });
});
