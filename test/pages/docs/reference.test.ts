import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorMeanings, errorStatuses } from '../../../src/errors.ts';
import { type Answer, openTestGateway, type TestGateway } from '../../support/gateway.ts';

let gateway: TestGateway;
let page: Answer;
let text: string;
beforeAll(async () => {
  gateway = await openTestGateway({ limits: { standard: 123, premium: 456 } });
  page = await gateway.call('/docs');
  text = plainText(page.text);
});
afterAll(() => gateway.close());

/** What a reader sees. */
const plainText = (markup: string): string =>
  markup
    .replace(/<\/(?:p|d[dt]|h\d|li|t[dhr]|pre)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The text of the entry with an anchor. */
function entry(id: string): string {
  const [, found] = page.text.split(`<div id="${id}">`);
  expect(found, `the entry ${id}`).toBeDefined();
  return plainText((found ?? '').split('</div>')[0] ?? '');
}

describe('the reference', () => {
  it('loads its own files only, and allows no script or style in the page', () => {
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son\w+=/);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it('has an anchor for every link, and no anchor twice', () => {
    const ids = [...page.text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(250);
    expect(ids).toEqual([...new Set(ids)]);
    const targets = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has every parameter, response, header and schema of the OpenAPI document', async () => {
    const { paths, components } = (await gateway.call('/openapi.json')).json;
    for (const [path, { get }] of Object.entries(
      paths as Record<
        string,
        {
          get: {
            parameters: { name: string; description: string }[];
            responses: Record<string, { description: string }>;
          };
        }
      >,
    )) {
      expect(text).toContain(`GET /api/v1${path}`);
      const fields: Record<string, string> = {
        '/startups/{slug}': 'startup',
        // It has the filters of a list.
        '/summary': 'startups',
        '/startups/{slug}/history': 'history',
      };
      const field = fields[path] ?? path.slice(1);
      for (const { name, description } of get.parameters) {
        const shown = entry(`Query.${field}.${name}`);
        expect(shown).toContain(description);
      }
      for (const { description } of Object.values(get.responses)) {
        expect(text).toContain(description);
      }
    }
    for (const [name, { description }] of Object.entries(
      components.headers as Record<string, { description: string }>,
    )) {
      expect(entry(`header.${name}`)).toContain(description);
    }
    for (const name of Object.keys(components.schemas)) {
      expect(page.text).toContain(`id="${name}"`);
    }
    const record = components.schemas.StartupDetail.properties as Record<
      string,
      { description: string; properties?: object }
    >;
    for (const [name, { description, properties }] of Object.entries(record)) {
      expect(properties === undefined ? entry(`Startup.${name}`) : description).toContain(description);
    }
  });

  it('has every type, field, argument and value of the GraphQL schema', async () => {
    const schema = buildSchema((await gateway.call('/schema.graphql')).text);
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
    );
    expect(types.length).toBeGreaterThan(20);
    for (const type of types) {
      if (type.name !== 'Query') {
        expect(page.text).toContain(`id="${type.name}"`);
        expect(text).toContain(type.description);
      }
      if (isEnumType(type)) {
        for (const { name, description } of type.getValues()) {
          expect(entry(`${type.name}.${name}`)).toMatch(new RegExp(`GraphQL ${name}\\b`));
          expect(entry(`${type.name}.${name}`)).toContain(description);
        }
      }
      if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
        for (const { name, description, type: result, ...field } of Object.values(type.getFields())) {
          if (type.name === 'Query') {
            expect(page.text).toContain(`id="Query.${name}"`);
            expect(text).toContain(description);
            for (const arg of 'args' in field ? field.args : []) {
              expect(entry(`Query.${name}.${arg.name}`)).toContain(String(arg.type));
            }
          } else if (type.name !== 'Startup' || name !== 'revenue') {
            const shown = entry(`${type.name}.${name}`);
            expect(shown).toContain(description);
            expect(shown).toContain(String(result));
          }
        }
      }
    }
  });

  it('has every error code with its status and meaning', () => {
    for (const code of Object.keys(errorStatuses) as ErrorCode[]) {
      expect(entry(code)).toContain(`REST ${errorStatuses[code]}`);
      expect(entry(code)).toContain(errorMeanings[code]);
    }
  });

  it('names the limits of this gateway', () => {
    expect(text).toMatch(
      /standard\s*123\s*premium\s*456\s*none: an account that uses GraphiQL or the explorer\s*60\s/,
    );
  });
});

describe.each(['/docs', '/docs/schema'])('%s', (path) => {
  const load = async (headers: Record<string, string>) => {
    const response = await gateway.handle({
      method: 'GET',
      path,
      query: '',
      address: '192.0.2.1',
      headers: () => new Headers(headers),
      header: (name) => headers[name],
      body: async () => Buffer.alloc(0),
      isDisconnected: false,
      disconnected: () => new AbortController().signal,
    });
    return { ...response, body: Buffer.from(response.body) };
  };

  it('is compressed for those who accept it, to less than 60 kB', async () => {
    const plain = await load({});
    for (const [coding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await load({ 'accept-encoding': `identity, ${coding}` });
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding, Cookie' });
      expect(body.length).toBeLessThan(60_000);
      expect(decompress(body)).toEqual(plain.body);
    }
  });

  it('is sent once to a browser that keeps it', async () => {
    const { headers } = await load({});
    const again = await load({ 'if-none-match': headers.etag ?? '' });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await load({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('leads to files that exist', async () => {
    const { body } = await load({});
    const files = [...String(body).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(7);
    for (const file of files) {
      expect((await gateway.call(file)).status).toBe(200);
    }
    expect((await gateway.call('/assets/none.js')).status).toBe(404);
  });
});

it('the schema page is the schema, with a place for every type and links to it', async () => {
  const schema = (await gateway.call('/schema.graphql')).text;
  const { text: markup } = await gateway.call('/docs/schema');
  const shown = plainText(markup);
  const definitions = schema.trimEnd().split(/\n\n(?=\S)/);
  for (const definition of definitions) {
    expect(shown).toContain(definition);
  }
  expect([...markup.matchAll(/<h2 id="/g)]).toHaveLength(definitions.length);
  expect(markup).toContain(': [<a href="#Startup">Startup</a>!]!');
});
