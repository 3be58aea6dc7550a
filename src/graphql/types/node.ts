import { builder } from '../builder.ts';
import { readGlobalId } from './global-id.ts';

/** Types with a global identifier; so far only startups. */
export const NodeInterface = builder.interfaceRef<{ readonly id: number }>('Node').implement({
  description: 'An object that can be read again by its global identifier.',
  resolveType: () => 'Startup',
  fields: (t) => ({
    id: t.id({ description: 'Global identifier, opaque.' }),
  }),
});

builder.queryFields((t) => ({
  node: t.field({
    type: NodeInterface,
    nullable: true,
    description: 'The object with this global identifier. Null for an unknown one. Costs 1 read.',
    args: { id: t.arg.id({ required: true, description: 'A global identifier.' }) },
    resolve(_root, _args, context, info) {
      const [record = null] = context.catalogue.getByIds([readGlobalId(context.requestOf<string>(info))]);
      return record;
    },
  }),
  nodes: t.field({
    type: [NodeInterface],
    nullable: { list: true, items: true },
    description:
      'The objects with these global identifiers, in the same order, with null for each unknown one. Costs 1 read.',
    args: {
      ids: t.arg.idList({
        required: true,
        description: '1 to 10 global identifiers; repeated ones are allowed.',
      }),
    },
    resolve: (_root, _args, context, info) =>
      context.catalogue.getByIds(context.requestOf<readonly string[]>(info).map(readGlobalId)),
  }),
}));
