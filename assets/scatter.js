// The chart of prices by revenue: a part that is dragged over becomes filters, and arrow keys lead from point to point.
// Without a script, its points are links, and the fields of the filters have the same bounds.
const DRAG_PX = 6;
const chartOf = (target) => target.closest('.scatter svg');

/** Sets a pair of bounds, in dollars, rounded outwards to two digits that count. */
function setBounds(name, from, to) {
  for (const [side, value, way] of [
    ['min', from, 'floor'],
    ['max', to, 'ceil'],
  ]) {
    const step = 10 ** (Math.floor(Math.log10(value)) - 1);
    const field = document.getElementById(`${side}${name}`);
    field.value = String(Number((Math[way](value / step) * step).toPrecision(6)));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

let drag;

function endDrag() {
  drag?.box.remove();
  drag = undefined;
}

document.addEventListener('pointerdown', (event) => {
  const svg = chartOf(event.target);
  // A finger that moves scrolls the page.
  if (svg === null || event.button !== 0 || event.pointerType === 'touch') {
    return;
  }
  const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  box.setAttribute('class', 'dragged');
  svg.append(box);
  const { left, top, width, height } = svg.getBoundingClientRect();
  /** The place of an event as shares of the chart. */
  const at = ({ clientX, clientY }) =>
    [(clientX - left) / width, (clientY - top) / height].map((share) => Math.max(0, Math.min(1, share)));
  drag = { svg, box, at, size: [width, height], start: at(event), end: at(event) };
});

document.addEventListener('pointermove', (event) => {
  if (drag === undefined) {
    return;
  }
  event.preventDefault();
  const { box, at, start } = drag;
  const end = at(event);
  drag.end = end;
  for (const [index, [place, size]] of [
    ['x', 'width'],
    ['y', 'height'],
  ].entries()) {
    box.setAttribute(place, `${Math.min(start[index], end[index]) * 100}%`);
    box.setAttribute(size, `${Math.abs(start[index] - end[index]) * 100}%`);
  }
});

document.addEventListener('pointerup', () => {
  if (drag?.size.every((size, index) => Math.abs(drag.start[index] - drag.end[index]) * size > DRAG_PX)) {
    const { svg, start, end } = drag;
    const [from, to] = [svg.dataset.from, svg.dataset.to].map((text) => text.split(' ').map(Number));
    // The scales are of cents.
    const dollars = (axis, share) => 10 ** (from[axis] + (to[axis] - from[axis]) * share) / 100;
    const [across, up] = [0, 1].map((axis) => [start[axis], end[axis]].sort((a, b) => a - b));
    setBounds('Revenue', ...across.map((share) => dollars(0, share)));
    setBounds('Price', ...up.reverse().map((share) => dollars(1, 1 - share)));
    // The click that may follow is no click on a point.
    const ignore = (event) => event.preventDefault();
    addEventListener('click', ignore, true);
    setTimeout(() => removeEventListener('click', ignore, true));
  }
  endDrag();
});
document.addEventListener('pointercancel', endDrag);
// Links can be dragged, too.
document.addEventListener('dragstart', (event) => chartOf(event.target) && event.preventDefault());

document.addEventListener('focusin', ({ target }) => {
  // One stop of the Tab key for all points.
  for (const other of target.closest('.scatter a')?.parentElement.querySelectorAll('a') ?? []) {
    other.setAttribute('tabindex', other === target ? '0' : '-1');
  }
});
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  const way = { ArrowLeft: 'previous', ArrowRight: 'next' }[key];
  if (key === 'Escape') {
    endDrag();
  } else if (way !== undefined && target.matches('.scatter a')) {
    event.preventDefault();
    const other = target[`${way}ElementSibling`];
    other?.matches('a') && other.focus();
  }
});
