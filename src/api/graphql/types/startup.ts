import { dayOf } from '../../../lib/text/days.ts';
import {
  HISTORY_TEXT,
  type HistoryArguments,
  type HistoryRequest,
  historyParameters,
  readHistoryArguments,
} from '../../../startups/history/request.ts';
import type { StartupFieldKind } from '../../../startups/model/field-kinds.ts';
import { fieldsOf, type NamedStartupField, startupFields } from '../../../startups/model/fields.ts';
import { pointFigureList } from '../../../startups/model/point-figures.ts';
import { FULL_DESCRIPTION_TEXT, type Revenue } from '../../../startups/model/record.ts';
import { builder } from '../builder.ts';
import { costs, named, typed } from '../field-cost.ts';
import { NodeInterface, writeGlobalId } from './relay.ts';
import { fieldEnums, fromParameters } from './values.ts';

const readable = fieldsOf('list', 'detail');
/** The types of values by their kinds; others are texts. */
const scalars: { readonly [Kind in StartupFieldKind]?: 'Boolean' | 'Cents' | 'DateTime' | 'Float' | 'Int' } =
  {
    boolean: 'Boolean',
    cents: 'Cents',
    count: 'Int',
    date: 'DateTime',
    percent: 'Float',
    ratio: 'Float',
  };

/** What the table of fields says of a field. */
function fieldOptions({ path, kind, nullable, description, maxItems }: NamedStartupField) {
  const type = fieldEnums[path] ?? scalars[kind] ?? 'String';
  return { type: maxItems === undefined ? type : [type], nullable, description } as never;
}

const RevenueType = builder.objectRef<Revenue>('Revenue').implement({
  description: 'Verified revenue of a startup, in US cents.',
  fields: (t) =>
    Object.fromEntries(
      readable.flatMap((field) => {
        const [, below] = field.path.split('.');
        return below === undefined ? [] : [[below, t.expose(below as keyof Revenue, fieldOptions(field))]];
      }),
    ),
});

/** Fields with their values, those of the revenue as one object. */
function exposed<Made>(
  t: { expose: (name: never, options: never) => Made },
  fields: readonly NamedStartupField[],
): Record<string, Made> {
  const revenue = { type: RevenueType, description: 'Verified revenue, in US cents.' };
  return Object.fromEntries(
    fields.map((field) => {
      const [head = ''] = field.path.split('.');
      const options = head === field.path ? fieldOptions(field) : revenue;
      return [head, t.expose(head as never, options as never)];
    }),
  );
}

// In a compiled operation, an exposed field costs a tenth of a field with a resolver.
export const StartupType = builder.prismaObject('Startup', {
  description: 'A startup whose revenue is verified through a payment provider.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'Global identifier, opaque: it stays the same as long as the record exists.',
      resolve: ({ id }) => writeGlobalId(id),
    }),
    ...exposed(t, readable),
    fullDescription: t.exposeString('fullDescription', {
      nullable: true,
      description: FULL_DESCRIPTION_TEXT,
    }),
    active: t.exposeBoolean('active', {
      description: 'Whether the startup is ranked. An inactive startup is listed with a null rank.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the startup was first imported: the time of that import.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description:
        'When an import last changed the startup, or created it. A change of rank alone is not a change of the startup.',
    }),
  }),
});

builder.queryFields((t) => ({
  startup: t.field({
    type: StartupType,
    nullable: true,
    description: 'One startup. Null for an unknown slug. Costs 1 read.',
    args: { slug: t.arg.string({ required: true, description: startupFields.slug.description }) },
    extensions: costs(typed),
    resolve: (_root, { slug }, context) => context.begin(() => context.catalogue.get(slug, context.terms)),
  }),
  startupsBySlug: t.field({
    type: [StartupType],
    nullable: { list: true, items: true },
    description:
      'The startups with these slugs, in the same order, with null for each unknown one. Costs 1 read.',
    args: {
      slugs: t.arg.stringList({ required: true, description: '1 to 10 slugs; repeated ones are allowed.' }),
    },
    extensions: costs(named('slugs')),
    resolve: (_root, { slugs }, context) =>
      context.begin(() => slugs.map((slug) => context.catalogue.get(slug, context.terms))),
  }),
}));

// Without a select of columns: the plugin looks each selected field up again for each point, which costs twice as much
// as reading unused columns.
builder.prismaObject('StartupPoint', {
  description:
    'Figures of a startup at the end of a UTC day on which an import changed it. They apply until the next point.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day, in UTC.' }),
    ...exposed(t, pointFigureList),
  }),
});

builder.prismaObjectField(StartupType, 'history', (t) =>
  t.prismaField({
    type: ['StartupPoint'],
    nullable: true,
    description:
      `${HISTORY_TEXT} Null with the error SERVICE_UNAVAILABLE while the database does not respond. Costs ` +
      '1 read for a startup or for all startups of a list; in changes, 1 for each 10 of first.',
    args: fromParameters(historyParameters, t.arg),
    extensions: costs(
      (args, plannedAt) => readHistoryArguments(args as HistoryArguments, dayOf(plannedAt)),
      'database',
    ),
    resolve(_query, { id }, args, context) {
      // Invalid arguments were refused when the operation was planned.
      const read = readHistoryArguments(args, dayOf(context.plan.plannedAt)) as { request: HistoryRequest };
      return context.points.load(id, read.request, context);
    },
  }),
);
