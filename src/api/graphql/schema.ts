import { GraphQLEnumType, type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import type { OwnField } from '../../startups/model/own-fields.ts';
import { builder } from './builder.ts';
import { requireCosts } from './field-cost.ts';
import { withOwnFields } from './own-schema.ts';
import './types/values.ts';
import './types/relay.ts';
import './types/startup.ts';
import './types/startup-list.ts';
import './types/market-day.ts';
import './types/changes.ts';
import './types/dataset.ts';
import './types/rate-limit.ts';

/** The schema of the gateway, without declared fields. */
export const schema = requireCosts(withNamesOfValues(builder.toSchema()));

/** The same with declared fields. */
export const schemaWith = (own: readonly OwnField[]): GraphQLSchema =>
  own.length === 0 ? schema : withNamesOfValues(withOwnFields(schema, own));

/** A schema as text, sorted, as it is served and, without declared fields, committed. */
export const textOf = (one: GraphQLSchema): string => `${printSchema(lexicographicSortSchema(one))}\n`;
export const schemaText = textOf(schema);

/** Lets resolvers return enumeration values by their names, which compiled operations return as they are. */
function withNamesOfValues(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type instanceof GraphQLEnumType) {
      type.serialize = (name) => name as string;
    }
  }
  return schema;
}
