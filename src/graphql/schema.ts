import {
  GraphQLEnumType,
  type GraphQLObjectType,
  type GraphQLSchema,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { timeSlices } from '../event-loop/time-slices.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './execution/context.ts';
import './types/scalars.ts';
import './types/enums.ts';
import './types/node.ts';
import './types/startup.ts';
import './types/startup-list.ts';
import './types/market-day.ts';
import './types/changes.ts';
import './types/dataset.ts';

/** The schema of the gateway. */
export const schema = inTimeSlices(withNamesOfValues(builder.toSchema()));

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

/**
 * Makes each field of the root begin in a turn of the event loop that has time for it: an operation has up to 60. The only
 * read of an operation begins with it, so its time is known.
 */
function inTimeSlices(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values((schema.getQueryType() as GraphQLObjectType).getFields())) {
    const { resolve } = field;
    if (resolve !== undefined) {
      field.resolve = (root, args, context: GraphQLContext, info) =>
        timeSlices.hasTime(context.isSingleRead ? context.beganAt : undefined)
          ? resolve(root, args, context, info)
          : timeSlices.runStep(() => resolve(root, args, context, info), context);
    }
  }
  return schema;
}
