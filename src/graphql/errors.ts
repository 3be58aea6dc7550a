import { GraphQLError } from 'graphql';
import { ApiError, type ErrorCode, errorStatuses, type FaultDetail } from '../errors.ts';

/** An error that a client sees as it is. */
export function codedError(code: ErrorCode, message: string, details?: readonly FaultDetail[]): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code, ...(details === undefined || details.length === 0 ? {} : { details }) },
  });
}

/** Faulty arguments, thrown as one error; what clients get is one for each argument. */
export function inputFaults(faults: readonly FaultDetail[]): ApiError {
  const named = faults.map(({ parameter, message }) => `${parameter}: ${message}`).join('; ');
  return new ApiError('BAD_USER_INPUT', named, faults);
}

/** One error per faulty argument. */
export function faultErrors(faults: readonly FaultDetail[]): GraphQLError[] {
  return faults.map((fault) => codedError('BAD_USER_INPUT', `${fault.parameter}: ${fault.message}`, [fault]));
}

/** The code of an error, if it is one of ours. */
export function codeOf(error: unknown): ErrorCode | undefined {
  const code = error instanceof GraphQLError ? error.extensions.code : undefined;
  return typeof code === 'string' && Object.hasOwn(errorStatuses, code) ? (code as ErrorCode) : undefined;
}
