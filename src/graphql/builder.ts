import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import type PrismaTypes from '../db/generated/pothos.ts';
import { getDatamodel } from '../db/generated/pothos.ts';
import type { GraphQLContext } from './context.ts';

/** The builder that every type registers with. The schema is built once, in schema.ts. */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  PrismaTypes: PrismaTypes;
  Scalars: {
    Cents: { Input: never; Output: bigint };
    DateTime: { Input: never; Output: Date };
    ID: { Input: string; Output: string };
  };
}>({
  defaultFieldNullability: false,
  plugins: [PrismaPlugin],
  prisma: {
    // Rows are read by the startups service only; the plugin supplies the types.
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
