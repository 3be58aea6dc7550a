import { addField, FieldInUseError, labelField, removeField } from '../../../api/own-fields/actions.ts';
import { amount } from '../../../lib/errors.ts';
import {
  MOST_INDEXED,
  MOST_OWN_FIELDS,
  OWN_NAME_LENGTH,
  type OwnField,
  ownKindNames,
  ownKinds,
} from '../../../startups/model/own-fields.ts';
import {
  countValuesOf,
  DESCRIPTION_LENGTH,
  LABEL_LENGTH,
  readOwnFields,
  requireOwnField,
} from '../../../startups/own/declarations.ts';
import { checkbox, field, SelectField } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { type Field, FieldErrors, page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { buttonLink, type Column, EmptyState, ListTable, Notice } from '../../shared/components.tsx';
import { pageLinks } from '../../shared/page-links.ts';

const PATH = pageLinks.fields.path;

/** Fields that the operators declare, beside those that every startup has. */
export function fieldPages({ prisma }: Pick<Services, 'prisma'>) {
  return [
    page({
      path: PATH,
      view: async () => {
        const fields = await readOwnFields(prisma);
        const add = buttonLink(`${PATH}/new`, 'Add field');
        return {
          title: pageLinks.fields.label,
          ...(fields.length > 0 && { action: add }),
          main:
            fields.length === 0 ? (
              <EmptyState
                title="No fields yet"
                text="Add fields that your data has and revgate does not know, such as employees. Imports fill them; REST, GraphQL, agents and the explorer serve them."
              >
                {add}
              </EmptyState>
            ) : (
              <ListTable
                layout="entries"
                caption="In the order in which they were added"
                isCaptionHidden
                columns={columns}
                rows={fields}
              />
            ),
        };
      },
    }),
    page({
      path: `${PATH}/new`,
      view: ({ sent }) => ({
        title: 'Add field',
        back: pageLinks.fields,
        action: PATH,
        button: 'Add field',
        text: `At most ${MOST_OWN_FIELDS} fields, of which ${MOST_INDEXED} can be sortable. The name and the kind cannot be changed later.`,
        children: [
          field({
            name: 'name',
            label: 'Name',
            sent,
            isFirst: true,
            autocomplete: 'off',
            maxLength: OWN_NAME_LENGTH,
            hint: 'As programs read it, such as employees: letters and digits, beginning with a small letter.',
          }),
          <SelectField
            name="kind"
            label="Kind"
            value={sent.values.kind ?? ''}
            options={ownKindNames.map((kind) => [kind, `${kind} – ${ownKinds[kind].meaning}`])}
          />,
        ],
        fields: [
          ownLabelField({ isRequired: false, hint: 'What people read. By default, the name as words.' }),
          {
            name: 'description',
            label: 'Description',
            isRequired: false,
            autocomplete: 'off',
            maxLength: DESCRIPTION_LENGTH,
            hint: 'Optional: what it means, for the documentation of clients.',
          },
        ],
        after: checkbox(
          'sortable',
          'Sortable: lists can be filtered by it and, if its kind has an order, sorted',
          sent.values.sortable !== undefined,
        ),
      }),
      forms: {
        [PATH]: async ({ acting, form }) => {
          const { name = '', kind = '', label, description, sortable } = form;
          await addField(acting, {
            name: name.trim(),
            kind,
            label: textOrNone(label),
            description: textOrNone(description),
            indexed: sortable !== undefined,
          });
          return withNotice(PATH, 'field-added');
        },
      },
    }),
    page({
      path: `${PATH}/:id/edit`,
      load: ({ id }) => requireOwnField(prisma, id),
      view: ({ up }, { name, label, description, kind, indexed }) => ({
        title: `Edit field ${name}`,
        back: pageLinks.fields,
        text: (
          <>
            {description !== null && `${description} `}
            <span class="soft">
              Kind: {kind}
              {indexed && ', sortable'}.
            </span>
          </>
        ),
        fields: [ownLabelField({ value: label, isFirst: true })],
        button: 'Change label',
        below: (
          <section class="card danger">
            <h2>Remove field</h2>
            <p>Removes it from all startups, from the API and from the explorer.</p>
            <p>{buttonLink(`${up}/remove`, 'Remove field …', 'second danger')}</p>
          </section>
        ),
      }),
      act: async ({ acting, id, form }) => {
        await labelField(acting, id, (form.label ?? '').trim());
        return withNotice(PATH, 'field-labelled');
      },
    }),
    page({
      path: `${PATH}/:id/remove`,
      isGuarded: true,
      load: ({ id }) => requireOwnField(prisma, id),
      view: async ({ sent }, { name, label }) => {
        const startups = await countValuesOf(prisma, name);
        const { force: uses } = sent.errors;
        return {
          title: `Remove field ${name}?`,
          back: pageLinks.fields,
          isDanger: true,
          button: uses === undefined ? 'Remove field' : 'Remove it all the same',
          above: uses !== undefined && <Notice tone="wrong">{uses}</Notice>,
          hidden: uses === undefined ? {} : { force: 'yes' },
          text: (
            <>
              <strong>{label}</strong> is removed with its values: {amount(startups, 'startup')}{' '}
              {startups === 1 ? 'has' : 'have'} one. This cannot be undone.
            </>
          ),
        };
      },
      act: async ({ acting, id, form }) => {
        await removeField(acting, id, { force: form.force !== undefined }).catch((error: unknown) => {
          throw error instanceof FieldInUseError ? new FieldErrors({ force: error.lines.join(' ') }) : error;
        });
        return withNotice(PATH, 'field-removed');
      },
    }),
  ];
}

const textOrNone = (text: string | undefined): string | undefined => text?.trim() || undefined;

const ownLabelField = (of: Partial<Field>): Field => ({
  name: 'label',
  label: 'Label',
  autocomplete: 'off',
  maxLength: LABEL_LENGTH,
  ...of,
});

const columns: readonly Column<OwnField>[] = [
  [
    'Name',
    ({ name, label }) => (
      <span class="two-lines">
        <span>{label}</span>
        <span class="soft mono">own.{name}</span>
      </span>
    ),
  ],
  ['Kind', ({ kind }) => kind],
  ['Sortable', ({ indexed }) => (indexed ? 'Yes' : 'No')],
  [
    <span class="hidden">Actions</span>,
    ({ name }) => (
      <a href={`${PATH}/${name}/edit`}>
        Edit<span class="hidden"> {name}</span>
      </a>
    ),
    'aside',
  ],
];
