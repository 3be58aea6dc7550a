import type { Prisma, PrismaClient } from '../../db/generated/client/client.ts';
import { found, lineErrors, OperatorError, quote, throwIfAny } from '../../lib/errors.ts';
import { randomBase62 } from '../../lib/text/base62.ts';
import { type ActionContext, type CreateContext, runAction } from '../audit/audit-log.ts';
import { displayPrefix, generateToken, hashToken } from '../keys/token.ts';
import { accountLabel, requireAccountBy } from './account.ts';
import { isOperator, type OperatorAddresses } from './operators.ts';

const columns = {
  id: true,
  name: true,
  prefix: true,
  accountId: true,
  createdAt: true,
  revokedAt: true,
  account: { select: { operator: true, email: true, name: true, emailVerified: true, disabledAt: true } },
} satisfies Prisma.OperatorTokenSelect;

type Row = Prisma.OperatorTokenGetPayload<{ select: typeof columns }>;

/** A token in a list: without itself and its hash. */
export interface OperatorToken extends Omit<Row, 'account'> {
  readonly holder: string;
  /** `suspended`: its account is no operator at present. */
  readonly state: 'active' | 'suspended' | 'revoked';
  readonly lastUsedAt: Date | null;
}

type Tokens = Pick<PrismaClient, 'operatorToken'>;

const ID_DIGITS = 12;
const ID_SHAPE = /^tok_[0-9A-Za-z]{12}$/;
const NAME_MAX = 100;
const TOKENS_MAX = 10;

/**
 * Creates a token of an operator, and stores its hash.
 *
 * @param account its id or email address.
 * @returns also the token itself, which is not stored anywhere and cannot be read again.
 * @throws OperatorError for an invalid name, an account that is no operator, or one with too many tokens.
 */
export async function createOperatorToken(
  context: CreateContext & { readonly operators: OperatorAddresses },
  { name, account }: { readonly name: string; readonly account: string },
): Promise<{ id: string; token: string; name: string }> {
  throwIfAny(lineErrors('Name', name, NAME_MAX));
  const { randomBytes, now, operators } = context;
  const id = `tok_${randomBase62(ID_DIGITS, randomBytes)}`;
  const token = generateToken(randomBytes, 'operator');
  await runAction(context, async ({ prisma, record }) => {
    const owner = await requireAccountBy(prisma, account);
    if (!mayImport(owner, operators)) {
      throw new OperatorError(`Account ${owner.id} is not an operator: only operators have tokens.`);
    }
    if (
      (await prisma.operatorToken.count({ where: { accountId: owner.id, revokedAt: null } })) >= TOKENS_MAX
    ) {
      throw new OperatorError(`Account ${owner.id} has ${TOKENS_MAX} tokens, the maximum: revoke one first.`);
    }
    const created = { createdAt: new Date(now()), prefix: displayPrefix(token), hash: hashToken(token) };
    await prisma.operatorToken.create({
      data: { id, name, accountId: owner.id, ...created },
      select: { id: true },
    });
    // Without its name: the record remains when the account is deleted.
    await record('token.create', id, { accountId: owner.id });
  });
  return { id, token, name };
}

interface ListContext {
  readonly prisma: Pick<PrismaClient, 'operatorToken' | 'auditEntry'>;
  readonly operators: OperatorAddresses;
}

/** All tokens that were ever created and whose account exists, the newest first, or those of one account. */
export async function listOperatorTokens(
  { prisma, operators }: ListContext,
  accountId?: string,
): Promise<OperatorToken[]> {
  const rows = await prisma.operatorToken.findMany({
    where: { ...(accountId !== undefined && { accountId }) },
    select: columns,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  const uses = await prisma.auditEntry.groupBy({
    by: 'subject',
    where: { subject: { in: rows.map(({ id }) => id) }, action: 'token.use' },
    _max: { at: true },
  });
  const lastUses = new Map(uses.map(({ subject, _max }) => [subject, _max.at]));
  return rows.map(({ account, ...row }) => ({
    ...row,
    holder: accountLabel({ ...account, id: row.accountId }),
    state: row.revokedAt !== null ? 'revoked' : mayImport(account, operators) ? 'active' : 'suspended',
    lastUsedAt: lastUses.get(row.id) ?? null,
  }));
}

/**
 * Revokes a token permanently. Revoking it again changes nothing, not even the time.
 *
 * @throws UnknownError for an unknown id.
 */
export async function revokeOperatorToken(context: ActionContext, id: string) {
  return runAction(context, async ({ prisma, now, record }) => {
    const stored = ID_SHAPE.test(id)
      ? await prisma.operatorToken.findUnique({ where: { id }, select: { name: true, revokedAt: true } })
      : null;
    const token = found(stored, `No token has the id ${quote(id)}.`);
    const revokedAt = token.revokedAt ?? new Date(now());
    if (token.revokedAt === null) {
      await prisma.operatorToken.update({ where: { id }, data: { revokedAt }, select: { id: true } });
      await record('token.revoke', id);
    }
    return { id, name: token.name, revokedAt };
  });
}

export interface VerifiedToken {
  readonly id: string;
  readonly accountId: string;
}

/** Finds a token by itself. Undefined if it is unknown or revoked, or its account is no operator at present. */
export async function verifyOperatorToken(prisma: Tokens, operators: OperatorAddresses, token: string) {
  const stored = await prisma.operatorToken.findUnique({
    where: { hash: hashToken(token), revokedAt: null },
    select: columns,
  });
  return stored !== null && mayImport(stored.account, operators)
    ? { id: stored.id, accountId: stored.accountId }
    : undefined;
}

export async function hasOperatorTokens(prisma: Tokens): Promise<boolean> {
  return (
    (await prisma.operatorToken.findFirst({ where: { revokedAt: null }, select: { id: true } })) !== null
  );
}

function mayImport(account: Row['account'], operators: OperatorAddresses): boolean {
  return isOperator(account, operators) && account.disabledAt === null;
}
