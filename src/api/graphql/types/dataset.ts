import type { Dataset } from '../../../startups/catalogue/catalogue.ts';
import { builder } from '../builder.ts';
import { NO_COST } from '../field-cost.ts';

const DatasetType = builder.objectRef<Dataset>('Dataset').implement({
  description: 'The data of the node that responds.',
  fields: (t) => ({
    version: t.exposeString('version', {
      description:
        'Changes whenever a startup changes and with every import, and is the same on all nodes that know the same data. Compare it for equality only.',
    }),
    importedAt: t.expose('importedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the last import finished, the same on all nodes that know the same data. Null before the first import; the sample does not count.',
    }),
    total: t.exposeInt('total', { description: 'Count of all startups.' }),
  }),
});

builder.queryField('dataset', (t) =>
  t.field({
    type: DatasetType,
    description: 'The version, age and size of the data. It adds no cost; a request for it alone costs 1.',
    extensions: NO_COST,
    resolve: (_root, _args, context) => context.begin(() => context.catalogue.dataset()),
  }),
);
