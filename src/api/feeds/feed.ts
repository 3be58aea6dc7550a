import { hash } from 'node:crypto';
import { ApiError } from '../../lib/errors.ts';
import { parseUrl } from '../../lib/http/addresses.ts';
import { dayOf, writeInstant } from '../../lib/text/days.ts';
import { nameInWords } from '../../lib/text/figures.ts';
import { escapeMarkup } from '../../lib/text/markup.ts';
import { isBlank, oneLine } from '../../lib/text/one-line.ts';

import type { Catalogue } from '../../startups/catalogue/catalogue.ts';
import { labelOfField, unitOf } from '../../startups/model/field-labels.ts';
import { type StartupFieldPath, startupFields } from '../../startups/model/fields.ts';
import { saysNothing, textInUnit } from '../../startups/model/words.ts';

import { dataOf } from '../graphql/errors.ts';
import type { Engine, Operation, OperationResult } from '../graphql/execution/engine.ts';
import { type Feed, type FeedList, readFeed } from '../graphql/planning/feed-list.ts';
import type { PreparedOperation } from '../graphql/planning/prepared-document.ts';
import { mergeSelections, type SelectionScope } from '../graphql/planning/selection.ts';

/** The most entries of a feed. */
const MAX_ENTRIES = 50;

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** A request for a feed, ready to run. */
export interface FeedTask {
  readonly cost: number;
  readonly operation: Operation;
  readonly feed: Feed;
}

/** What documents list: read once for all requests. */
const feeds = new WeakMap<PreparedOperation, Feed>();

/**
 * Prepares the document of a feed.
 *
 * @throws ApiError for a document that no longer fits the schema, or has no list.
 */
export function prepareFeed(engine: Engine, text: string): FeedTask {
  const operation = engine.prepare({ query: text, operationName: null, variables: {} });
  const { prepared, errors } = operation;
  if (prepared === undefined) {
    return dataOf({ errors });
  }
  const feed = feeds.get(prepared) ?? readFeed(prepared.document);
  // Documents were checked when they were published, and could then have a feed of changes.
  if (typeof feed === 'string') {
    throw new ApiError(
      'GONE',
      'Feeds of changes were removed: publish a feed of a list that is sorted by UPDATED_DESC, or read /api/v1/changes',
    );
  }
  feeds.set(prepared, feed);
  return { operation, cost: operation.cost, feed };
}

type Values = Readonly<Record<string, unknown>>;

/** A record of a list with the fields that a feed requires. */
interface FeedRecord extends Values {
  readonly slug: string;
  readonly name: string;
  readonly updatedAt: string;
}

/** What the address of a feed and the service say of it. */
interface FeedFacts {
  /** The hash of its document, in lower-case hex. */
  readonly document: string;
  readonly address: string;
  readonly service: string;
  /** Has the time of the first import of each startup, which documents need not select. */
  readonly catalogue: Pick<Catalogue, 'get'>;
}

/**
 * The feed of a result as Atom: its records, the newest first. https://www.rfc-editor.org/rfc/rfc4287
 *
 * @throws ApiError the first error of the result.
 */
export function writeFeed(
  { feed, operation }: FeedTask,
  result: OperationResult,
  { document, address, service, catalogue }: FeedFacts,
): string {
  const data = dataOf<Values>(result);
  const { name, description, lists, scope } = feed;
  // A startup has one entry, which changes with it.
  const entries = new Map<string, { readonly list: FeedList; readonly record: FeedRecord }>();
  for (const list of lists) {
    for (const record of recordsAt(data[list.root], list.path) as readonly FeedRecord[]) {
      entries.set(record.slug, { list, record });
    }
  }
  const newest = [...entries.values()]
    .sort(
      ({ record: { updatedAt: one } }, { record: { updatedAt: other } }) =>
        Number(one < other) - Number(one > other),
    )
    .slice(0, MAX_ENTRIES);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', idOf(document)),
    element('title', name === undefined ? service : `${name} – ${service}`),
    ...(description === undefined ? [] : [element('subtitle', description)]),
    element('updated', newest[0]?.record.updatedAt ?? `${dayOf(operation.plannedAt)}T00:00:00Z`),
    `<author>${element('name', service)}</author>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(address)}"/>`,
    ...newest.flatMap(({ list, record }) => {
      const link = typeof record.website === 'string' ? httpUrl(record.website) : undefined;
      // One that was removed meanwhile has no such time any more.
      const createdAt = catalogue.get(record.slug)?.createdAt;
      return [
        '<entry>',
        element('id', idOf(document, record.slug)),
        element('title', isBlank(record.name) ? record.slug : oneLine(record.name)),
        ...(createdAt === undefined ? [] : [element('published', writeInstant(createdAt))]),
        element('updated', record.updatedAt),
        ...(link === undefined ? [] : [`<link rel="alternate" href="${xmlText(link)}"/>`]),
        `<content type="text">${xmlText(linesOf(scope, list.record, record).join('\n'))}</content>`,
        '</entry>',
      ];
    }),
    '</feed>',
    '',
  ].join('\n');
}

/** Characters that XML 1.0 does not allow, not even escaped. */
const UNFIT = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A text as the content of an element or the value of an attribute, without characters that it cannot have. */
export const xmlText = (text: string): string => escapeMarkup(text.replace(UNFIT, ''));

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;

/**
 * A startup, or a part of it, in lines such as `Asking price: $1,000`: last, one for each day of its history.
 *
 * @param above the path of what has these fields, and the same in names of the response.
 */
function linesOf(
  scope: SelectionScope,
  selected: FeedList['record'],
  values: Values,
  above = { path: '', shown: '' },
): string[] {
  const lines: string[] = [];
  const days: string[] = [];
  for (const [name, nodes] of mergeSelections(scope, selected)) {
    const [{ name: field, selectionSet }] = nodes;
    const path = above.path + field.value;
    const shown = above.shown + name;
    const value = values[name];
    if (path === '__typename' || [value].flat().every(saysNothing)) {
      continue;
    }
    if (path === 'history') {
      days.push(...(value as Values[]).map((day) => linesOf(scope, nodes, day).join('; ')));
    } else if (selectionSet !== undefined) {
      lines.push(...linesOf(scope, nodes, value as Values, { path: `${path}.`, shown: `${shown}.` }));
    } else {
      const isKnown = Object.hasOwn(startupFields, path);
      const text = isKnown ? textInUnit(unitOf(path as StartupFieldPath), value, String) : String(value);
      // An alias is a label that the publisher chose.
      const label =
        path !== shown ? shown : isKnown ? labelOfField(path as StartupFieldPath) : nameInWords(path);
      lines.push(`${label}: ${oneLine(text)}`);
    }
  }
  return [...lines, ...days];
}

function recordsAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  return name === undefined
    ? [value].flat()
    : [value].flat().flatMap((one) => recordsAt((one as Record<string, unknown>)[name], rest));
}

/** A URL that readers may follow, as it is written in a feed. */
function httpUrl(text: string): string | undefined {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** An id that says nothing, and depends neither on the address of the server nor on the key: a UUID of version 8. */
function idOf(...parts: readonly string[]): string {
  const digits = [...hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)];
  digits[12] = '8';
  digits[16] = '8';
  return `urn:uuid:${digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}
