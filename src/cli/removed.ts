/** What replaces the options and commands that were removed before the release, by the command line that had them. */
const replacements: Readonly<Record<string, string>> = {
  'import --errors':
    'import --errors was removed: import prints the first 100 errors, and --skip-invalid writes each rejected record with its errors to a file.',
  'import --category-map':
    'import --category-map was removed: use --value "category:TEXT=VALUE", or "values" in the file of --mapping.',
  mcp: 'mcp was removed: connect agents to /mcp of the server, or with npx mcp-remote where they start programs only.',
};

/** @param names of the command that did not know the word. */
export function findReplacement(names: readonly string[], word: string): string | undefined {
  const line = [...names, word.replace(/=.*/s, '')].join(' ');
  return Object.hasOwn(replacements, line) ? replacements[line] : undefined;
}
