// Shows the numbers of a chart under the pointer, or at the place to which the arrow keys lead. Without a script, browsers
// show the title of a bar, and a table has all numbers.
const DAY = 86_400_000;

for (const plot of document.querySelectorAll('.plot')) {
  const tip = document.createElement('p');
  tip.className = 'tip popup';
  tip.setAttribute('role', 'status');
  tip.hidden = true;
  plot.append(tip);

  /** Shows lines of text above a place. */
  const show = (label, lines, left) => {
    const heading = document.createElement('strong');
    heading.textContent = label;
    const texts = lines.map((text) => Object.assign(document.createElement('span'), { textContent: text }));
    tip.replaceChildren(heading, ...texts);
    tip.hidden = false;
    const { width } = plot.getBoundingClientRect();
    tip.style.left = `${Math.max(0, Math.min(width - tip.offsetWidth, left - tip.offsetWidth / 2))}px`;
  };
  const leftOf = (element) => {
    const { left, width } = element.getBoundingClientRect();
    return left + width / 2 - plot.getBoundingClientRect().left;
  };
  for (const bar of plot.querySelectorAll('g[data-label]')) {
    const title = bar.querySelector('title');
    const { label } = bar.dataset;
    const numbers = title.textContent.slice(label.length + 2).split(', ');
    title.remove();
    bar.addEventListener('pointerenter', () => show(label, numbers, leftOf(bar)));
    bar.addEventListener('pointerleave', () => {
      tip.hidden = true;
    });
  }

  const svg = plot.querySelector('svg[data-values]');
  if (svg !== null) {
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
      const { left, width } = svg.getBoundingClientRect();
      show(values[at], [day], left - plot.getBoundingClientRect().left + share * width);
    };
    const leave = () => {
      marker.removeAttribute('d');
      tip.hidden = true;
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
}
