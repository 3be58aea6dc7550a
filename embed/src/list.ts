import { findRows, leavesOf } from './data.ts';
import { create, RevgateElement, toNode } from './element.ts';
import { hasValue, isNumeric, labelOf, link, type Shown, show, valueAt } from './format.ts';

/** `<revgate-list>`: the records of a document as a table. */
export class RevgateList extends RevgateElement {
  readonly texts = {
    empty: 'There are no startups to show.',
    failed: 'This list cannot be shown at the moment.',
  };

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
      create('th', { ...classOf(path), scope: 'col', part: 'heading' }, labels.get(path) ?? labelOf(path)),
    );
    const lines = rows.map((row) => {
      const cells = columns.map((path, index) => {
        const value = valueAt(row, path);
        const shown: Shown =
          path === 'name' && isLinked ? link(row.website, String(value)) : show(path, value);
        const heading = index === 0 ? ({ scope: 'row' } as const) : {};
        return create(index === 0 ? 'th' : 'td', { ...classOf(path), ...heading }, toNode(shown));
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
    return true;
  }
}
