import { requireAccount } from '../accounts/account.ts';
import { type Act, type ActContext, act } from '../audit/act.ts';
import { type RandomBytes, randomBase62 } from '../base62.ts';
import { OperatorError } from '../errors.ts';
import { quote } from '../plain-text.ts';
import { isTier, type Tier } from '../rate-limit/tiers.ts';
import { parseExpiry } from './expiry.ts';
import { isKeyId, nameErrors, requireTier, tierError } from './key.ts';
import { originErrors } from './origins.ts';
import { requireMayHold } from './own.ts';
import { displayPrefix, generateToken, hashToken } from './token.ts';

/** What a new key is to be. */
export interface NewKey {
  /** Drawn by whoever asks for the key, so that asking twice creates one key; absent: drawn here. */
  readonly id?: string | undefined;
  /** 1 to 100 characters, without control characters. */
  readonly name: string;
  readonly tier: string;
  /** The version of the acceptable-use policy that was agreed to. */
  readonly policyVersion: string;
  /** Who agreed. */
  readonly acceptedBy: string;
  /** ISO 8601, in the future; absent: never. */
  readonly expiresAt?: string | undefined;
  /** A key that the first start prints: its first use is the agreement to the policy. */
  readonly demo?: boolean | undefined;
  /**
   * Makes it an embed key, which everyone may see, for web pages of these origins. It may ask for its
   * published documents only.
   */
  readonly origins?: readonly string[] | undefined;
  /** Whom it belongs to; absent: nobody. */
  readonly accountId?: string | undefined;
}

/** A key just made. `key` exists nowhere else and cannot be read again. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly tier: Tier;
  readonly name: string;
}

/** A key with the given id exists: the same request was answered before. */
export class KeyExistsError extends OperatorError {
  readonly id: string;

  constructor(id: string) {
    super(`Key ${id} exists already.`);
    this.id = id;
  }
}

const ID_DIGITS = 12;

/** Draws the id of a new key. */
export function createKeyId(randomBytes: RandomBytes): string {
  return `key_${randomBase62(ID_DIGITS, randomBytes)}`;
}

/** @throws OperatorError for a text that is no id, and {@link KeyExistsError} for the id of a key that exists. */
export async function requireNewId({ prisma }: Pick<Act, 'prisma'>, id: string): Promise<void> {
  if (!isKeyId(id)) {
    throw new OperatorError(`Id: got ${quote(id)}, allowed key_ and ${ID_DIGITS} letters or digits.`);
  }
  if ((await prisma.apiKey.findUnique({ where: { id }, select: { id: true } })) !== null) {
    throw new KeyExistsError(id);
  }
}

/**
 * Makes a key and stores its hash. A holder makes it for itself only.
 *
 * @throws OperatorError with every error of the input at once, or why the holder may have no further
 *   key; {@link KeyExistsError} where the id is taken.
 */
export async function createKey(
  context: ActContext & { readonly randomBytes: RandomBytes },
  input: NewKey,
): Promise<CreatedKey> {
  const { now, randomBytes } = context;
  const at = now();
  const [error, ...errors] = findErrors(input, at);
  if (error !== undefined) {
    throw new OperatorError(error, ...errors);
  }
  const { name, demo = false } = input;
  const accountId = context.holder ?? input.accountId ?? null;
  const tier = requireTier(input.tier);
  const id = input.id ?? createKeyId(randomBytes);
  const origins = [...new Set(input.origins)];
  const isEmbed = origins.length > 0;
  const key = generateToken(randomBytes, isEmbed ? 'embed' : 'secret');
  const expiresAt = input.expiresAt === undefined ? null : (parseExpiry(input.expiresAt) ?? null);
  await act(context, async (within) => {
    const { prisma, record, holder } = within;
    await requireNewId(within, id);
    if (holder !== undefined) {
      await requireMayHold(within, holder, input.policyVersion);
    }
    if (accountId !== null) {
      await requireAccount(prisma, accountId);
    }
    await prisma.apiKey.create({
      data: {
        id,
        name,
        tier,
        demo,
        accountId,
        expiresAt,
        origins,
        trustedOnly: isEmbed,
        prefix: displayPrefix(key),
        hash: hashToken(key),
        createdAt: new Date(at),
        policyVersion: input.policyVersion,
        policyAcceptedBy: input.acceptedBy,
        policyAcceptedAt: demo ? null : new Date(at),
      },
      select: { id: true },
    });
    const { policyVersion } = input;
    await record('key.create', id, {
      name,
      tier,
      policyVersion,
      expiresAt: expiresAt?.toISOString() ?? null,
      accountId,
      ...(isEmbed ? { origins } : {}),
    });
  });
  return { id, key, tier, name };
}

function findErrors({ name, tier, expiresAt, origins }: NewKey, at: number): string[] {
  const errors = [...(origins === undefined ? [] : originErrors(origins)), ...nameErrors(name)];
  if (!isTier(tier)) {
    errors.push(tierError(tier));
  }
  if (expiresAt !== undefined) {
    const expiry = parseExpiry(expiresAt);
    if (expiry === undefined || expiry.getTime() <= at) {
      errors.push(
        `Expiry: got ${quote(expiresAt)}, allowed a future ISO 8601 date (midnight UTC), or date and time with an offset.`,
      );
    }
  }
  return errors;
}
