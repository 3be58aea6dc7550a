import { type ExecutionResult, GraphQLError } from 'graphql';
import { ApiError, type ErrorCode, type ErrorDetail, errorStatuses } from '../../lib/errors.ts';
import { parameterError } from '../../startups/model/requests/list-request.ts';

/** An error that is shown to clients unchanged. */
export function codedError(code: ErrorCode, message: string, details?: readonly ErrorDetail[]): GraphQLError {
  return new GraphQLError(message, {
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

/** One error per invalid argument. */
export function argumentErrors(details: readonly ErrorDetail[]): GraphQLError[] {
  return details.map((detail) =>
    codedError('BAD_USER_INPUT', `${detail.parameter}: ${detail.message}`, [detail]),
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

/** An error of a variable, as graphql-js words it. */
const VARIABLE_ERROR = /^Variable "(\$\w{1,60})/;

/** Why a result is an error: the code of its first error, and the invalid arguments and variables of all. */
export function failureOf({ errors = [] }: ExecutionResult): Pick<ApiError, 'code' | 'details'> | undefined {
  const [first] = errors;
  return first && { code: codeOf(first) ?? 'INTERNAL_SERVER_ERROR', details: errors.flatMap(invalidOf) };
}

function invalidOf(error: GraphQLError): readonly ErrorDetail[] {
  const variable = VARIABLE_ERROR.exec(error.message)?.[1];
  return variable === undefined ? detailsOf(error) : [{ parameter: variable, message: error.message }];
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
