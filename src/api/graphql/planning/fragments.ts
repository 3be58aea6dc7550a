import { type DocumentNode, type FragmentDefinitionNode, Kind } from 'graphql';

/** The fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): { [name: string]: FragmentDefinitionNode } {
  const fragments: { [name: string]: FragmentDefinitionNode } = Object.create(null);
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments[definition.name.value] = definition;
    }
  }
  return fragments;
}
