import {
  buildASTSchema,
  buildSchema,
  type ConstDirectiveNode,
  findBreakingChanges,
  GraphQLSchema,
  parse,
  visit,
} from 'graphql';
import { removableAt } from '../../../src/api/graphql/planning/deprecations.ts';

/**
 * What breaks clients of a released schema, a sentence each. What was deprecated in it for long enough may be missing.
 *
 * @param now ms since 1970.
 */
export function schemaBreaks(released: string, current: string, now: number): string[] {
  const removeOld = (node: { readonly directives?: readonly ConstDirectiveNode[] }) =>
    isRemovable(node.directives, now) ? null : undefined;
  const kept = visit(parse(released), {
    FieldDefinition: removeOld,
    InputValueDefinition: removeOld,
    EnumValueDefinition: removeOld,
  });
  // Types that nothing is of any more are not part of it.
  const old = buildASTSchema(kept, { assumeValid: true }).toConfig();
  const reachable = new GraphQLSchema({ ...old, types: [], assumeValid: true });
  return (
    findBreakingChanges(reachable, buildSchema(current))
      .map(({ description }) => description)
      // Which follows from what else was removed.
      .filter((description) => !description.startsWith('Standard scalar '))
  );
}

function isRemovable(directives: readonly ConstDirectiveNode[] = [], now: number): boolean {
  const deprecated = directives.find(({ name }) => name.value === 'deprecated');
  const reason = deprecated?.arguments?.find(({ name }) => name.value === 'reason')?.value;
  const at = reason?.kind === 'StringValue' ? removableAt(reason.value) : undefined;
  return at !== undefined && at <= now;
}
