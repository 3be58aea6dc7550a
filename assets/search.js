// The field that searches all pages of the reference, and addresses from when it was one page.
const place = document.querySelector('.search');
place.innerHTML = `<label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search (press /)" autocomplete="off" spellcheck="false">
<p class="hidden" role="status"></p>
<ul class="items popup bare found" hidden></ul>`;
const input = place.querySelector('input');
const status = place.querySelector('[role=status]');
const found = place.querySelector('ul');

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
const search = once(async () => {
  const [{ prepare }, pages] = await Promise.all([import(place.dataset.find), index()]);
  return prepare(pages);
});

const addressOf = (slug, anchor) => `/docs/${slug}${anchor === '' ? '' : `#${anchor}`}`;

function itemOf({ slug, anchor, name, title, under }) {
  const link = document.createElement('a');
  link.href = addressOf(slug, anchor);
  const where = document.createElement('small');
  where.textContent = [title === name ? undefined : title, under].filter(Boolean).join(' · ');
  link.append(name, where);
  return link;
}

function note(text) {
  const paragraph = document.createElement('p');
  paragraph.className = 'hint';
  paragraph.textContent = text;
  return paragraph;
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
  let items;
  try {
    items = (await search())(question).map(itemOf);
  } catch {
    items = undefined;
  }
  if (asked !== question) {
    return;
  }
  const shown = items === undefined ? [note('The search could not be loaded.')] : items;
  status.textContent =
    items === undefined
      ? shown[0].textContent
      : `${items.length} ${items.length === 1 ? 'result' : 'results'}`;
  found.replaceChildren(
    ...(shown.length === 0 ? [note('Nothing found')] : shown).map((content) => {
      const item = document.createElement('li');
      item.append(content);
      return item;
    }),
  );
}

function close() {
  asked = '';
  found.hidden = true;
}

input.addEventListener('input', show);
input.addEventListener('focus', () => {
  show();
  search().catch(() => {});
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

/** Leads from an anchor of the one page that the reference was to where it is now. */
async function followOldAnchor() {
  const anchor = decodeURIComponent(location.hash.slice(1));
  if (location.pathname !== '/docs' || anchor === '') {
    return;
  }
  const section = document.querySelector(`li[id="${CSS.escape(anchor)}"] a`);
  if (section !== null) {
    location.replace(section.href);
  } else if (document.getElementById(anchor) === null) {
    const page = (await index()).find(([, , entries]) => entries.some(([one]) => one === anchor));
    if (page !== undefined) {
      location.replace(addressOf(page[0], anchor));
    }
  }
}
followOldAnchor();
addEventListener('hashchange', followOldAnchor);
