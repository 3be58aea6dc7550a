import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import type PrismaTypes from '../../db/generated/pothos.ts';
import { getDatamodel } from '../../db/generated/pothos.ts';
import type { Day } from '../../lib/text/days.ts';
import type { MarketDay } from '../../startups/history/history.ts';
import type { StartupPoint } from '../../startups/model/point-figures.ts';
import type { StartupRecord } from '../../startups/model/record.ts';
import type { GraphQLContext } from './execution/context.ts';

/** The models, as resolvers read them: amounts are numbers. */
type Models = Omit<PrismaTypes, 'Startup' | 'StartupPoint' | 'MarketDay'> & {
  Startup: Omit<PrismaTypes['Startup'], 'Shape'> & { Shape: StartupRecord };
  StartupPoint: Omit<PrismaTypes['StartupPoint'], 'Shape'> & { Shape: StartupPoint };
  MarketDay: Omit<PrismaTypes['MarketDay'], 'Shape'> & { Shape: MarketDay };
};

/** The builder that every type registers with. The schema is built once, in schema.ts. */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  PrismaTypes: Models;
  Scalars: {
    Cents: { Input: never; Output: number };
    Date: { Input: Day; Output: Date };
    /** Output: ms since 1970. */
    DateTime: { Input: Date; Output: number };
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
  description: 'Entry points of the API. Each field states its cost; a request costs their sum, at least 1.',
});
