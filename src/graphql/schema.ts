import { type GraphQLObjectType, type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { timeSlices } from '../time-slices.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import './types/scalars.ts';
import './types/enums.ts';
import './types/node.ts';
import './types/startup.ts';
import './types/startup-point.ts';
import './types/startup-list.ts';
import './types/startup-queries.ts';
import './types/market-day.ts';
import './types/changes.ts';
import './types/dataset.ts';

/** The schema of the gateway. */
export const schema = inTimeSlices(builder.toSchema());

/** The schema as text, sorted, as it is committed and served. */
export const schemaText = `${printSchema(lexicographicSortSchema(schema))}\n`;

/** Makes each field of the root begin in a turn of the event loop that has time for it: an operation has up to 60. */
function inTimeSlices(built: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values((built.getQueryType() as GraphQLObjectType).getFields())) {
    const { resolve } = field;
    if (resolve !== undefined) {
      field.resolve = (root, args, context: GraphQLContext, info) =>
        timeSlices.runStep(() => resolve(root, args, context, info), context);
    }
  }
  return built;
}
