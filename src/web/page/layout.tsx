import type { Visitor } from '../../access/accounts/sign-in/auth.ts';
import { Notice } from '../shared/components.tsx';
import { EMBEDS_PATH, OPERATOR_PATH } from '../shared/paths.ts';
import { type Look, shellPage } from '../shared/shell.tsx';
import { findNotice } from './notices.ts';
import type { Page } from './page.ts';

/** What a page is laid out with. */
interface LayoutOptions extends Look {
  readonly path: string;
  /** The name of a result of the last action. */
  readonly notice?: string | undefined;
  readonly visitor: Visitor | undefined;
}

/** Lays out a page of the dashboard. */
export function layOut(page: Page, { brand, assetUrl, path, notice, visitor }: LayoutOptions): string {
  const { title, heading = title, main, action, styles = [], scripts = [], errors = [] } = page;
  const back = page.back !== undefined && 'path' in page.back ? page.back : undefined;
  const result = findNotice(notice);
  const isAlone = page.isNarrow && (page.isAlone || visitor === undefined);
  const kind = isAlone ? 'narrow alone' : page.isNarrow ? 'narrow' : page.isWide ? 'wide' : undefined;
  return shellPage({
    title,
    brand,
    assetUrl,
    // Operators see pages of customers from theirs, and the key of an embed is a part of it.
    path: [OPERATOR_PATH, EMBEDS_PATH].some((above) => back?.path.startsWith(above))
      ? (back?.path ?? path)
      : path,
    isSignedIn: visitor !== undefined,
    account: visitor,
    isEntering: isAlone && page.status === undefined,
    styles: ['dashboard.css', ...styles],
    scripts: ['dashboard.js', ...scripts],
    children: (
      <main id="main" class={kind}>
        {back !== undefined && (
          <p class="back">
            <a href={back.path}>{back.label}</a>
          </p>
        )}
        <div class="heading">
          {page.icon === undefined ? (
            <h1>{heading}</h1>
          ) : (
            <div class="titled">
              {page.icon}
              <h1>{heading}</h1>
            </div>
          )}
          {action}
        </div>
        {result !== undefined && <Notice tone={result.tone ?? 'good'}>{result.text}</Notice>}
        {errors.map((error) => (
          <Notice tone="wrong">{error}</Notice>
        ))}
        {main}
      </main>
    ),
  });
}
