import { inPlace } from '../../page/page.ts';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { SAVED_PATH } from '../../shared/paths.ts';
import { nameOf } from './columns.tsx';
import type { ShownStartup } from './documents.ts';

/** What pages with {@link star} load: a script that does it in place. */
export const starLook = { scripts: inPlace, styles: ['saved.css'] } as const;

/**
 * A button that saves a startup, or removes it from the saved ones.
 *
 * @param saved the slugs of the saved startups.
 * @param back the page that it is on.
 * @param isNamed whether a word stands beside the star.
 */
export const star =
  (saved: readonly string[], back: string) =>
  (startup: Pick<ShownStartup, 'slug' | 'name'>, isNamed = false): Html => {
    const { slug } = startup;
    const isSaved = saved.includes(slug);
    return (
      <form class="star" method="post" action={SAVED_PATH} data-star="">
        <input type="hidden" name="slug" value={slug} />
        <input type="hidden" name="back" value={back} />
        <button
          class={isNamed ? 'second' : 'quiet'}
          id={`star-${slug}`}
          name="keep"
          value={isSaved ? 'no' : 'yes'}
          aria-label={isNamed ? undefined : `Save ${nameOf(startup)}`}
          aria-pressed={isSaved ? 'true' : 'false'}
          title="Save"
        >
          {isNamed && [
            <span class="unsaved">Save</span>,
            <span class="saved">{pageLinks.saved.label}</span>,
            <span class="hidden"> {nameOf(startup)}</span>,
          ]}
        </button>
      </form>
    );
  };
