import type { Answer } from '../../support/gateway.ts';
import { decoded } from '../../support/html.ts';
import { type Browser, ORIGIN, type Site } from './site.ts';

export const UPLOAD = '/dashboard/operator/imports/new';

export type Fields = Record<string, string>;

/** Sends a form with a file, as a browser does. */
export function sendUpload(
  site: Site,
  browser: Browser,
  fields: Fields,
  content: string | Buffer | undefined,
  headers: Fields = {},
  name = 'table.csv',
): Promise<Answer> {
  const boundary = 'a-boundary';
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`;
  const file = content === undefined ? [] : [head, content, '\r\n'];
  return site.call(UPLOAD, {
    method: 'POST',
    address: browser.address,
    headers: {
      cookie: browser.cookies(),
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
    body: Buffer.concat([...parts, ...file, `--${boundary}--\r\n`].map((part) => Buffer.from(part))),
  });
}

/** What a browser sends of the form on a page, without its button. */
export function formOn(text: string): Fields {
  const fields: Fields = {};
  for (const [, attributes = ''] of text.matchAll(/<input ([^>]*)>/g)) {
    const name = decoded(/name="([^"]*)"/.exec(attributes)?.[1] ?? '');
    const isOff = /type="checkbox"/.test(attributes) && !/ checked/.test(attributes);
    if (!isOff && !/type="file"/.test(attributes)) {
      fields[name] = decoded(/value="([^"]*)"/.exec(attributes)?.[1] ?? 'on');
    }
  }
  for (const [, name = '', options = ''] of text.matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    fields[name] = decoded(/value="([^"]*)" selected/.exec(options)?.[1] ?? '');
  }
  return fields;
}
