// Shows the numbers of the bar under the pointer. Without a script, browsers show the title of the bar.
for (const plot of document.querySelectorAll('.plot')) {
  const tip = document.createElement('p');
  tip.className = 'tip popup';
  tip.hidden = true;
  plot.append(tip);
  for (const bar of plot.querySelectorAll('g[data-label]')) {
    const title = bar.querySelector('title');
    const { label } = bar.dataset;
    const heading = document.createElement('strong');
    heading.textContent = label;
    const numbers = title.textContent.slice(label.length + 2).split(', ');
    title.remove();
    bar.addEventListener('pointerenter', () => {
      const lines = numbers.map((number) => {
        const line = document.createElement('span');
        line.textContent = number;
        return line;
      });
      tip.replaceChildren(heading, ...lines);
      tip.hidden = false;
      const frame = plot.getBoundingClientRect();
      const { left, width } = bar.getBoundingClientRect();
      const middle = left + width / 2 - frame.left - tip.offsetWidth / 2;
      tip.style.left = `${Math.max(0, Math.min(frame.width - tip.offsetWidth, middle))}px`;
    });
    bar.addEventListener('pointerleave', () => {
      tip.hidden = true;
    });
  }
}
