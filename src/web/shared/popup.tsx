import type { Content, Html } from './jsx.ts';

interface PopupProps {
  /** Of the part that opens. */
  readonly id: string;
  /** What the button says. */
  readonly label: Content;
  /** Further classes of the button, and of the part. */
  readonly look?: string | undefined;
  readonly kind?: string;
  /** What a script calls it. */
  readonly name?: string | undefined;
  /** Whether it is open, below its button, until another page is loaded: where nothing but a page can open it. */
  readonly isShown?: boolean;
  readonly children: Content;
}

/**
 * A button, and what it opens above the page. The browser opens it, and closes it by Escape, by a click elsewhere and when
 * another one opens, without a script.
 */
export const Popup = ({ id, label, look, kind, name, isShown = false, children }: PopupProps): Html => (
  <>
    <button type="button" class={look} popovertarget={id}>
      {label}
    </button>
    <div
      id={id}
      class={kind === undefined ? 'popup' : `popup ${kind}`}
      popover={isShown ? undefined : 'auto'}
      data-open={name}
    >
      {children}
    </div>
  </>
);
