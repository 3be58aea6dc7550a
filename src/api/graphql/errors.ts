import { type ASTNode, type ExecutionResult, GraphQLError } from 'graphql';
import { ApiError, type ErrorCode, type ErrorDetail, errorStatuses } from '../../lib/errors.ts';
import { parameterError } from '../../startups/model/requests/list-request.ts';

/** Where an error is: the field in the document, and its names in the response, from the root. */
interface ErrorPlace {
  readonly nodes: readonly ASTNode[] | null;
  readonly path: readonly (string | number)[] | null;
}

/** An error that is shown to clients unchanged. */
export function codedError(
  code: ErrorCode,
  message: string,
  details?: readonly ErrorDetail[],
  place?: ErrorPlace,
): GraphQLError {
  return new GraphQLError(message, {
    ...place,
    extensions: { code, ...(details === undefined || details.length === 0 ? {} : { details }) },
  });
}

/** Invalid arguments, thrown as one error; clients get one error for each argument. */
export function inputErrors(details: readonly ErrorDetail[]): ApiError {
  const named = details.map(({ parameter, message }) => `${parameter}: ${message}`).join('; ');
  return new ApiError('BAD_USER_INPUT', named, details);
}

/** One invalid argument. @param got its value, which the message shows. */
export function inputError(parameter: string, got: unknown, allowed: string): ApiError {
  return inputErrors([parameterError(parameter, got, allowed)]);
}

/** One error per invalid argument of a field. */
export function argumentErrors(details: readonly ErrorDetail[], field?: ErrorPlace): GraphQLError[] {
  return details.map((detail) =>
    codedError('BAD_USER_INPUT', `${detail.parameter}: ${detail.message}`, [detail], field),
  );
}

/** The code of an error, if it has a documented one. */
export function codeOf(error: unknown): ErrorCode | undefined {
  const code = error instanceof GraphQLError ? error.extensions.code : undefined;
  return typeof code === 'string' && Object.hasOwn(errorStatuses, code) ? (code as ErrorCode) : undefined;
}

/** The details of an error of one argument. */
export function detailsOf({ extensions }: GraphQLError): readonly ErrorDetail[] {
  return (extensions.details as readonly ErrorDetail[] | undefined) ?? [];
}

/** Why a result is an error: the code of its first error, and the invalid arguments of all. */
export function failureOf({ errors = [] }: ExecutionResult): Pick<ApiError, 'code' | 'details'> | undefined {
  const [first] = errors;
  return first && { code: codeOf(first) ?? 'INTERNAL_SERVER_ERROR', details: errors.flatMap(detailsOf) };
}

/**
 * The data of a result without errors.
 *
 * @throws ApiError the first error.
 */
export function dataOf<Data>({ data, errors = [] }: ExecutionResult): Data {
  const [error] = errors;
  if (error !== undefined) {
    throw new ApiError(codeOf(error) ?? 'INTERNAL_SERVER_ERROR', error.message, detailsOf(error));
  }
  return data as Data;
}
