import { amount } from '../../lib/errors.ts';
import { rounded } from './figures.tsx';
import type { Html } from './jsx.ts';

/** Where the visitor is on the way from a file to an import, and with which file. */
export function Steps({
  steps = ['File', 'Columns', 'Preview', 'Import'],
  current,
  file,
}: {
  readonly steps?: readonly string[];
  readonly current: string;
  readonly file?: { readonly name: string; readonly bytes: number };
}): Html {
  const at = steps.indexOf(current);
  return (
    <div class="steps">
      <ol aria-label="Steps">
        {steps.map((step, index) => (
          <li class={index < at ? 'done' : undefined} aria-current={index === at ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      {file !== undefined && (
        <p>
          <strong>{file.name}</strong> <span class="soft">{bytesText(file.bytes)}</span>
        </p>
      )}
    </div>
  );
}

/** A number of bytes in short form, such as 12.4 kB. */
export function bytesText(bytes: number): string {
  return bytes < 1_000
    ? amount(bytes, 'byte')
    : bytes < 1_000_000
      ? `${rounded(bytes / 1_000)} kB`
      : `${rounded(bytes / 1_000_000)} MB`;
}
