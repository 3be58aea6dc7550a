import type { Dataset } from '../../startups/catalogue/catalogue.ts';
import { builder } from '../builder.ts';

const DatasetType = builder.objectRef<Dataset>('Dataset').implement({
  description: 'All startups together, as the node that answers knows them.',
  fields: (t) => ({
    version: t.exposeString('version', {
      description:
        'Changes whenever a startup changes and with every import, and is the same on all nodes that know the same data. Compare it for equality only.',
    }),
    importedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the last import finished, the same on all nodes that know the same data. Null when there never was one: the sample is none.',
      resolve: ({ importedAt }) => (importedAt === null ? null : new Date(importedAt)),
    }),
    total: t.exposeInt('total', { description: 'Count of all startups.' }),
  }),
});

builder.queryField('dataset', (t) =>
  t.field({
    type: DatasetType,
    description: 'What the data is and how fresh. Reads nothing: alone in a request it costs the least, 1.',
    resolve: (_root, _args, { catalogue }) => catalogue.dataset(),
  }),
);
