import { startupFields } from '../../startups/fields.ts';
import { builder } from '../builder.ts';
import { StartupType } from './startup.ts';

builder.queryFields((t) => ({
  startup: t.field({
    type: StartupType,
    nullable: true,
    description: 'One startup. Null for an unknown slug. Costs 1 read.',
    args: { slug: t.arg.string({ required: true, description: startupFields.slug.description }) },
    resolve: (_root, _args, context, info) => context.catalogue.get(context.requestOf<string>(info)),
  }),
  startupsBySlug: t.field({
    type: [StartupType],
    nullable: { list: true, items: true },
    description:
      'The startups with these slugs, in the same order, with null for each unknown one. Costs 1 read.',
    args: {
      slugs: t.arg.stringList({ required: true, description: '1 to 10 slugs; repeated ones are allowed.' }),
    },
    resolve: (_root, _args, context, info) =>
      context.catalogue.getBySlugs(context.requestOf<readonly string[]>(info)),
  }),
}));
