import { describe, expect, it } from 'vitest';
import { toText } from '../../../src/lib/mail/open-mailer.ts';
import { parseAccent } from '../../../src/lib/text/accent.ts';
import type { Service } from '../../../src/lib/text/service.ts';
import { expectPage, openSite } from '../dashboard/site.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';
const service: Service = {
  name: 'Acme & Söhne <Data>'.replace(/[<>]/g, ''),
  contact: 'data@acme.example',
  logo: { type: 'image/svg+xml', content: Buffer.from(SVG) },
  accent: { light: '#0a4fb4', dark: '#7db2ff' },
};
const SHOWN = 'Acme &amp; Söhne Data';

const site = await openSite({ app: { service } });
const html = { headers: { accept: 'text/html' } };

describe('a service with its own name, logo, contact and accent', () => {
  it.each(['/', '/policy', '/docs', '/graphql', '/dashboard/sign-in', '/nothing'])(
    'shows them on %s',
    async (path) => {
      const { text, headers } = await site.call(path, html);
      expect(text).toMatch(new RegExp(`<title>[^<]+ · ${SHOWN}</title>|<title>GraphiQL · ${SHOWN}</title>`));
      expect(text).toContain(`<span>${SHOWN}</span>`);
      const [, logo = ''] = /<img src="(\/logo\?v=[\w-]+)" alt=""/.exec(text) ?? [];
      expect(logo).not.toBe('');
      expect(text).toMatch(/<link rel="stylesheet" href="\/accent\.css\?v=[\w-]+"\/>/);
      expect(headers['content-security-policy']).toMatch(/img-src 'self'/);
      if (path !== '/graphql') {
        expect(text).toContain('href="mailto:data@acme.example"');
        expect(text).toContain('Runs on revgate');
      }
    },
  );

  it('serves the logo so that a browser that opens it runs and loads nothing', async () => {
    const { status, headers, text } = await site.call('/logo');
    expect([status, text]).toEqual([200, SVG]);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
  });

  it('serves the accent as a style sheet of its own', async () => {
    const { headers, text } = await site.call('/accent.css');
    expect(headers['content-type']).toBe('text/css; charset=utf-8');
    expect(text).toContain('--accent: light-dark(#0a4fb4, #7db2ff);');
  });

  it('is named in OpenAPI, with its contact, and its policy as terms and license', async () => {
    const { info } = (await site.call('/openapi.json')).json;
    expect(info).toMatchObject({
      title: service.name,
      contact: { name: service.name, email: service.contact },
      termsOfService: 'https://gate.example/policy',
      license: { name: 'Acceptable-use policy', url: 'https://gate.example/policy' },
    });
  });

  it('is named in emails and in the snippets of elements', async () => {
    const ada = await site.member('ada@example.com');
    const mail = site.mails.at(-1);
    expect(mail?.subject).toBe(`Finish signing up for ${service.name}`);
    expect(mail?.paragraphs.join('\n')).toContain(`signed up for ${service.name} with this address`);
    expect(mail && toText(mail, service)).toContain('\n\nQuestions? data@acme.example\n\n-- \n');
    const shown = await ada.post('/dashboard/embeds/new?category=ai', { origins: 'https://acme.example' });
    const marks = ['accent="light-dark(#0a4fb4, #7db2ff)"', 'source="Acme &amp; Söhne Data"'];
    expectPage(shown, 200, ...marks);
  });
});

it('looks like revgate unless something is set', async () => {
  const other = await openSite();
  const { text } = await other.call('/policy', html);
  expect(text).toContain('<span>revgate</span>');
  expect(text).toContain('<img src="/favicon.svg" alt=""');
  expect(text).not.toMatch(/accent\.css|Contact|Runs on/);
  for (const path of ['/logo', '/accent.css']) {
    expect((await other.call(path)).status).toBe(404);
  }
});

describe('an accent', () => {
  it('is accepted if it can be read on light and dark pages', () => {
    expect(parseAccent('#0B7A55')).toMatchObject({ light: '#0b7a55' });
    expect(parseAccent('#0b7a55, #4cc796')).toEqual({ light: '#0b7a55', dark: '#4cc796' });
    expect(parseAccent('#000000')?.dark).not.toBe('#000000');
  });

  it.each([
    'red',
    '#fff',
    '#ffffff',
    '#ffd400',
    '#4cc796',
    '',
    '#0b7a55,',
    '#0b7a55,#0b7a55',
    '#0b7a55,#4cc796,#000000',
  ])('is refused otherwise: %j', (text) => expect(parseAccent(text)).toBeUndefined());
});
