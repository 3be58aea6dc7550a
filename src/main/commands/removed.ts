/** What replaces the options and commands that were removed before the release, by the command line that had them. */
const replacements: Readonly<Record<string, string>> = {
  'import --errors':
    'import --errors was removed: import prints the first 100 errors, and --skip-invalid writes each rejected record with its errors to a file.',
  'import --category-map':
    'import --category-map was removed: use --value "category:TEXT=VALUE", or "values" in the file of --mapping.',
  completion: 'completion was removed: revgate help lists all commands, and help COMMAND their options.',
  'embed-script': 'embed-script was removed: download /embed.js from the server.',
  mcp: 'mcp was removed: connect agents to /mcp of the server, or with npx mcp-remote where they start programs only.',
  'documents publish --tool':
    '--tool was removed: agents have the tools of the server, and any document runs at /graphql.',
  'documents offer':
    'documents offer was removed: give a document a feed by publishing it again with --feed.',
  'documents withdraw':
    'documents withdraw was removed: end a feed by publishing the document again with --no-feed.',
};

/** @param names of the command that did not know the word. */
export function findReplacement(names: readonly string[], word: string): string | undefined {
  const line = [...names, word.replace(/=.*/s, '')].join(' ');
  return Object.hasOwn(replacements, line) ? replacements[line] : undefined;
}
