import { addField, FieldInUseError, labelField, removeField } from '../../api/own-fields/actions.ts';
import { amount, OperatorError } from '../../lib/errors.ts';
import {
  MOST_INDEXED,
  MOST_OWN_FIELDS,
  type OwnField,
  ownKindNames,
} from '../../startups/model/own-fields.ts';
import { readOwnFields } from '../../startups/own/declarations.ts';
import { type CommandContext, type Result, requireConfirmation } from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';

/** Adds `fields` to the program. */
export function addFields(program: RevgateCommand): void {
  const fields = program
    .command('fields')
    .description('declare fields of your own, which imports fill and clients read')
    .examples('revgate fields list', 'revgate fields add employees count --sortable');
  fields
    .command('list')
    .description('list the fields that are declared')
    .examples('revgate fields list', 'revgate fields list --json')
    .lists(async ({ prisma }) => (await readOwnFields(prisma)).map(shown), {
      columns: {
        NAME: ({ name }) => name,
        KIND: ({ kind }) => kind,
        SORTABLE: ({ sortable }) => (sortable ? 'yes' : '–'),
        LABEL: ({ label }) => label,
      },
      ifEmpty: 'There are no fields of your own yet. Declare one: npx revgate fields add NAME KIND',
    });
  fields
    .command('add <name> <kind>')
    .summary('declare a field')
    .description(
      `declare a field: a name such as employees, and a kind: ${ownKindNames.join(', ')}. At most ${MOST_OWN_FIELDS}, of which ${MOST_INDEXED} sortable`,
    )
    .option('--label <text>', 'what people read; the name as words by default')
    .option('--description <text>', 'what the field means, in sentences')
    .option('--sortable', 'let lists be filtered and, where the kind has an order, sorted by it')
    .examples(
      'revgate fields add employees count --sortable',
      'revgate fields add annualProfit cents --label "Annual profit" --sortable',
    )
    .prints(runAddField);
  fields
    .command('label <name> <text>')
    .description('give a field another label')
    .examples('revgate fields label employees "Full-time employees"')
    .prints(async (context, name: string, text: string) => {
      const field = await labelField(context, name, text);
      return [shown(field), `Field ${name} is called "${field.label}" now.`];
    });
  fields
    .command('remove <name>')
    .description('remove a field with all its values')
    .option('--force', 'even if published documents use it, which fail then')
    .option('--yes', 'do not ask for confirmation; it asks only on a terminal')
    .examples('revgate fields remove employees')
    .prints(runRemoveField);
}

/** A field as the options of these commands, and mappings, have it. */
const shown = ({ indexed, ...field }: OwnField) => ({ ...field, sortable: indexed });

async function runAddField(
  context: CommandContext,
  name: string,
  kind: string,
  { sortable, ...told }: { readonly label?: string; readonly description?: string; readonly sortable?: true },
): Promise<Result> {
  const field = await addField(context, { name, kind, indexed: sortable === true, ...told });
  return [
    shown(field),
    `Declared ${name} ("${field.label}", ${kind}${field.indexed ? ', sortable' : ''}). Imports fill it as own.${name}.`,
  ];
}

async function runRemoveField(
  context: CommandContext,
  name: string,
  { force, yes }: { readonly force?: true; readonly yes?: true },
): Promise<Result> {
  const question = `Remove the field ${name} with all its values? This cannot be undone.`;
  await requireConfirmation(context, yes, question, `The field ${name} was not removed.`);
  const { field, startups } = await removeField(context, name, { force }).catch((error: unknown) => {
    throw error instanceof FieldInUseError
      ? new OperatorError(...error.lines, 'To remove it all the same, add --force.')
      : error;
  });
  return [
    { ...shown(field), startups },
    `Removed ${name}, of which ${amount(startups, 'startup')} had a value.`,
  ];
}
