import { lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';
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
export const schema = builder.toSchema();

/** The schema as text, sorted, as it is committed and served. */
export const schemaText = `${printSchema(lexicographicSortSchema(schema))}\n`;
