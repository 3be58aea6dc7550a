import { hash } from 'node:crypto';
import { ApiError } from '../../lib/errors.ts';
import { parseUrl } from '../../lib/http/addresses.ts';
import { dayOf } from '../../lib/text/days.ts';
import { escapeMarkup } from '../../lib/text/markup.ts';
import { dataOf } from '../graphql/errors.ts';
import type { Engine, Operation, OperationResult } from '../graphql/execution/engine.ts';
import {
  type FeedList,
  readFeedLists,
  readOperation,
  readsChangesAlone,
  type SingleOperation,
} from '../graphql/planning/feed-list.ts';
import type { PreparedOperation } from '../graphql/planning/prepared-document.ts';
import { textsOfRecord } from '../graphql/planning/record-texts.ts';

/** The most entries of a feed. */
const MAX_ENTRIES = 50;

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** What a document lists: read once for all its requests. */
interface Source extends Pick<SingleOperation, 'name' | 'description' | 'scope'> {
  readonly lists: readonly FeedList[];
}

/** A request for a feed, ready to run. */
export interface FeedTask {
  readonly cost: number;
  readonly operation: Operation;
  readonly source: Source;
}

const sources = new WeakMap<PreparedOperation, Source>();

/**
 * Prepares the document of a feed.
 *
 * @throws ApiError for a document that no longer fits the schema, or had a feed of changes.
 */
export function prepareFeed(engine: Engine, text: string): FeedTask {
  const operation = engine.prepare({ query: text, operationName: null, variables: {} });
  const { prepared, errors } = operation;
  if (prepared === undefined) {
    return dataOf({ errors });
  }
  const source = sources.get(prepared) ?? readSource(prepared);
  sources.set(prepared, source);
  return { operation, cost: operation.cost, source };
}

function readSource({ document }: PreparedOperation): Source {
  const read = readOperation(document);
  if (read !== undefined && readsChangesAlone(read)) {
    throw new ApiError(
      'GONE',
      'Feeds of changes were removed: publish a feed of a list that is sorted by UPDATED_DESC, or read /api/v1/changes',
    );
  }
  const lists = read === undefined ? [] : readFeedLists(read);
  if (read === undefined || typeof lists === 'string') {
    throw new ApiError('BAD_USER_INPUT', `This document has no feed: ${lists}`);
  }
  return { ...read, lists };
}

/** A record of a list with the fields that a feed requires. */
interface FeedRecord {
  readonly slug: string;
  readonly name: string;
  readonly updatedAt: string;
  readonly website?: unknown;
}

/** What the address of a feed and the service say of it. */
interface FeedFacts {
  /** The hash of its document, in lower-case hex. */
  readonly document: string;
  readonly address: string;
  readonly service: string;
}

/**
 * The feed of a result as Atom: its records, the newest first. https://www.rfc-editor.org/rfc/rfc4287
 *
 * @throws ApiError the first error of the result.
 */
export function writeFeed(
  { source, operation }: FeedTask,
  result: OperationResult,
  facts: FeedFacts,
): string {
  const data = dataOf<Record<string, unknown>>(result);
  const { document, address, service } = facts;
  const { name, description, lists, scope } = source;
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
      const { values, lines } = textsOfRecord(scope, list.record, record, (text) => text);
      return [
        '<entry>',
        element('id', idOf(document, record.slug)),
        element('title', record.name),
        element('updated', record.updatedAt),
        ...(link === undefined ? [] : [`<link rel="alternate" href="${xmlText(link)}"/>`]),
        `<content type="text">${xmlText([...values, ...lines].join('\n'))}</content>`,
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
