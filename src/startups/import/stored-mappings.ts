import type { Prisma, PrismaClient } from '../../db/generated/client/client.ts';
import { isPlainText, OperatorError, quote, UnknownError } from '../../lib/errors.ts';
import { checkMapping } from './columns/check-mapping.ts';
import type { ImportFields } from './columns/import-fields.ts';
import { type Mapping, readMappingValue } from './columns/mapping.ts';
import { emailsOf } from './import-log.ts';

type Mappings = Pick<PrismaClient, 'importMapping'>;

/** A mapping under a name, for the next file of its kind. */
export interface StoredMapping {
  readonly name: string;
  readonly mapping: Mapping;
  /** The id of an account. */
  readonly savedBy: string;
  readonly savedAt: Date;
}

const NAME_MAX = 100;
const MAPPINGS_MAX = 100;

/** All stored mappings by name, each with the email address of who stored it; empty if that is not known any more. */
export async function listMappings(
  prisma: Mappings & Pick<PrismaClient, 'account'>,
): Promise<Omit<StoredMapping, 'mapping'>[]> {
  const select = { name: true, savedBy: true, savedAt: true };
  const orderBy = { name: 'asc' } as const;
  const found = await prisma.importMapping.findMany({ orderBy, take: MAPPINGS_MAX, select });
  const emails = await emailsOf(prisma, found, 'savedBy');
  return found.map((one) => ({ ...one, savedBy: emails.get(one.savedBy) ?? '' }));
}

/** @throws UnknownError if no mapping has the name. */
export async function getMapping(prisma: Mappings, name: string): Promise<Mapping> {
  const found = isPlainText(name, NAME_MAX)
    ? await prisma.importMapping.findUnique({ where: { name }, select: { mapping: true } })
    : null;
  if (found === null) {
    throw new UnknownError(`No mapping has the name ${quote(name)}.`);
  }
  return readMappingValue(found.mapping, name);
}

/** @throws OperatorError for an invalid name, or if there are too many mappings for another one. */
export async function checkMappingName(prisma: Mappings, name: string): Promise<void> {
  if (!isPlainText(name, NAME_MAX)) {
    throw new OperatorError(
      `Name of the mapping: got ${quote(name)}, allowed: 1 to ${NAME_MAX} characters without control characters.`,
    );
  }
  if ((await prisma.importMapping.count({ where: { name: { not: name } } })) >= MAPPINGS_MAX) {
    throw new OperatorError(`There are ${MAPPINGS_MAX} mappings, the maximum: remove one first.`);
  }
}

/**
 * Stores a mapping, or replaces the one of its name.
 *
 * @throws OperatorError for an invalid name or mapping, or if there are too many.
 */
export async function saveMapping(
  prisma: Pick<Prisma.TransactionClient, 'importMapping'>,
  fields: ImportFields,
  { name, mapping, savedBy, savedAt }: StoredMapping,
): Promise<void> {
  await checkMappingName(prisma, name);
  checkMapping(fields, mapping);
  const data = { mapping: { ...mapping } as Prisma.InputJsonObject, savedBy, savedAt };
  await prisma.importMapping.upsert({ where: { name }, create: { name, ...data }, update: data });
}

/** Removes a mapping. Returns whether there was one. */
export async function removeMapping(
  prisma: Pick<Prisma.TransactionClient, 'importMapping'>,
  name: string,
): Promise<boolean> {
  const where = isPlainText(name, NAME_MAX) ? { name } : { name: '' };
  return (await prisma.importMapping.deleteMany({ where })).count > 0;
}
