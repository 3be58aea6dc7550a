// Finds headings, parameters, fields, values, codes and headers by their names, then by their descriptions.
const SHOWN = 40;
const place = document.querySelector('.search');
place.innerHTML = `<label class="hidden" for="search">Search this page</label>
<input id="search" type="search" placeholder="Search (press /)" autocomplete="off" spellcheck="false">
<p class="hidden" role="status"></p>
<ul class="found" hidden></ul>`;
const input = place.querySelector('input');
const status = place.querySelector('[role=status]');
const found = place.querySelector('ul');

const textOf = (element) => element?.textContent.replace(/\s+#?\s*$/, '').trim() ?? '';
let entries;

/** Everything that has an anchor; read at the first search. */
function index() {
  if (entries === undefined) {
    // What stands under a heading is told by it.
    let heading = '';
    entries = [...document.querySelectorAll('main [id]')].map((element) => {
      const isHeading = /^H\d$/.test(element.tagName);
      const name = textOf(isHeading ? element : (element.querySelector('dt > code') ?? element));
      heading = isHeading ? name : heading;
      const text = isHeading ? '' : textOf(element);
      const all = `${element.id} ${name} ${text}`.toLowerCase();
      return { id: element.id, name, isHeading, heading, all };
    });
  }
  return entries;
}

/** How well an entry fits; the least is the best. */
function rank({ name, isHeading }, wanted) {
  const lower = name.toLowerCase();
  const fit = lower === wanted ? 0 : lower.startsWith(wanted) ? 2 : lower.includes(wanted) ? 4 : 6;
  return fit + (isHeading ? 0 : 1);
}

function show() {
  const wanted = input.value.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const fitting =
    wanted === ''
      ? []
      : index()
          .filter(({ all }) => words.every((word) => all.includes(word)))
          .sort((a, b) => rank(a, wanted) - rank(b, wanted));
  found.replaceChildren(
    ...fitting.slice(0, SHOWN).map(({ id, name, heading }) => {
      const link = document.createElement('a');
      link.href = `#${id}`;
      const where = document.createElement('small');
      where.textContent = heading === name ? '' : heading;
      link.append(name, where);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  status.textContent = wanted === '' ? '' : `${fitting.length} results`;
  if (wanted !== '' && fitting.length === 0) {
    const item = document.createElement('li');
    item.innerHTML = '<p>Nothing found</p>';
    found.append(item);
  }
  found.hidden = wanted === '';
}

function close() {
  found.hidden = true;
}

input.addEventListener('input', show);
input.addEventListener('focus', show);
found.addEventListener('click', () => {
  input.value = '';
  close();
});
document.addEventListener('click', ({ target }) => {
  if (!place.contains(target)) {
    close();
  }
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]') != null;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
    input.select();
  }
});
place.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
  } else if (event.key === 'Enter' && document.activeElement === input && links.length > 0) {
    event.preventDefault();
    links[0].click();
    input.blur();
  } else if (event.key === 'Escape') {
    input.value = '';
    close();
    input.focus();
  }
});
