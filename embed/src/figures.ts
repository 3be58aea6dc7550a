import { leavesOf, rootOf } from './data.ts';
import { create, RevgateElement, toNode } from './element.ts';
import { hasValue, isNumeric, labelOf, show, valueAt } from './format.ts';

/** `<revgate-figures>`: single numbers of a document, such as statistics of a list. */
export class RevgateFigures extends RevgateElement {
  readonly texts = {
    empty: 'There are no figures to show.',
    failed: 'These figures cannot be shown at the moment.',
  };

  draw(data: unknown): boolean {
    const { body } = this;
    const root = rootOf(data);
    const asked = this.list('figures');
    this.paths = leavesOf(root).filter((path) => isNumeric(path) && typeof valueAt(root, path) === 'number');
    const isKnown = (path: string): boolean => data === undefined || hasValue(root, path);
    this.tellUnknown('figures', asked, isKnown);
    const labels = new Map(
      this.list('labels').map((label, index) => [asked[index] ?? this.paths[index], label]),
    );
    const paths = asked.length > 0 ? asked.filter(isKnown) : this.paths;
    // Up to four of them are as high on phones as they are in one line.
    // As many empty places as there will be figures.
    const places = data === undefined && asked.length === 0 ? ['', '', '', ''] : paths;
    body.className = places.length > 4 ? 'figures' : 'figures few';
    const figures = places.map((path) =>
      create(
        'div',
        { part: 'figure' },
        create(
          'dt',
          { part: 'label' },
          create('bdi', {}, data === undefined ? '' : (labels.get(path) ?? labelOf(path))),
        ),
        create(
          'dd',
          { part: 'value' },
          data === undefined ? '' : toNode(show(path, valueAt(root, path)), isNumeric(path)),
        ),
      ),
    );
    body.replaceChildren(
      data === undefined ? create('dl', { 'aria-hidden': 'true' }, ...figures) : create('dl', {}, ...figures),
    );
    return data === undefined || figures.length > 0;
  }
}
