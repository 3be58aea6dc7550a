// The chart of prices by revenue: a part that is dragged over becomes filters, and arrow keys lead from point to point.
// Without a script, its points are links, and the fields of the filters have the same bounds.
const DRAG_PX = 6;
const chartOf = (target) => target.closest('.scatter svg');

/** A number as people write it, with two digits that count. */
function round(value, way) {
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math[way](value / step) * step;
}

/** Sets a pair of bounds, in dollars. */
function setBounds(name, from, to) {
  for (const [side, value] of [
    ['min', round(from, 'floor')],
    ['max', round(to, 'ceil')],
  ]) {
    const field = document.getElementById(`${side}${name}`);
    field.value = String(Number(value.toPrecision(6)));
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
  const at = ({ clientX, clientY }) => [
    Math.max(0, Math.min(width, clientX - left)),
    Math.max(0, Math.min(height, clientY - top)),
  ];
  drag = { svg, box, at, width, height, start: at(event), end: at(event) };
});

document.addEventListener('pointermove', (event) => {
  if (drag === undefined) {
    return;
  }
  event.preventDefault();
  drag.end = drag.at(event);
  for (const [index, [place, size]] of [
    ['x', 'width'],
    ['y', 'height'],
  ].entries()) {
    drag.box.setAttribute(place, Math.min(drag.start[index], drag.end[index]));
    drag.box.setAttribute(size, Math.abs(drag.start[index] - drag.end[index]));
  }
});

const isDragged = () => drag?.start.every((one, index) => Math.abs(one - drag.end[index]) > DRAG_PX);

document.addEventListener('pointerup', () => {
  if (isDragged()) {
    const { svg, start, end, width, height } = drag;
    const [fromX, fromY] = svg.dataset.from.split(' ').map(Number);
    const [toX, toY] = svg.dataset.to.split(' ').map(Number);
    // In cents.
    const dollars = (from, to, share) => 10 ** (from + (to - from) * share) / 100;
    const across = [start[0], end[0]].sort((a, b) => a - b).map((x) => dollars(fromX, toX, x / width));
    const up = [start[1], end[1]].sort((a, b) => b - a).map((y) => dollars(fromY, toY, 1 - y / height));
    setBounds('Revenue', ...across);
    setBounds('Price', ...up);
    // The click that may follow is no click on a point.
    const ignore = (event) => event.preventDefault();
    addEventListener('click', ignore, true);
    setTimeout(() => removeEventListener('click', ignore, true));
  }
  endDrag();
});
document.addEventListener('pointercancel', endDrag);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    endDrag();
    document.querySelector('.scatter .tip')?.remove();
  }
});
// Links can be dragged, too.
document.addEventListener('dragstart', (event) => {
  if (chartOf(event.target) !== null) {
    event.preventDefault();
  }
});

/** Shows beside a point what it is: above it, or below it where there is no room. */
function tell({ target }) {
  const point = target.closest?.('.scatter a') ?? null;
  document.querySelector('.scatter .tip')?.remove();
  if (point === null) {
    return point;
  }
  const title = point.querySelector('title');
  if (title !== null) {
    // Browsers would show it, too.
    point.setAttribute('aria-label', title.textContent);
    title.remove();
  }
  const tip = Object.assign(document.createElement('p'), { className: 'tip popup', ariaHidden: 'true' });
  const [name, ...figures] = point.getAttribute('aria-label').split('\n');
  tip.append(Object.assign(document.createElement('strong'), { textContent: name }));
  tip.append(...figures.map((textContent) => Object.assign(document.createElement('span'), { textContent })));
  const field = point.closest('.field-of-points');
  field.append(tip);
  const [around, at] = [field, point].map((one) => one.getBoundingClientRect());
  const left = at.left + at.width / 2 - around.left - tip.offsetWidth / 2;
  const above = at.top - around.top - tip.offsetHeight - 4;
  tip.style.left = `${Math.max(0, Math.min(around.width - tip.offsetWidth, left))}px`;
  tip.style.top = `${above < 0 ? at.bottom - around.top + 4 : above}px`;
  return point;
}
document.addEventListener('pointerover', (event) => {
  if (drag === undefined) {
    tell(event);
  }
});
document.addEventListener('focusin', (event) => {
  const point = tell(event);
  // One stop of the Tab key for all.
  for (const other of point?.parentElement.querySelectorAll('a') ?? []) {
    other.setAttribute('tabindex', other === point ? '0' : '-1');
  }
});
document.addEventListener('keydown', (event) => {
  const point = event.target.closest('.scatter a');
  const way = { ArrowLeft: 'previous', ArrowRight: 'next' }[event.key];
  if (point === null || way === undefined) {
    return;
  }
  event.preventDefault();
  const other = point[`${way}ElementSibling`];
  if (other?.matches('a')) {
    other.focus();
  }
});
