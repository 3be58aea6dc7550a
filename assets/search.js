// The field that searches all pages of the reference, and addresses from when it was one page.
const place = document.querySelector('.search');
place.innerHTML = `<label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search (press /)" autocomplete="off" spellcheck="false">
<p class="hidden" role="status"></p>
<div class="popup found" hidden><p class="hint" aria-hidden="true"></p><ul class="items bare"></ul></div>`;
const input = place.querySelector('input');
const status = place.querySelector('[role=status]');
const found = place.querySelector('.found');
/** The most results that are listed. */
const SHOWN = 40;

/** The index and what searches it, both loaded once. */
const once = (load) => {
  let loaded;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
};
const index = once(async () => (await fetch(place.dataset.index)).json());
const finder = once(async () => {
  const [{ prepare, partsOf }, pages] = await Promise.all([import(place.dataset.find), index()]);
  return { search: prepare(pages), partsOf };
});

const addressOf = (slug, anchor) => `/docs/${slug}${anchor === '' ? '' : `#${anchor}`}`;

/** The group of a page in the navigation. */
const groupOf = (slug) =>
  document.querySelector(`.side a[href="${addressOf(slug, '')}"]`)?.closest('ul').previousElementSibling
    .textContent;

/** A line of a result; every second part is marked. */
function lineOf(tag, parts) {
  const line = document.createElement(tag);
  line.append(
    ...parts.map((part, at) => {
      const mark = document.createElement('mark');
      mark.textContent = part;
      return at % 2 === 0 ? part : mark;
    }),
  );
  return line;
}

function itemOf({ slug, anchor, title, isPage, under }, { name, extract }) {
  const where = [groupOf(slug), isPage ? undefined : title, under].filter(Boolean).join(' › ');
  const link = document.createElement('a');
  link.href = addressOf(slug, anchor);
  link.append(lineOf('strong', name), lineOf('small', [where]), lineOf('span', extract));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function countText(count) {
  const results = `${count || 'No'} ${count === 1 ? 'result' : 'results'}`;
  return count > SHOWN ? `The best ${SHOWN} of ${results}` : results;
}

/** The question whose results are shown or awaited. */
let asked = '';

async function show() {
  const question = input.value.trim();
  asked = question;
  found.hidden = question === '';
  if (question === '') {
    status.textContent = '';
    return;
  }
  let items = [];
  let text;
  try {
    const { search, partsOf } = await finder();
    const results = search(question);
    items = results.slice(0, SHOWN).map((result) => itemOf(result, partsOf(result)));
    text = countText(results.length);
  } catch {
    text = 'The search could not be loaded.';
  }
  if (asked !== question) {
    return;
  }
  for (const line of [status, found.querySelector('p')]) {
    line.textContent = text;
  }
  found.querySelector('ul').replaceChildren(...items);
  found.scrollTop = 0;
}

function close() {
  asked = '';
  found.hidden = true;
}

input.addEventListener('input', show);
input.addEventListener('focus', () => {
  show();
  finder().catch(() => {});
});
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
