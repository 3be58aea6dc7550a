import {
  type Change,
  type ChangeKind,
  type ChangeList,
  changeKinds,
} from '../../startups/catalogue/change-list.ts';
import { changesParameters } from '../../startups/changes-parameters.ts';
import { type ChangesRequest, readChangesArguments } from '../../startups/changes-request.ts';
import { builder } from '../builder.ts';
import { PageInfo } from './page-info.ts';
import { StartupType } from './startup.ts';

const ChangeKindEnum = builder.enumType('ChangeKind', {
  description: 'What happened to a startup.',
  values: Object.fromEntries(
    Object.entries(changeKinds).map(([value, description]) => [
      value,
      { value: value as ChangeKind, description },
    ]),
  ) as Record<ChangeKind, { value: ChangeKind; description: string }>,
});

const ChangeType = builder.objectRef<Change>('Change').implement({
  description: 'The latest change of a startup.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Slug of the startup, also where it is gone.' }),
    kind: t.expose('kind', { type: ChangeKindEnum, description: 'What happened to it.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When: the time of the import that changed it.' }),
    startup: t.expose('startup', {
      type: StartupType,
      nullable: true,
      description:
        'The startup as it is now. Null where it was removed. With it, changes cost 1 read for each 10 that first asks for.',
    }),
  }),
});

/** A change together with the list that knows its index. */
interface Edge {
  readonly node: Change;
  readonly index: number;
  readonly list: ChangeList;
}

const ChangeEdge = builder.objectRef<Edge>('ChangeEdge').implement({
  description: 'A change and its place among all changes.',
  fields: (t) => ({
    cursor: t.string({
      description: 'The place, opaque: give it as since for what follows this change.',
      resolve: ({ list, index }) => list.cursorAt(index),
    }),
    node: t.expose('node', { type: ChangeType, description: 'The change.' }),
  }),
});

const ChangeConnection = builder.objectRef<ChangeList>('ChangeConnection').implement({
  description: 'Changes in the order in which they happened, one for each startup: its latest.',
  fields: (t) => ({
    edges: t.field({
      type: [ChangeEdge],
      description: 'The changes, each with its cursor.',
      resolve: (list) => list.changes.map((node, index) => ({ node, index, list })),
    }),
    pageInfo: t.field({
      type: PageInfo,
      description: 'Where these changes stand among all.',
      resolve: (list) => list,
    }),
    next: t.exposeString('next', {
      description: 'The cursor to give as since in the following call, also where there is nothing new.',
    }),
  }),
});

builder.queryField('changes', (t) =>
  t.field({
    type: ChangeConnection,
    description:
      'What changed since an earlier call. A reader that keeps next and comes back misses nothing and gets nothing twice. ' +
      'An error CURSOR_EXPIRED says that the removals since the cursor are not known any more, or that another life of the database ' +
      'has begun: read everything again, without since. Costs 1 read without startup, otherwise 1 for each 10 changes that first asks for.',
    args: {
      since: t.arg.string({ description: changesParameters.since.description }),
      first: t.arg.int({
        description: `${changesParameters.limit.description} 1 to ${changesParameters.limit.maximum}, default ${changesParameters.limit.default}.`,
      }),
    },
    resolve: (_root, args, { catalogue }) => {
      // The arguments were checked when the cost of the operation was computed.
      const { request } = readChangesArguments(args) as { request: ChangesRequest };
      return catalogue.changes(request);
    },
  }),
);
