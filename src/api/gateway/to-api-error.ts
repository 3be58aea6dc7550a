import { isUnavailable } from '../../db/unavailable.ts';
import { ApiError } from '../../lib/errors.ts';

/** Receives errors that are masked for clients. */
export type ReportError = (error: unknown, requestId: string) => void;

/** Seconds after which a retry finds either a working database or a longer outage. */
export const RETRY_SECONDS = 5;

/**
 * An error as a client may see it. An unexpected error is reported and masked; one that says that the database
 * does not answer is not reported, because the poll of the database logs that once, not with each request.
 */
export function toApiError(error: unknown, requestId: string, report: ReportError): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  if (isUnavailable(error)) {
    const message = `The database does not answer at the moment. Retry in ${RETRY_SECONDS} seconds.`;
    return new ApiError('SERVICE_UNAVAILABLE', message);
  }
  // The reason with which an operation's signal is aborted.
  if (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    const message = `The operation took too long on a busy server. Retry in ${RETRY_SECONDS} seconds.`;
    return new ApiError('SERVICE_UNAVAILABLE', message);
  }
  report(error, requestId);
  return new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error');
}
