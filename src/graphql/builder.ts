import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import type PrismaTypes from '../db/generated/pothos.ts';
import { getDatamodel } from '../db/generated/pothos.ts';
import type { Day } from '../startups/days.ts';
import type { StartupRecord } from '../startups/record.ts';
import type { GraphQLContext } from './context.ts';

/** The models, with a startup as the catalogue provides it. */
type Models = Omit<PrismaTypes, 'Startup'> & {
  Startup: Omit<PrismaTypes['Startup'], 'Shape'> & { Shape: StartupRecord };
};

/** The builder that every type registers with. The schema is built once, in schema.ts. */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  PrismaTypes: Models;
  Scalars: {
    Cents: { Input: never; Output: bigint };
    Date: { Input: Day; Output: Date };
    DateTime: { Input: Date; Output: Date };
    ID: { Input: string; Output: string };
  };
}>({
  defaultFieldNullability: false,
  plugins: [PrismaPlugin],
  prisma: {
    // Startups are read from the catalogue, and resolvers read everything else; the plugin supplies the models, their
    // types and the query of each field.
    client: () => {
      throw new Error('The schema reads through its context');
    },
    dmmf: getDatamodel(),
  },
});

builder.queryType({
  description:
    'What can be read. A request costs the number of its reads, at least 1; the fields say which of them read.',
});
