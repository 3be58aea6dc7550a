import type { Dataset } from '../../startups/startups.ts';
import { builder } from '../builder.ts';

const DatasetType = builder.objectRef<Dataset>('Dataset').implement({
  description: 'All startups together, as the node that answers knows them.',
  fields: (t) => ({
    version: t.exposeString('version', {
      description:
        'Changes whenever a startup changes, and is the same on all nodes that know the same data. Compare it for equality only.',
    }),
    importedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When this node last took in changed data, within about a second of the change while it runs; a node that starts takes in everything. Null when unknown.',
      resolve: ({ readAt }) => (readAt > 0 ? new Date(readAt) : null),
    }),
    total: t.exposeInt('total', { description: 'Count of all startups.' }),
  }),
});

builder.queryField('dataset', (t) =>
  t.field({
    type: DatasetType,
    description: 'What the data is and how fresh. Reads nothing: alone in a request it costs the least, 1.',
    resolve: (_root, _args, { startups }) => startups.dataset(),
  }),
);
