import type { PackedRecord } from '../../startups/catalogue/store/packed-record.ts';
import { nestFields, startupFieldList, startupFields } from '../../startups/model/fields.ts';
import { FULL_DESCRIPTION_TEXT } from '../../startups/model/record.ts';
import { selectFields } from './endpoint-documents.ts';
import { fieldSchema, type Schema, startupSchema } from './openapi-schemas.ts';

// The record that copies are made of: a line of a snapshot, and the startup of a change. It is what an import accepts, so that a
// copy that was begun with one and continued with the other has the same of each startup.

/** Its fields: all but the rank, which changes with those of others. */
export const copiedFields = startupFieldList.filter(({ path }) => path !== 'rank');

/** Its members, each with the fields below it. */
export const copiedMembers = nestFields(copiedFields.map(({ path }) => path));

/** The property of a record in memory, and the field of GraphQL, that has a member: lists cut the description. */
export const sourceOf = (member: string): string =>
  member === 'description' ? ('fullDescription' satisfies keyof PackedRecord) : member;

/** The record as GraphQL selects it. */
export const copiedSelection = selectFields(copiedMembers, sourceOf);

/** The record for OpenAPI. */
export function copiedSchema(): Schema {
  const { properties, ...schema } = startupSchema(
    'A startup for a copy, in a snapshot and in changes: without its rank, and with its whole description.',
    copiedFields,
  );
  const { maxLength } = startupFields.description;
  const whole = { ...fieldSchema('description'), maxLength, description: FULL_DESCRIPTION_TEXT };
  return { ...schema, properties: { ...(properties as object), description: whole } };
}
