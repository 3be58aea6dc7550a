import { findRows, leavesOf } from './data.ts';
import { create, RevgateElement, toNode } from './element.ts';
import { hasValue, isNumeric, labelOf, link, type Shown, show, valueAt } from './format.ts';

/** `<revgate-list>`: the records of a document as a table. */
export class RevgateList extends RevgateElement {
  readonly texts = {
    empty: 'There are no startups to show.',
    failed: 'This list cannot be shown at the moment.',
  };

  #resizes = new ResizeObserver(() => {});

  draw(data: unknown): boolean {
    const { body } = this;
    const rows = data === undefined ? [] : (findRows(data) ?? []);
    body.className = rows.length === 0 ? 'list empty' : 'list';
    body.style.setProperty('--rows', String(Number(this.text('rows')) || 10));
    const [first] = rows;
    if (first === undefined) {
      body.replaceChildren();
      return false;
    }
    this.paths = leavesOf(first);
    const asked = this.list('columns');
    const isKnown = (path: string): boolean => rows.some((row) => hasValue(row, path));
    this.tellUnknown('columns', asked, isKnown);
    const labels = new Map(
      this.list('labels').map((label, index) => [asked[index] ?? this.paths[index], label]),
    );
    const columns = asked.length === 0 ? this.paths : asked.filter(isKnown);
    if (columns.length === 0) {
      body.className = 'list empty';
      body.replaceChildren();
      return false;
    }
    const isLinked = !columns.includes('website');
    const classOf = (path: string): { part: string; class?: string } =>
      isNumeric(path) ? { part: 'cell number', class: 'number' } : { part: 'cell' };
    const head = columns.map((path) =>
      create(
        'th',
        { ...classOf(path), scope: 'col', part: 'heading' },
        create('bdi', {}, labels.get(path) ?? labelOf(path)),
      ),
    );
    const lines = rows.map((row) => {
      const cells = columns.map((path, index) => {
        const value = valueAt(row, path);
        const shown: Shown =
          path === 'name' && isLinked ? link(row.website, String(value)) : show(path, value);
        const heading = index === 0 ? ({ scope: 'row' } as const) : {};
        return create(
          index === 0 ? 'th' : 'td',
          { ...classOf(path), ...heading },
          toNode(shown, isNumeric(path)),
        );
      });
      return create('tr', { part: 'row' }, ...cells);
    });
    const table = create(
      'table',
      { part: 'table' },
      create('thead', {}, create('tr', {}, ...head)),
      create('tbody', {}, ...lines),
    );
    const label = this.text('label') || 'Startups with verified revenue';
    const scroll = create(
      'div',
      { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': label },
      table,
    );
    const position = body.firstElementChild?.scrollLeft ?? 0;
    body.replaceChildren(scroll);
    scroll.scrollLeft = position;
    this.#showCut(scroll);
    return true;
  }

  /** A table that is wider than its place keeps its first column, and fades out at the side where it goes on. */
  #showCut(scroll: HTMLElement): void {
    this.body.style.setProperty('--behind', colorBehind(this.body));
    const update = (): void => {
      const { scrollWidth, clientWidth, scrollLeft, classList } = scroll;
      classList.toggle('wide', scrollWidth > clientWidth);
      classList.toggle('more', scrollWidth - clientWidth - Math.abs(scrollLeft) > 1);
    };
    // At once, as the first observation may come after a frame.
    update();
    scroll.addEventListener('scroll', update, { passive: true });
    this.#resizes.disconnect();
    this.#resizes = new ResizeObserver(update);
    this.#resizes.observe(scroll);
  }
}

/** The color in front of which an element is shown: a column that stays needs one. */
function colorBehind(element: Element): string {
  const above = (one: Element): Element | undefined =>
    one.parentElement ?? (one.getRootNode() as Partial<ShadowRoot>).host;
  for (let one: Element | undefined = element; one !== undefined; one = above(one)) {
    const { backgroundColor } = getComputedStyle(one);
    if (!/^rgba|\/|transparent/.test(backgroundColor)) {
      return backgroundColor;
    }
  }
  return 'Canvas';
}
