import {
  type Change,
  type ChangeList,
  changeKinds,
} from '../../../startups/catalogue/changes/change-list.ts';
import {
  CHANGES_TEXT,
  type ChangesRequest,
  changesParameters,
  readChangesArguments,
} from '../../../startups/model/requests/changes-request.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';
import { builder } from '../builder.ts';
import { type Check, costs } from '../field-cost.ts';
import { PageInfo } from './relay.ts';
import { StartupType } from './startup.ts';
import { fromParameters } from './values.ts';

const ChangeKindEnum = builder.enumType('ChangeKind', {
  description: 'What happened to a startup.',
  values: Object.fromEntries(
    Object.entries(changeKinds).map(([kind, description]) => [constantName(kind), { description }]),
  ),
});

const ChangeType = builder.objectRef<Change>('Change').implement({
  description: 'The latest change of a startup.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Slug of the startup, even if it was removed.' }),
    kind: t.field({
      type: ChangeKindEnum,
      description: 'What happened to the startup.',
      resolve: ({ kind }, _args, context) => context.termOf(kind),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'The time of the import that changed the startup.' }),
    startup: t.expose('startup', {
      type: StartupType,
      nullable: true,
      description: `The startup as it is now. Null if it was removed. Selecting it makes changes cost 1 read for each 10 of first.`,
    }),
  }),
});

/** A change together with the list that knows its index. */
type Edge = Readonly<{ node: Change; index: number; list: ChangeList }>;

const ChangeEdge = builder.objectRef<Edge>('ChangeEdge').implement({
  description: 'A change and its position among all changes.',
  fields: (t) => ({
    cursor: t.string({
      description: 'Opaque position: pass it as since to get the changes after this one.',
      resolve: ({ list, index }) => list.cursorAt(index),
    }),
    node: t.expose('node', { type: ChangeType, description: 'The change.' }),
  }),
});

const ChangeConnection = builder.objectRef<ChangeList>('ChangeConnection').implement({
  description: CHANGES_TEXT,
  fields: (t) => ({
    edges: t.field({
      type: [ChangeEdge],
      description: 'The changes, each with its cursor.',
      resolve: (list) => list.changes.map((node, index) => ({ node, index, list })),
    }),
    pageInfo: t.field({
      type: PageInfo,
      description: 'The position of these changes among all changes.',
      resolve: (list) => list,
    }),
    next: t.exposeString('next', {
      description: 'The cursor for the next call: pass it as since. Set even when there are no new changes.',
    }),
  }),
});

builder.queryField('changes', (t) =>
  t.field({
    type: ChangeConnection,
    nullable: true,
    description:
      'Startups that were created, updated or removed since an earlier call. Pass next of one response as since of the next call to ' +
      'receive each change once. Null with the error CURSOR_EXPIRED if the removals since the cursor are no longer recorded, or if the ' +
      'database was replaced: read everything again, without since. Costs 1 read without startup, otherwise 1 for each 10 of first.',
    args: fromParameters({ since: changesParameters.since, first: changesParameters.limit }, t.arg),
    extensions: costs(readChangesArguments as Check),
    resolve: (_root, _args, context, { path }) =>
      context.begin(() => {
        const request = context.plan.requests.get(String(path.key)) as ChangesRequest;
        return context.catalogue.changes(request, context.terms);
      }),
  }),
);
