import { type DestinationStream, type Logger, symbols } from 'pino';
import { hideKeys } from '../access/keys/token.ts';
import type { createUsageRecorder } from '../access/usage/recorder.ts';
import type { Answer } from '../api/gateway/gateway.ts';
import { CLIENT_LEFT } from '../lib/http/request-response.ts';

interface AnswerReaders {
  readonly logger: Logger;
  /** Paths that are logged at the level debug only: most log lines would be about static files. */
  readonly quiet: ReadonlySet<string>;
  readonly count: (answer: Answer) => void;
  /** Told of each request with a key after which less than a fifth of its limit is left. */
  readonly onNearLimit?: ((keyId: string) => void) | undefined;
  readonly usage: Pick<ReturnType<typeof createUsageRecorder>, 'record' | 'recordFailure'>;
}

const LOGGED_PATH = 500;

/** Creates what records each answer: one line of the log, metrics, the use of its key and why requests failed. */
export function createAnswerRecorder({ logger, quiet, count, onNearLimit, usage }: AnswerReaders) {
  // JSON.stringify writes the same line as pino, in a fifth of the time: a line has no serializers.
  const log: DestinationStream = Reflect.get(logger, symbols.streamSym);
  return (answer: Answer): void => {
    const { request, surface, status, outcome, keyId, accountId, failure } = answer;
    const { id: requestId, method, path } = request;
    const traceparent = request.header('traceparent');
    const traceId = traceparent && traceIdOf(traceparent);
    const duration = Math.round(answer.duration * 1_000) / 1_000;
    const level = quiet.has(path) ? 'debug' : 'info';
    if (logger.isLevelEnabled(level)) {
      const line = {
        level: logger.levels.values[level],
        time: Date.now(),
        requestId,
        traceId,
        method,
        path: hideKeys(path).slice(0, LOGGED_PATH),
        surface,
        status,
        keyId,
        accountId,
        duration,
        msg: 'answered',
      };
      log.write(`${JSON.stringify(line)}\n`);
    }
    count(answer);
    if (keyId !== undefined) {
      if (answer.isNearLimit) {
        onNearLimit?.(keyId);
      }
      usage.record(keyId, surface, outcome, duration, answer.origin);
      if (failure !== undefined && status !== CLIENT_LEFT) {
        usage.recordFailure(keyId, failure, { status: outcome, requestId, traceId });
      }
    }
  };
}

/** The id that a request has in the traces of its client. https://www.w3.org/TR/trace-context/#traceparent-header */
function traceIdOf(traceparent: string): string | undefined {
  return /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(traceparent)?.[1];
}
