import type { Html } from '../../shared/jsx.ts';
import type { ShownStartup } from '../explorer/documents.ts';
import { inPlace } from '../page.ts';
import { SHORTLIST_PATH } from './paths.tsx';

/** What pages with {@link star} load: a script that does it in place. */
export const starLook = { scripts: inPlace, styles: ['shortlist.css'] } as const;

/**
 * A button that adds a startup to the shortlist, or removes it.
 *
 * @param kept the slugs of the shortlist.
 * @param back the page that it is on.
 * @param label what stands beside the star, if anything does.
 */
export const star =
  (kept: readonly string[], back: string) =>
  ({ slug, name }: Pick<ShownStartup, 'slug' | 'name'>, label?: string): Html => {
    const isKept = kept.includes(slug);
    return (
      <form class="star" method="post" action={SHORTLIST_PATH} data-star="">
        <input type="hidden" name="slug" value={slug} />
        <input type="hidden" name="back" value={back} />
        <button
          class={label === undefined ? 'quiet' : 'second'}
          id={`star-${slug}`}
          name="keep"
          value={isKept ? 'no' : 'yes'}
          aria-label={`${name} on your shortlist`}
          aria-pressed={isKept ? 'true' : 'false'}
          title="Keep on your shortlist"
        >
          {label}
        </button>
      </form>
    );
  };
