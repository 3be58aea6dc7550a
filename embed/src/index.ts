import { RevgateChart } from './chart.ts';
import { RevgateFigures } from './figures.ts';
import { RevgateList } from './list.ts';

for (const [name, element] of Object.entries({
  'revgate-list': RevgateList,
  'revgate-figures': RevgateFigures,
  'revgate-chart': RevgateChart,
})) {
  // Of two versions on a page, the first draws all elements. A server that imports this file for its pages has none.
  if (typeof customElements !== 'undefined' && customElements.get(name) === undefined) {
    customElements.define(name, element);
  }
}
