import { escapeMarkup } from '../../lib/text/markup.ts';

/** A feed as Atom has it. https://www.rfc-editor.org/rfc/rfc4287 */
export interface Feed {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | undefined;
  /** Who provides it. */
  readonly author: string;
  /** Its own address. */
  readonly address: string;
  /** ISO 8601. */
  readonly updated: string;
  readonly entries: readonly Entry[];
}

/** An entry of a feed. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  /** A page about it. */
  readonly link: string | undefined;
  readonly lines: readonly string[];
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** Characters that XML 1.0 does not allow, not even escaped. */
const UNFIT = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A text as the content of an element or the value of an attribute, without characters that it cannot have. */
export const xmlText = (text: string): string => escapeMarkup(text.replace(UNFIT, ''));

/** Writes a feed. */
export function writeFeed({ id, title, subtitle, author, address, updated, entries }: Feed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title),
    ...(subtitle === undefined ? [] : [element('subtitle', subtitle)]),
    element('updated', updated),
    `<author>${element('name', author)}</author>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(address)}"/>`,
    ...entries.map(writeEntry),
    '</feed>',
    '',
  ].join('\n');
}

function writeEntry({ id, title, updated, link, lines }: Entry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    element('updated', updated),
    ...(link === undefined ? [] : [`<link rel="alternate" href="${xmlText(link)}"/>`]),
    `<content type="text">${xmlText(lines.join('\n'))}</content>`,
    '</entry>',
  ].join('\n');
}

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;
