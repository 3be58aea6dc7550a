import { createHash } from 'node:crypto';
import {
  hasOperatorTokens,
  type VerifiedToken,
  verifyOperatorToken,
} from '../../access/accounts/operator-tokens.ts';
import { type OperatorAddresses, rightToImport } from '../../access/accounts/operators.ts';
import { runAction } from '../../access/audit/audit-log.ts';
import { parseOperatorBearer } from '../../access/keys/token.ts';
import type { Counter } from '../../access/limits/counter.ts';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import { ApiError, OperatorError } from '../../lib/errors.ts';
import { type StagedFile, stageFile } from '../../lib/files/staged-file.ts';
import { addressBucket } from '../../lib/http/addresses.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { RightEndedError } from '../../startups/import/apply.ts';
import { checkMapping } from '../../startups/import/columns/check-mapping.ts';
import { importFieldsFor } from '../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../startups/import/columns/mapping.ts';
import { DatabaseFullError, ImportRunningError, InvalidInputError } from '../../startups/import/import.ts';
import type { OnceKey } from '../../startups/import/import-log.ts';
import { InputTooLargeError } from '../../startups/import/rows/input.ts';
import { getMapping } from '../../startups/import/stored-mappings.ts';
import type { Importer } from '../../startups/import/thread/importer.ts';
import { UndoConflictError } from '../../startups/import/undo.ts';
import { toReport } from '../../startups/import/values/summary.ts';
import { readOwnFields } from '../../startups/own/declarations.ts';
import { errorBody, jsonResponse } from '../gateway/responses.ts';
import { assertMethod, type Route } from '../gateway/surface.ts';
import { type ImportParameters, nameParameters, readParameters, readUndoParameters } from './parameters.ts';

const UNDO_PATH = '/import/undo';

const METHODS = ['POST'];

/** The bounds of `POST /import`. */
export const IMPORT_BOUNDS = {
  /** Bytes as received. */
  mostBytes: 2 * 1024 ** 3,
  mostUnpacked: 8 * 1024 ** 3,
  silenceMs: 30_000,
  /** From the head of the request to its response. */
  wholeMs: 3_600_000,
  /** Bodies that are received at the same time. */
  mostUploads: 8,
  /** Of them, with one token: those of one program keep no other from importing. */
  mostUploadsOfToken: 2,
};
export type ImportBounds = Readonly<typeof IMPORT_BOUNDS>;

/** Requests in a minute: of one address, and with one token. */
const limits = { address: 120, token: 30 } as const;
/** How long the result for an Idempotency-Key is kept. */
const KEPT_MS = 86_400_000;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;
/** Seconds after which a running import has probably ended. */
const RUNNING_RETRY = 30;

interface ImportNeeds {
  readonly prisma: PrismaClient;
  readonly operators: OperatorAddresses;
  readonly counter: Counter;
  readonly importer: Importer;
  /** For how many days history is kept. */
  readonly historyDays: number;
  /** Where bodies wait until they are complete. */
  readonly stagingDirectory: string;
  /** Seconds since 1970 in ms. */
  readonly now: () => number;
  readonly importBounds?: Partial<ImportBounds> | undefined;
}

/** Answers `/import`, with which programs of operators import. API keys and sessions cannot reach it. */
export function bindImport(needs: ImportNeeds): Route {
  const { prisma, operators, counter, importer, historyDays, stagingDirectory, now } = needs;
  const bounds = { ...IMPORT_BOUNDS, ...needs.importBounds };
  /** The tokens of the bodies that are being received. */
  const uploads: string[] = [];

  return {
    methods: METHODS,
    challenge: 'Bearer realm="revgate import"',
    async answer(request) {
      try {
        const response = await answer(request);
        response.headers.push('Cache-Control', 'no-store');
        return response;
      } catch (error) {
        throw describeError(error);
      }
    },
  };

  async function answer(request: GatewayRequest): Promise<GatewayResponse> {
    const dueAt = performance.now() + bounds.wholeMs;
    await meter(`address:${addressBucket(request.address)}`, limits.address);
    if (!(await hasOperatorTokens(prisma))) {
      throw new ApiError('NOT_FOUND', `No such path: ${request.path}`);
    }
    assertMethod(request, METHODS);
    const token = await authenticate(request);
    await meter(`token:${token.id}`, limits.token);
    if (request.path === UNDO_PATH) {
      return undo(request, token, dueAt);
    }
    const parameters = readParameters(request.query);
    const key = readIdempotencyKey(request);
    const name = parameters.name ?? bodyName(request);
    const mapping = await findMapping(parameters);
    const body = await receive(request, token);
    try {
      // The right may have ended while the body arrived.
      await authenticate(request);
      const once = key === undefined ? undefined : { token: token.id, key, digest: digestOf(body, request) };
      const first = once === undefined ? undefined : await findResult(once);
      if (first !== undefined) {
        const replay = jsonResponse(200, first);
        replay.headers.push('Idempotency-Replayed', 'true');
        return replay;
      }
      await recordUse(token, request, { name, dryRun: parameters.dryRun });
      const signal = signalUntil(request, dueAt);
      const startedAt = performance.now();
      const { dryRun, skipInvalid, replace, update, yes, maxRemoved, returns, asOf } = parameters;
      try {
        const { summary, durationMs } = await importer.run(
          {
            name,
            fd: body.fd,
            mostUnpacked: bounds.mostUnpacked,
            mapping,
            dryRun,
            skipInvalid,
            user: token.accountId,
            via: 'http',
            token: token.id,
            authorize: rightToImport({ accountId: token.accountId, by: { token: token.id } }, operators),
            replace: replace ? { yes, most: maxRemoved } : undefined,
            update,
            returns,
            historyDays,
            asOf: asOf === undefined ? undefined : { day: asOf, historyDays },
            once: dryRun ? undefined : once,
          },
          signal,
        );
        return jsonResponse(200, toReport(summary, { dryRun, durationMs }));
      } catch (error) {
        if (!(error instanceof InvalidInputError)) {
          throw error;
        }
        const reason = nameParameters(error.reason);
        return jsonResponse(400, {
          ...errorBody(new ApiError('BAD_USER_INPUT', reason), request.id),
          messages: error.summary.messages.map(nameParameters),
          import: toReport(error.summary, {
            dryRun,
            durationMs: performance.now() - startedAt,
            error: reason,
          }),
        });
      }
    } finally {
      await body.close();
    }
  }

  async function undo(
    request: GatewayRequest,
    token: VerifiedToken,
    dueAt: number,
  ): Promise<GatewayResponse> {
    const { importId, dryRun } = readUndoParameters(request.query);
    await recordUse(token, request, { name: `undo of import ${importId}`, dryRun });
    const report = await importer.undo(
      {
        importId,
        dryRun,
        user: token.accountId,
        token: token.id,
        authorize: rightToImport({ accountId: token.accountId, by: { token: token.id } }, operators),
      },
      signalUntil(request, dueAt),
    );
    return jsonResponse(200, report);
  }

  async function meter(identity: string, limit: number): Promise<void> {
    const { admitted, resetAt } = await counter.reserve(`import:${identity}`, 1, limit);
    if (!admitted) {
      throw retryLater(
        'RATE_LIMITED',
        `Too many requests: ${limit} are allowed in a minute`,
        Math.max(1, Math.ceil((resetAt - now()) / 1_000)),
      );
    }
  }

  async function authenticate(
    request: GatewayRequest,
    client: Pick<PrismaClient, 'operatorToken'> = prisma,
  ): Promise<VerifiedToken> {
    const sent = parseOperatorBearer(request.header('authorization'));
    const token = sent === undefined ? undefined : await verifyOperatorToken(client, operators, sent);
    if (token === undefined) {
      throw notAuthenticated();
    }
    return token;
  }

  async function findMapping({ mapping = {} }: ImportParameters): Promise<Mapping> {
    const found = typeof mapping === 'string' ? await getMapping(prisma, mapping) : mapping;
    checkMapping(importFieldsFor(await readOwnFields(prisma), found), found);
    return found;
  }

  /** Before an import may run: however slowly a body comes, it keeps no other waiting. */
  async function receive(request: GatewayRequest, token: VerifiedToken): Promise<StagedFile> {
    const own = uploads.filter((id) => id === token.id).length;
    const isTokens = own >= bounds.mostUploadsOfToken;
    if (isTokens || uploads.length >= bounds.mostUploads) {
      const which = isTokens ? `${own} other bodies with this token` : `${uploads.length} other bodies`;
      throw retryLater('RATE_LIMITED', `${which} are being received, the maximum`, RUNNING_RETRY);
    }
    uploads.push(token.id);
    try {
      const { mostBytes: limit, silenceMs, wholeMs } = bounds;
      return await stageFile(request.receive({ limit, silenceMs, wholeMs }), stagingDirectory);
    } finally {
      uploads.splice(uploads.indexOf(token.id), 1);
    }
  }

  /** @throws ApiError if the key was used for something else. */
  async function findResult({ token, key, digest }: OnceKey): Promise<object | undefined> {
    const found = await prisma.importResult.findUnique({ where: { tokenId_key: { tokenId: token, key } } });
    if (found === null || found.createdAt.getTime() < now() - KEPT_MS) {
      return undefined;
    }
    if (Buffer.from(found.digest).toString('hex') !== digest) {
      throw new ApiError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used with another body or other parameters: use a new one for each import',
      );
    }
    return found.result as object;
  }

  /** Of a token that is not revoked at that moment: the audit log has no use after a revocation. */
  async function recordUse(
    { id, accountId }: VerifiedToken,
    request: GatewayRequest,
    details: { name: string; dryRun: boolean },
  ): Promise<void> {
    await runAction({ prisma, now, actor: accountId }, async ({ prisma: transaction, record }) => {
      await authenticate(request, transaction);
      await record('token.use', id, details);
    });
  }
}

/** Ends with the client, or when the time is over. */
function signalUntil(request: GatewayRequest, dueAt: number): AbortSignal {
  return AbortSignal.any([
    request.disconnected(),
    AbortSignal.timeout(Math.max(1, Math.ceil(dueAt - performance.now()))),
  ]);
}

/** Errors of imports as those of the API. */
function describeError(error: unknown): unknown {
  return error instanceof ImportRunningError
    ? retryLater('IMPORT_RUNNING', error.message, RUNNING_RETRY)
    : error instanceof RightEndedError
      ? notAuthenticated()
      : error instanceof UndoConflictError
        ? new ApiError('UNDO_CONFLICT', error.message)
        : error instanceof InputTooLargeError
          ? new ApiError('PAYLOAD_TOO_LARGE', error.message)
          : error instanceof DatabaseFullError
            ? new ApiError('INSUFFICIENT_STORAGE', error.message)
            : error instanceof OperatorError
              ? new ApiError('BAD_USER_INPUT', nameParameters(error.lines.join(' ')))
              : error;
}

/** An error that says when to try again. */
function retryLater(code: 'RATE_LIMITED' | 'IMPORT_RUNNING', message: string, seconds: number): ApiError {
  const text = `${message}. Retry in ${seconds} seconds.`.replace('..', '.');
  return new ApiError(code, text, [], seconds);
}

function notAuthenticated(): ApiError {
  return new ApiError(
    'UNAUTHENTICATED',
    'Send the token of an operator: Authorization: Bearer rvg_op_… It must not be revoked, and its account must be an operator. API keys cannot import.',
  );
}

function readIdempotencyKey(request: GatewayRequest): string | undefined {
  const key = request.header('idempotency-key');
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key)) {
    throw new ApiError('BAD_USER_INPUT', 'Idempotency-Key: allowed: 1 to 200 visible ASCII characters');
  }
  return key;
}

const names: Readonly<Record<string, string>> = {
  'text/csv': 'body.csv',
  'application/x-ndjson': 'body.ndjson',
  'application/ndjson': 'body.ndjson',
  'application/json': 'body.json',
};

/** A name that says the format, if the client does. Other types, such as that of curl, say nothing. */
function bodyName(request: GatewayRequest): string {
  const type = (request.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (type.startsWith('multipart/') || !['identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the records themselves as the body: NDJSON, JSON or CSV, plain or gzip',
    );
  }
  return names[type] ?? 'body';
}

/** Of the body and the parameters, in whatever order. */
function digestOf(body: StagedFile, request: GatewayRequest): string {
  const parameters = new URLSearchParams(request.query);
  parameters.sort();
  return createHash('sha256').update(body.sha256).update(parameters.toString()).digest('hex');
}
