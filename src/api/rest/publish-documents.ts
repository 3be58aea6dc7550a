import { parseEntries } from '../../access/keys/documents/manifest.ts';
import {
  MAX_DOCUMENTS,
  type PublishedDocument,
  publishDocuments,
  UploadRunningError,
} from '../../access/keys/documents/publish-and-remove.ts';
import { getKey, isEmbedKey, isKeyId, type KeySummary } from '../../access/keys/key.ts';
import type { VerifiedKey } from '../../access/keys/verify.ts';
import type { Counter } from '../../access/limits/counter.ts';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import { ApiError, type ErrorDetail, OperatorError, quote, UnknownError } from '../../lib/errors.ts';
import type { GatewayRequest } from '../../lib/http/request-response.ts';
import { isObject } from '../../lib/text/is-object.ts';
import { createSuggester, orSuggestion } from '../../startups/model/requests/suggest.ts';
import { errorResponse, jsonResponse } from '../gateway/responses.ts';
import type { Surface, Task } from '../gateway/surface.ts';
import { inputError, inputErrors } from '../graphql/errors.ts';
import type { Engine } from '../graphql/execution/engine.ts';
import { readJsonBody } from '../graphql/over-http.ts';
import { documentCheck } from '../graphql/planning/check-document.ts';
import { REST_BASE } from './find-endpoint.ts';

/** Below the base path. */
export const DOCUMENTS_PATH = '/documents';
const METHODS = ['POST', 'OPTIONS'];
/** The longest body, in bytes. */
export const PUBLISH_BODY_LIMIT = 1_000_000;
/** Publications of a key in a minute, which cost nothing of its limit. */
export const PUBLISH_LIMIT = 30;
/** Seconds after which an earlier upload of the same account has probably been checked. */
const RETRY_SECONDS = 2;

/** What a body has, with what is said of it. */
export const publishMembers = {
  key: 'Id of an embed key of the same account, such as key_0123456789AB.',
  documents: 'Texts of documents, each of which gets the id that is its SHA-256. Either these or a manifest.',
  manifest:
    'The file that graphql-codegen (persisted-documents.json), Relay (persisted queries) or Apollo ' +
    '(persisted-query-manifest.json) writes, as it is: documents by their ids, or the operations of Apollo.',
} as const;
type PublishMember = keyof typeof publishMembers;

const memberNames = Object.keys(publishMembers) as PublishMember[];
const suggest = createSuggester(memberNames);

interface PublishTask extends Task {
  readonly body: unknown;
  /** The secret key that the request was sent with. */
  readonly key: VerifiedKey;
}

interface PublishNeeds {
  readonly engine: Engine;
  readonly prisma: PrismaClient;
  readonly counter: Counter;
  readonly now: () => number;
}

/**
 * Answers `POST /api/v1/documents`: publishes documents for an embed key of the account whose secret key sends them, as the
 * dashboard does. All are published, or none; publishing them again changes nothing.
 */
export function bindPublishing({
  engine,
  prisma,
  counter,
  now,
}: PublishNeeds): Surface<PublishTask, PublishTask, readonly PublishedDocument[]> {
  return {
    name: 'rest',
    methods: METHODS,
    vary: 'Authorization',
    // Has a limit of its own, and must not wait for the requests of pages.
    isFree: () => true,
    async read(request, { key }) {
      const names = MAX_DOCUMENTS + 1;
      const body = await readJsonBody(request, { bytes: PUBLISH_BODY_LIMIT, names });
      return { body, key: key as VerifiedKey, cost: 0 };
    },
    prepare: (task) => task,
    async run({ body, key }, request) {
      await meter(key);
      const { keyId, entries } = readBody(body);
      const accountId = await findAccount(key, keyId);
      return publish({ accountId, key, keyId, request }, entries);
    },
    write: (_task, published) => jsonResponse(200, { data: published }),
    targetOf: () => REST_BASE + DOCUMENTS_PATH,
    fail: (error, { id }) => errorResponse(error, id),
  };

  /** @throws ApiError RATE_LIMITED */
  async function meter({ family }: VerifiedKey): Promise<void> {
    const { admitted, resetAt } = await counter.reserve(`publish:${family}`, 1, PUBLISH_LIMIT);
    if (!admitted) {
      const seconds = Math.max(1, Math.ceil((resetAt - now()) / 1_000));
      throw new ApiError(
        'RATE_LIMITED',
        `Rate limit exceeded: a key can publish ${PUBLISH_LIMIT} times a minute. Retry in ${seconds} seconds`,
        [],
        seconds,
      );
    }
  }

  /**
   * The account of a secret key, which has a working embed key of an id.
   *
   * @throws ApiError NOT_FOUND, which is the same whatever is missing: it says nothing of the keys of others.
   */
  async function findAccount({ id }: VerifiedKey, embedKeyId: string): Promise<string> {
    const { accountId = null } = (await findKey(id)) ?? {};
    const embedKey = accountId === null ? undefined : await findKey(embedKeyId, accountId);
    if (accountId === null || embedKey?.state !== 'active' || !isEmbedKey(embedKey)) {
      throw new ApiError(
        'NOT_FOUND',
        `The account of this API key has no working embed key with the id ${quote(embedKeyId)}`,
      );
    }
    return accountId;
  }

  async function findKey(id: string, holder?: string): Promise<KeySummary | undefined> {
    return getKey({ prisma, now, holder }, id).catch((error: unknown) => {
      if (error instanceof UnknownError) {
        return undefined;
      }
      throw error;
    });
  }

  async function publish(
    {
      accountId,
      key,
      keyId,
      request,
    }: {
      readonly accountId: string;
      readonly key: VerifiedKey;
      readonly keyId: string;
      readonly request: GatewayRequest;
    },
    entries: Parameters<typeof publishDocuments>[2],
  ): Promise<readonly PublishedDocument[]> {
    const context = {
      prisma,
      now,
      actor: accountId,
      holder: accountId,
      check: documentCheck(engine.schema),
      throwIfAborted: () => request.disconnected().throwIfAborted(),
      // The key may have been revoked while the documents were checked.
      async authorize(transaction: Parameters<typeof getKey>[0]['prisma']) {
        const { state } = await getKey({ prisma: transaction, now, holder: accountId }, key.id);
        if (state !== 'active') {
          throw new ApiError('UNAUTHENTICATED', `This API key is ${state}`);
        }
      },
    };
    try {
      return await publishDocuments(context, keyId, entries);
    } catch (error) {
      if (error instanceof UploadRunningError) {
        throw new ApiError('RATE_LIMITED', error.message, [], RETRY_SECONDS);
      }
      throw error instanceof OperatorError ? invalidDocuments(error) : error;
    }
  }
}

/** @throws ApiError that names each invalid member. */
function readBody(body: unknown) {
  if (!isObject(body)) {
    throw inputError('body', body, 'a JSON object with key, and documents or manifest');
  }
  const { key, documents, manifest } = body;
  const details: ErrorDetail[] = Object.keys(body)
    .filter((name) => !Object.hasOwn(publishMembers, name))
    .map((name) => ({
      parameter: name.slice(0, 60),
      message: `unknown${orSuggestion(suggest(name))}, allowed: ${memberNames.join(', ')}`,
    }));
  if (typeof key !== 'string' || !isKeyId(key)) {
    // What was sent may be a secret.
    const got = key === undefined ? 'missing' : 'not an id';
    const message = `${got}, allowed: the id of an embed key of your account, such as key_0123456789AB`;
    details.push({ parameter: 'key', message });
  }
  if ((documents === undefined) === (manifest === undefined)) {
    const got = documents === undefined ? 'missing' : 'got documents and manifest';
    const message = `${got}, allowed: either documents, a list of texts, or manifest`;
    details.push({ parameter: 'documents', message });
  }
  if (documents !== undefined && !(Array.isArray(documents) && documents.every(isText))) {
    details.push({ parameter: 'documents', message: 'got something else, allowed: a list of texts' });
  }
  if (details.length > 0) {
    throw inputErrors(details);
  }
  try {
    return { keyId: key as string, entries: parseEntries('manifest', documents ?? manifest) };
  } catch (error) {
    throw error instanceof OperatorError ? invalidDocuments(error) : error;
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** Errors of documents, a detail for each. */
function invalidDocuments({ lines }: OperatorError): ApiError {
  return inputErrors(lines.map((message) => ({ parameter: 'documents', message })));
}
