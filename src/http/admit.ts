import { ApiError } from '../errors.ts';
import type { GatewayRequest } from '../exchange.ts';
import { isEmbedKey } from '../keys/key.ts';
import type { VerifiedKey } from '../keys/verify.ts';
import type { Session } from './session.ts';

/** The surfaces of the API. */
export type SurfaceName = 'rest' | 'graphql';

/**
 * The key of a request that may go on. What a refusal costs is charged.
 *
 * @throws ApiError for every other request, RATE_LIMITED where it has nothing to pay with.
 */
export async function admit(
  session: Session,
  request: GatewayRequest,
  surface: SurfaceName,
): Promise<VerifiedKey> {
  const { key } = session;
  if (key === undefined) {
    await session.charge(1);
    throw new ApiError('UNAUTHENTICATED', 'A valid API key is required: Authorization: Bearer <API_KEY>');
  }
  if (key.state === 'disabled') {
    await session.charge(1);
    throw new ApiError(
      'ACCESS_DISABLED',
      'Access of this API key is disabled under the acceptable-use policy',
    );
  }
  if (session.isStranger) {
    await session.charge(1);
    const origin = request.header('origin')?.slice(0, 200) ?? null;
    throw new ApiError(
      'ORIGIN_NOT_ALLOWED',
      `Origin: got ${JSON.stringify(origin)}, allowed: those that this embed key was made for`,
    );
  }
  if (isEmbedKey(key) && surface !== 'graphql') {
    await session.charge(1);
    throw new ApiError(
      'DOCUMENT_NOT_TRUSTED',
      'An embed key is for published documents only: ask for one at /graphql by its documentId',
    );
  }
  return key;
}
