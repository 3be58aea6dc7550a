import {
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  NoDeprecatedCustomRule,
  parse,
  validate,
} from 'graphql';

/** For how many days what is deprecated still works, at least. */
export const DEPRECATED_DAYS = 90;

const SINCE = /\bsince (\d{4}-\d{2}-\d{2})\b/;

/**
 * The first day on which something deprecated may be removed, in ms since 1970.
 *
 * @param reason says since when it is deprecated: "Use mrr. Deprecated since 2027-01-31."
 * @returns undefined for a reason that does not say it.
 */
export function removableAt(reason: string): number | undefined {
  const since = Date.parse(SINCE.exec(reason)?.[1] ?? '');
  return Number.isNaN(since) ? undefined : since + DEPRECATED_DAYS * 86_400_000;
}

/** Whether anything of a schema is deprecated: without it, no document has to be read. */
export function hasDeprecated(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some((type) => {
    if (isEnumType(type)) {
      return type.getValues().some(isDeprecated);
    }
    if (isInputObjectType(type)) {
      return Object.values(type.getFields()).some(isDeprecated);
    }
    return (
      (isObjectType(type) || isInterfaceType(type)) &&
      Object.values(type.getFields()).some((field) => isDeprecated(field) || field.args.some(isDeprecated))
    );
  });
}

const isDeprecated = ({ deprecationReason }: { deprecationReason?: string | null | undefined }): boolean =>
  deprecationReason !== undefined && deprecationReason !== null;

/** What a valid document uses that is deprecated, a sentence for each: what it is, and what to use instead. */
export function findDeprecated(schema: GraphQLSchema, text: string): string[] {
  let document: DocumentNode;
  try {
    document = parse(text);
  } catch {
    // The syntax was another one when it was published.
    return [];
  }
  const uses = validate(schema, document, [NoDeprecatedCustomRule]).map(({ message }) => message);
  return [...new Set(uses)];
}
