// The chart of prices by revenue: arrow keys lead from point to point. Without a script, its points are links.
document.addEventListener('focusin', ({ target }) => {
  // One stop of the Tab key for all points.
  for (const other of target.closest('.scatter a')?.parentElement.querySelectorAll('a') ?? []) {
    other.setAttribute('tabindex', other === target ? '0' : '-1');
  }
});
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  const way = { ArrowLeft: 'previous', ArrowRight: 'next' }[key];
  if (way !== undefined && target.matches('.scatter a')) {
    event.preventDefault();
    const other = target[`${way}ElementSibling`];
    other?.matches('a') && other.focus();
  }
});
