import type { Answer } from '../../support/gateway.ts';
import { decoded } from '../../support/html.ts';
import { type Browser, ORIGIN, type Site } from './site.ts';

export const UPLOAD = '/dashboard/operator/imports/new';

export type Fields = Record<string, string>;

/** The form of a step of an upload, whose path has the digest of its file. */
const STEP_FORM = new RegExp(`<form [^>]*action="(${UPLOAD}/[0-9a-f]{64}/(?:list|columns|preview))"`);

/** Sends a form with or without a file, as a browser does. */
export function sendMultipart(
  site: Site,
  browser: Browser,
  path: string,
  fields: Fields,
  file?: { readonly content: string | Buffer; readonly name: string },
  headers: Fields = {},
): Promise<Answer> {
  const boundary = 'a-boundary';
  const parts: (string | Buffer)[] = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  if (file !== undefined) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: text/csv\r\n\r\n`;
    parts.push(head, file.content, '\r\n');
  }
  return site.call(path, {
    method: 'POST',
    address: browser.address,
    headers: {
      cookie: browser.cookies(),
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
    body: Buffer.concat([...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part))),
  });
}

/**
 * Uploads a file, or sends a form that {@link formOn} has read by the button `act`, and follows to the next step. The page of
 * an import is not followed.
 */
export async function sendUpload(
  site: Site,
  browser: Browser,
  { action, ...fields }: Fields,
  content: string | Buffer | undefined,
  headers: Fields = {},
  name = 'table.csv',
): Promise<Answer> {
  const sent = await (action === undefined
    ? sendMultipart(
        site,
        browser,
        UPLOAD,
        fields,
        content === undefined ? content : { content, name },
        headers,
      )
    : action.endsWith('/columns')
      ? sendMultipart(site, browser, action, fields)
      : sendOptions(browser, action, fields));
  return follow(browser, sent);
}

/** The form of the preview, or of a list. Its link back to the columns is an act, too. */
function sendOptions(browser: Browser, action: string, fields: Fields): Promise<Answer> {
  const { act = '' } = fields;
  return act === 'columns'
    ? browser.get(action.replace(/preview$/, act))
    : browser.post(act.startsWith('import') ? `${action}/import` : action, fields);
}

async function follow(browser: Browser, answer: Answer): Promise<Answer> {
  const { location = '' } = answer.headers;
  return location.startsWith(`${UPLOAD}/`) ? follow(browser, await browser.get(location)) : answer;
}

/** What a browser sends of the form on a page, without its button; of a step of an upload, with its `action`. */
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
  const [, action] = STEP_FORM.exec(text) ?? [];
  return action === undefined ? fields : { ...fields, action };
}
