// Shows the numbers of a chart under the pointer, or at the place to which the keys lead. Without a script, browsers show the
// title of a mark, and a table has all numbers.
const DAY = 86_400_000;
/** The marks of charts that have numbers: bars, and points, which are links. */
const MARKS = '.plot g[data-label], .scatter a';
const tip = Object.assign(document.createElement('p'), { className: 'tip popup', role: 'status' });

/** Shows lines of text in a frame, the middle of which is so many pixels from its left end. */
function showTip(frame, [label, ...lines], middle) {
  tip.replaceChildren(
    ...[label, ...lines].map((textContent, index) =>
      Object.assign(document.createElement(index === 0 ? 'strong' : 'span'), { textContent }),
    ),
  );
  frame.append(tip);
  tip.style.top = '';
  tip.style.left = `${Math.max(0, Math.min(frame.offsetWidth - tip.offsetWidth, middle - tip.offsetWidth / 2))}px`;
}

/** The lines of a mark. Its title is taken away: browsers would show it, too. */
function linesOf(mark) {
  const title = mark.querySelector('title');
  if (title !== null) {
    mark.dataset.lines = title.textContent;
    mark.localName === 'a' && mark.setAttribute('aria-label', title.textContent);
    title.remove();
  }
  const { label, lines } = mark.dataset;
  return label === undefined ? lines.split('\n') : [label, ...lines.slice(label.length + 2).split(', ')];
}

/** Shows what a mark is: in a plot above it all, otherwise above the mark, or below it where there is no room. */
function showMark(mark) {
  const frame = mark.closest('.plot, .field-of-points');
  const [around, at] = [frame, mark].map((one) => one.getBoundingClientRect());
  // A link is read by its name.
  tip.ariaHidden = String(mark.localName === 'a');
  showTip(frame, linesOf(mark), at.left + at.width / 2 - around.left);
  if (mark.localName === 'a') {
    const above = at.top - around.top - tip.offsetHeight - 4;
    tip.style.top = `${above < 0 ? at.bottom - around.top + 4 : above}px`;
  }
}

for (const type of ['pointerover', 'focusin']) {
  document.addEventListener(type, ({ target }) => {
    const mark = target.closest?.(MARKS);
    if (mark) {
      showMark(mark);
    } else if (target.closest?.('svg[data-values]') === null) {
      tip.remove();
    }
  });
}
document.addEventListener('keydown', ({ key }) => key === 'Escape' && tip.remove());

for (const svg of document.querySelectorAll('svg[data-values]')) {
  const values = JSON.parse(svg.dataset.values);
  const { width: units, height } = svg.viewBox.baseVal;
  const marker = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  marker.setAttribute('class', 'marker');
  svg.append(marker);
  let at = values.length - 1;
  const go = (index) => {
    at = Math.max(0, Math.min(values.length - 1, index));
    const share = (at + 0.5) / values.length;
    marker.setAttribute('d', `M${share * units} 0V${height}`);
    const step = Number(svg.dataset.step ?? DAY);
    const iso = new Date(Date.parse(svg.dataset.start) + at * step).toISOString();
    const day = step < DAY ? `${iso.slice(0, 16).replace('T', ' ')} UTC` : iso.slice(0, 10);
    const plot = svg.closest('.plot');
    const { left, width } = svg.getBoundingClientRect();
    tip.ariaHidden = 'false';
    showTip(plot, [values[at], day], left - plot.getBoundingClientRect().left + share * width);
  };
  const leave = () => {
    marker.removeAttribute('d');
    tip.remove();
    at = values.length - 1;
  };
  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7, Home: -1e9, End: 1e9 };
  svg.setAttribute('tabindex', '0');
  svg.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = svg.getBoundingClientRect();
    go(Math.floor(((clientX - left) / width) * values.length));
  });
  svg.addEventListener('pointerleave', leave);
  svg.addEventListener('focus', () => go(at));
  svg.addEventListener('blur', leave);
  svg.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      go(at + step);
    }
  });
}
