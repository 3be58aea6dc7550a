import { hash } from 'node:crypto';
import { ApiError } from '../../lib/errors.ts';
import { dayOf } from '../../lib/text/days.ts';
import { parseUrl } from '../../lib/text/url.ts';
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
import type { Entry, Feed } from './atom.ts';

/** The most entries of a feed. */
export const MAX_ENTRIES = 50;

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
 * The feed of a result: its records, the newest first.
 *
 * @throws ApiError the first error of the result.
 */
export function feedOf({ source, operation }: FeedTask, result: OperationResult, facts: FeedFacts): Feed {
  const data = dataOf<Record<string, unknown>>(result);
  const { document, address, service } = facts;
  const entries = new Map<string, Entry>();
  for (const list of source.lists) {
    for (const record of recordsAt(data[list.root], list.path)) {
      const entry = entryOf(source, list, record as FeedRecord, document);
      entries.set(entry.id, entry);
    }
  }
  const newest = [...entries.values()]
    .sort((one, other) => Number(one.updated < other.updated) - Number(one.updated > other.updated))
    .slice(0, MAX_ENTRIES);
  return {
    id: idOf(document),
    title: source.name === undefined ? service : `${source.name} – ${service}`,
    subtitle: source.description,
    author: service,
    address,
    updated: newest[0]?.updated ?? `${dayOf(operation.plannedAt)}T00:00:00Z`,
    entries: newest,
  };
}

function recordsAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  return name === undefined
    ? [value].flat()
    : [value].flat().flatMap((one) => recordsAt((one as Record<string, unknown>)[name], rest));
}

/** A startup has one entry, which changes with it. */
function entryOf({ scope }: Source, { record }: FeedList, data: FeedRecord, document: string): Entry {
  const { slug, name, updatedAt, website } = data;
  const { values, lines } = textsOfRecord(scope, record, data, (text) => text);
  return {
    id: idOf(document, slug),
    title: name,
    updated: updatedAt,
    link: typeof website === 'string' ? httpUrl(website) : undefined,
    lines: [...values, ...lines],
  };
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
