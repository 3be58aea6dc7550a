import { type ActionContext, runAction } from '../../access/audit/audit-log.ts';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import { amount, OperatorError } from '../../lib/errors.ts';
import { type Steps, timeSlices } from '../../lib/loop/time-slices.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import {
  addOwnField,
  labelOwnField,
  lockDeclarations,
  type NewOwnField,
  readOwnFields,
  removeOwnField,
  requireOwnField,
} from '../../startups/own/declarations.ts';

// What operators do with fields of their own, recorded in the audit log.

/** Declares a field. @throws OperatorError that says what is allowed. */
export function addField(context: ActionContext, field: NewOwnField): Promise<OwnField> {
  return runAction(context, async ({ prisma, record }) => {
    await lockDeclarations(prisma);
    const added = await addOwnField(prisma, field);
    await record('field.add', added.name, { kind: added.kind, label: added.label, sortable: added.indexed });
    return added;
  });
}

/** Gives a field another label. @throws OperatorError that says what is allowed; UnknownError */
export function labelField(context: ActionContext, name: string, label: string): Promise<OwnField> {
  return runAction(context, async ({ prisma, record }) => {
    await lockDeclarations(prisma);
    const labelled = await labelOwnField(prisma, name, label);
    await record('field.label', name, { label });
    return labelled;
  });
}

/** A removal that would break published documents. */
export class FieldInUseError extends OperatorError {}

/**
 * Removes a field with its values.
 *
 * @param force whether published documents may fail from then on.
 * @returns the field, and how many startups had a value.
 * @throws FieldInUseError that names the keys of such documents; UnknownError
 */
export async function removeField(
  context: ActionContext,
  name: string,
  { force = false }: { readonly force?: boolean | undefined } = {},
): Promise<{ readonly field: OwnField; readonly startups: number }> {
  if (!force) {
    const uses = await findUses(context.prisma, name);
    if (uses.documents > 0) {
      throw new FieldInUseError(
        `${amount(uses.documents, 'published document')} would fail without "${name}", of ${uses.keys.join(', ')}. ` +
          'Nothing was changed.',
      );
    }
  }
  return runAction(context, async ({ prisma, record }) => {
    await lockDeclarations(prisma);
    const removed = await removeOwnField(prisma, name);
    await record('field.remove', name, { kind: removed.field.kind, startups: removed.startups });
    return removed;
  });
}

/** How many keys an error names. */
const NAMED_KEYS = 10;

/** The published documents that are valid only with a field, and the keys that may request them. */
async function findUses(
  prisma: PrismaClient,
  name: string,
): Promise<{ readonly documents: number; readonly keys: readonly string[] }> {
  const fields = await readOwnFields(prisma);
  await requireOwnField(prisma, name);
  // The schema takes longer to load than all else of a command.
  const { documentCheck } = await import('../graphql/planning/check-document.ts');
  const { schemaWith } = await import('../graphql/schema.ts');
  const [before, after] = [fields, fields.filter((field) => field.name !== name)].map((declared) => {
    const schema = schemaWith(declared);
    return documentCheck(() => schema);
  }) as [ReturnType<typeof documentCheck>, ReturnType<typeof documentCheck>];
  const documents = await prisma.trustedDocument.findMany({
    where: { OR: [{ text: { contains: 'own' } }, { text: { contains: 'OWN_' } }] },
    select: { text: true, familyId: true },
  });
  function* findBroken(): Steps<string[]> {
    const families: string[] = [];
    for (const { text, familyId } of documents) {
      yield;
      if (after(text).errors.length > 0 && before(text).errors.length === 0) {
        families.push(familyId);
      }
    }
    return families;
  }
  const families = await timeSlices.run(findBroken(), { ownerId: `field:${name}` });
  const used = [...new Set(families)];
  const keys = await prisma.apiKey.findMany({
    where: { OR: [{ id: { in: used } }, { familyId: { in: used } }], revokedAt: null },
    select: { id: true, name: true },
    orderBy: { createdAt: 'desc' },
    take: NAMED_KEYS,
  });
  return { documents: families.length, keys: keys.map((key) => `"${key.name}" (${key.id})`) };
}
