import { GraphQLEnumType, type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';
import { requireCosts } from './field-cost.ts';
import './types/values.ts';
import './types/relay.ts';
import './types/startup.ts';
import './types/startup-list.ts';
import './types/market-day.ts';
import './types/changes.ts';
import './types/dataset.ts';
import './types/rate-limit.ts';

/** The schema of the gateway. */
export const schema = requireCosts(withNamesOfValues(builder.toSchema()));

/** The schema as text, sorted, as it is committed and served. */
export const schemaText = `${printSchema(lexicographicSortSchema(schema))}\n`;

/** Lets resolvers return enumeration values by their names, which compiled operations return as they are. */
function withNamesOfValues(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type instanceof GraphQLEnumType) {
      type.serialize = (name) => name as string;
    }
  }
  return schema;
}
