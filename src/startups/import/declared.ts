import { OperatorError, quote } from '../../lib/errors.ts';
import { MOST_CHOICES, OWN_FIELDS_SQL, type OwnField } from '../model/own-fields.ts';
import { checkNumberOfFields, requireNewName } from '../own/declarations.ts';
import type { ImportClient, Staging } from './staging.ts';

// The fields that an operator declares, as an import reads and writes them over its own connection.

/** The declared fields, in their order. */
export async function readDeclared(client: ImportClient): Promise<readonly OwnField[]> {
  const { rows } = await client.query(`SELECT ${OWN_FIELDS_SQL} AS declared`);
  return rows[0]?.declared as readonly OwnField[];
}

/**
 * Declares what an import declares, in the transaction that applies it.
 *
 * @returns the fields that are declared by this.
 * @throws OperatorError if other fields are declared than when it began.
 */
export async function declareAdded(
  client: ImportClient,
  { own, added }: Pick<Staging, 'own' | 'added'>,
): Promise<readonly OwnField[]> {
  const declared = await readDeclared(client);
  const kinds = new Map(declared.map(({ name, kind }) => [name, kind]));
  const isAdded = (name: string): boolean => added.some((field) => field.name === name);
  for (const { name, kind } of own.map((field) => field.own)) {
    const now = kinds.get(name);
    if (now === undefined ? !isAdded(name) : now !== kind) {
      throw new OperatorError(
        `The field ${quote(name)} was ${now === undefined ? 'removed' : 'declared anew'} during the import: nothing was written. Run it again.`,
      );
    }
  }
  const all = [...declared];
  for (const field of added.filter(({ name }) => !kinds.has(name))) {
    requireNewName(all, field.name);
    all.push(field);
  }
  checkNumberOfFields(all);
  const missing = all.slice(declared.length);
  for (const { name, kind, label, description, indexed } of missing) {
    await client.query(
      'INSERT INTO own_fields (name, kind, label, description, indexed) VALUES ($1, $2, $3, $4, $5)',
      [name, kind, label, description, indexed],
    );
  }
  return missing;
}

/**
 * Records which values the declared choices have: those of all startups. New ones are behind those before, which nodes
 * can add to what they have read.
 *
 * @param mayDrop whether values that no startup has any more are dropped, although there is room for them.
 * @throws OperatorError if there are too many.
 */
export async function recordChoices(client: ImportClient, mayDrop: boolean): Promise<void> {
  const { rows } = await client.query(
    `SELECT f.name, f.choices, ARRAY(
       SELECT DISTINCT t.own ->> f.name FROM startups AS t WHERE jsonb_typeof(t.own -> f.name) = 'string'
     ) AS used
     FROM own_fields AS f WHERE f.kind = 'choice' ORDER BY f.id`,
  );
  for (const { name, choices, used } of rows as unknown as (Pick<OwnField, 'name' | 'choices'> & {
    readonly used: readonly string[];
  })[]) {
    const added = used.filter((value) => !choices.includes(value)).toSorted();
    const mustDrop = choices.length + added.length > MOST_CHOICES;
    const kept = mayDrop || mustDrop ? choices.filter((value) => used.includes(value)) : choices;
    const now = [...kept, ...added];
    if (now.length > MOST_CHOICES) {
      throw new OperatorError(
        `own.${name} would have ${now.length} different values, allowed: at most ${MOST_CHOICES}: nothing was written.`,
      );
    }
    if (added.length > 0 || kept.length < choices.length) {
      await client.query('UPDATE own_fields SET choices = $2 WHERE name = $1', [name, now]);
    }
  }
}
