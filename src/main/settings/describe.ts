import { allSettings } from './settings.ts';

/** All settings as a table in Markdown, for docs/publish/settings.md. */
export function settingsTable(): string {
  const rows = allSettings.map(([name, { kind, fallback, unset, summary, details, isSecret }]) => [
    `\`${name}\``,
    sentences(summary, details),
    kind.allowed.replaceAll('<', '\\<'),
    unset ?? `\`${fallback}\``,
    isSecret ? 'yes' : '',
  ]);
  return [['variable', 'meaning', 'allowed', 'default', 'secret'], Array(5).fill('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** All settings with the values of a production server, for .env.example. The others are commented out. */
export function exampleEnvironment(): string {
  const blocks = allSettings.map(([name, { kind, fallback, summary, details, example }]) => {
    const text = sentences(summary, details).replaceAll('`', '');
    const value = example ?? String(fallback ?? '');
    const line = `${name}=${/[\s<]/.test(value) ? `"${value}"` : value}`;
    return [`# ${text} Allowed: ${kind.allowed}.`, example === undefined ? `#${line}` : line];
  });
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** The name, meaning and default of each setting, for a terminal. */
export function settingRows(): string[][] {
  return allSettings.map(([name, { summary, fallback }]) => [
    name,
    fallback === undefined ? summary : `${summary} (default: ${fallback})`,
  ]);
}

function sentences(...texts: (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
    .join(' ');
}
