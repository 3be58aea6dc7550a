import type { Prisma, PrismaClient } from '../../db/generated/client/client.ts';
import { isLockTimeout } from '../../db/unavailable.ts';
import { lineErrors, OperatorError, quote, throwIfAny, UnknownError } from '../../lib/errors.ts';
import { startupFieldList } from '../model/fields.ts';
import {
  ALLOWED_OWN_NAME,
  canBeIndexed,
  MOST_INDEXED,
  MOST_OWN_FIELDS,
  OWN,
  OWN_NAME_PATTERN,
  type OwnField,
  type OwnKind,
  ownKindNames,
  ownKinds,
} from '../model/own-fields.ts';

// What an operator declares, in the table `own_fields`. Nodes read it together with the startups.

type Fields = Pick<PrismaClient, 'ownField'>;

/** What declares a field. */
export interface NewOwnField {
  readonly name: string;
  readonly kind: string;
  /** The name as words by default. */
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly indexed?: boolean | undefined;
}

/** The most characters of a label, and of a description. */
export const LABEL_LENGTH = 60;
export const DESCRIPTION_LENGTH = 500;
const NAME = new RegExp(OWN_NAME_PATTERN);

/** What records have beside the fields of the table. */
const otherNames = [OWN, 'id', 'createdAt', 'updatedAt', 'fullDescription', 'history', 'sample', 'revision'];
/** Names of ours, in lower case. */
const taken: ReadonlySet<string> = new Set(
  startupFieldList
    .flatMap(({ path, property }) => [property, ...path.split('.')])
    .concat(otherNames)
    .map((name) => name.toLowerCase()),
);

/** The declared fields, in the order in which they were declared. */
export async function readOwnFields(prisma: Fields): Promise<readonly OwnField[]> {
  const rows = await prisma.ownField.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ name, kind, label, description, indexed, choices }) => ({
    name,
    kind: kind as OwnKind,
    label,
    description,
    indexed,
    choices,
  }));
}

/** How long a change of declarations waits for an import that is being applied. */
const PATIENCE = '5s';

/**
 * Takes the locks that imports take, in their order, until the end of the transaction.
 *
 * @throws OperatorError while an import is being applied.
 */
export async function lockDeclarations(prisma: Prisma.TransactionClient): Promise<void> {
  try {
    await prisma.$queryRaw`SELECT set_config('lock_timeout', ${PATIENCE}, true)`;
    await prisma.$executeRaw`LOCK TABLE startups, own_fields IN SHARE ROW EXCLUSIVE MODE`;
  } catch (error) {
    if (isLockTimeout(error)) {
      throw new OperatorError(
        'An import is being applied: try again when it has ended. Nothing was changed.',
      );
    }
    throw error;
  }
}

/**
 * Declares a field.
 *
 * @param prisma of a transaction, which fails with this.
 * @throws OperatorError that says what is allowed.
 */
export async function addOwnField(prisma: Fields, field: NewOwnField): Promise<OwnField> {
  const { choices: _, ...data } = checkDeclaration(field);
  requireNewName(await readOwnFields(prisma), data.name);
  // Whoever inserts holds the lock of the revision, so that nobody else is counting.
  await prisma.ownField.create({ data });
  const declared = await readOwnFields(prisma);
  checkNumberOfFields(declared);
  return declared.find((one) => one.name === data.name) as OwnField;
}

/**
 * A declaration with its defaults.
 *
 * @throws OperatorError that says what is allowed.
 */
export function checkDeclaration(field: NewOwnField): OwnField {
  const { name, kind, label = wordsOfName(name), description = null, indexed = false } = field;
  throwIfAny([
    ...nameErrors(name),
    ...(isOwnKind(kind)
      ? []
      : [`kind of ${quote(name)}: got ${quote(kind)}, allowed: one of ${ownKindNames.join(', ')}.`]),
    ...(isOwnKind(kind) && indexed && !canBeIndexed(kind)
      ? [`"${name}" cannot be sortable: its kind is ${kind}, allowed: ${indexedKinds.join(', ')}.`]
      : []),
    ...textErrors(name, label, description),
  ]);
  return { name, kind: kind as OwnKind, label, description, indexed, choices: [] };
}

/** @throws OperatorError if a field has the name, whatever its case. */
export function requireNewName(declared: readonly OwnField[], name: string): void {
  throwIfAny(takenErrors(declared, name));
}

function takenErrors(declared: readonly OwnField[], name: string): string[] {
  const same = declared.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return same === undefined
    ? []
    : [`There is a field ${quote(same.name)} already: names are unique, whatever their case.`];
}

/** What is wrong with the name of a new field; undefined if nothing is. */
export const newNameError = (declared: readonly OwnField[], name: string): string | undefined =>
  [...nameErrors(name), ...takenErrors(declared, name)][0];

/** What is wrong with a label; undefined if nothing is. */
export const labelError = (label: string): string | undefined => lineErrors('label', label, LABEL_LENGTH)[0];

/** @throws OperatorError if there are more fields than can be. */
export function checkNumberOfFields(declared: readonly OwnField[]): void {
  if (declared.length > MOST_OWN_FIELDS) {
    throw new OperatorError(`There are ${MOST_OWN_FIELDS} fields already, which is the most.`);
  }
  if (declared.filter((one) => one.indexed).length > MOST_INDEXED) {
    throw new OperatorError(`There are ${MOST_INDEXED} sortable fields already, which is the most.`);
  }
}

const indexedKinds = ownKindNames.filter(canBeIndexed);
const isOwnKind = (kind: string): kind is OwnKind => Object.hasOwn(ownKinds, kind);

function nameErrors(name: string): string[] {
  if (!NAME.test(name)) {
    return [`name: got ${quote(name)}, allowed: ${ALLOWED_OWN_NAME}, such as employees.`];
  }
  return taken.has(name.toLowerCase())
    ? [`name: got ${quote(name)}, which is a name of ours: choose another one.`]
    : [];
}

const textErrors = (name: string, label: string, description: string | null): string[] => [
  ...lineErrors(`label of ${quote(name)}`, label, LABEL_LENGTH),
  ...(description === null
    ? []
    : lineErrors(`description of ${quote(name)}`, description, DESCRIPTION_LENGTH)),
];

/** Such as Annual profit for annualProfit. */
function wordsOfName(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

/** Gives a field another label. */
export async function labelOwnField(prisma: Fields, name: string, label: string): Promise<OwnField> {
  const errors = textErrors(name, label, null);
  throwIfAny(errors);
  await requireOwnField(prisma, name);
  await prisma.ownField.update({ where: { name }, data: { label } });
  return requireOwnField(prisma, name);
}

/**
 * Removes a field with its values: startups that have one are changed.
 *
 * @returns how many had a value.
 */
export async function removeOwnField(
  prisma: Prisma.TransactionClient,
  name: string,
): Promise<{ readonly field: OwnField; readonly startups: number }> {
  const field = await requireOwnField(prisma, name);
  await prisma.ownField.delete({ where: { name } });
  const startups =
    await prisma.$executeRaw`UPDATE startups SET own = nullif(own - ${name}, '{}') WHERE own ? ${name}`;
  return { field, startups };
}

/** How many startups have a value of a field: all of them are read for it. */
export async function countValuesOf(prisma: Pick<PrismaClient, '$queryRaw'>, name: string): Promise<number> {
  const [found] = await prisma.$queryRaw<{ startups: number }[]>`
    SELECT count(*)::int AS startups FROM startups WHERE own ? ${name}`;
  return found?.startups ?? 0;
}

/** @throws UnknownError that names those that there are. */
export async function requireOwnField(prisma: Fields, name: string): Promise<OwnField> {
  const declared = await readOwnFields(prisma);
  const found = declared.find((one) => one.name === name);
  if (found === undefined) {
    const names = declared.map((one) => one.name).join(', ');
    throw new UnknownError(
      `There is no field ${quote(name)}${names === '' ? '' : `, allowed: one of ${names}`}.`,
    );
  }
  return found;
}
