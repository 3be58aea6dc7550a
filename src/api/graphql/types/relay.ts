import { type Steps, timeSlices } from '../../../lib/loop/time-slices.ts';
import type { StartupRecord } from '../../../startups/model/record.ts';
import { MAX_COUNT } from '../../../startups/model/vocabulary.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../execution/context.ts';
import { costs, named, typed } from '../field-cost.ts';

const LONGEST = 40;
const STARTUP = /^Startup:([1-9]\d{0,9})$/;

/** The global identifier of a startup. */
export function writeGlobalId(id: number): string {
  return Buffer.from(`Startup:${id}`).toString('base64url');
}

/** The startup of a global identifier; null for any other text, and for one that is not known. */
function findNode(text: string, { catalogue, terms }: GraphQLContext): StartupRecord | null {
  if (text.length > LONGEST) {
    return null;
  }
  const id = Number(STARTUP.exec(Buffer.from(text, 'base64url').toString('latin1'))?.[1]);
  // Decoding tolerates other encodings; an identifier has exactly one.
  return id <= MAX_COUNT && writeGlobalId(id) === text ? catalogue.getById(id, terms) : null;
}

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
    extensions: costs(typed),
    resolve: (_root, { id }, context) => context.begin(() => findNode(id, context)),
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
    extensions: costs(named('ids')),
    resolve: (_root, { ids }, context) => context.begin(() => ids.map((id) => findNode(id, context))),
  }),
}));

/** Part of a list that knows its index there. */
interface Paged {
  readonly hasMore: boolean;
  /** Values that require a search are computed in steps. */
  hasPrevious(): boolean | Steps<boolean>;
  startCursor(): string | null;
  endCursor(): string | null;
}

export const PageInfo = builder.objectRef<Paged>('PageInfo').implement({
  description: 'The position of a connection in its list, as Relay defines it.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'True when more records follow.',
      resolve: ({ hasMore }) => hasMore,
    }),
    hasPreviousPage: t.boolean({
      description: 'True when records precede these.',
      resolve(list, _args, context) {
        const has = list.hasPrevious();
        return typeof has === 'boolean' ? has : timeSlices.run(has, context);
      },
    }),
    startCursor: t.string({
      nullable: true,
      description: 'Cursor of the first record. Null where there is none.',
      resolve: (list) => list.startCursor(),
    }),
    endCursor: t.string({
      nullable: true,
      description: 'Cursor of the last record, for the argument after. Null where there is none.',
      resolve: (list) => list.endCursor(),
    }),
  }),
});
