// Shows what the search finds while it is typed, marks in the navigation what is read, and keeps the language of the samples.
const PAUSE_MS = 150;
const search = document.querySelector('.bar .search');
const input = search.querySelector('input');
let popup;
let timer;

const close = () => popup?.remove();

async function find() {
  const question = input.value.trim();
  if (question === '') {
    close();
    return;
  }
  const address = `${search.getAttribute('action')}?${new URLSearchParams({ q: question })}`;
  const template = document.createElement('template');
  try {
    const response = await fetch(address, { headers: { 'X-Requested-With': 'fetch' } });
    template.innerHTML = response.ok ? await response.text() : '';
  } catch {
    // Enter loads the page of results, which says more.
  }
  const found = template.content.querySelector('.found');
  // An answer to what was typed before comes too late.
  if (found !== null && input.value.trim() === question) {
    close();
    popup = found;
    popup.classList.add('popup');
    search.append(popup);
  }
}

input.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(find, PAUSE_MS);
});
document.addEventListener('click', ({ target }) => {
  if (!search.contains(target) || target.closest('.found a') !== null) {
    close();
  }
});
search.addEventListener('keydown', (event) => {
  const links = popup?.isConnected ? [...popup.querySelectorAll('a')] : [];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
  } else if (event.key === 'Escape') {
    close();
    input.focus();
  }
});

const side = document.querySelector('nav.side');
const current = side?.querySelector('[aria-current="page"]');
if (current != null) {
  side.scrollTop = current.offsetTop - side.offsetTop - side.clientHeight / 3;
}
const observer = new IntersectionObserver(
  (entries) => {
    const { target } = entries.find(({ isIntersecting }) => isIntersecting) ?? {};
    const link = target && side?.querySelector(`a[href="#${CSS.escape(target.id)}"]`);
    if (link) {
      side.querySelector('[aria-current="true"]')?.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
    }
  },
  { rootMargin: '0px 0px -70%' },
);
document.querySelectorAll('main h2[id]').forEach((heading) => {
  observer.observe(heading);
});

// The language that is chosen for one sample is chosen for all, and remembered.
const REMEMBERED = 'revgate.docs.language';
const radios = [...document.querySelectorAll('.samples input')];
const choose = (language) => {
  for (const radio of radios.filter(({ value }) => value === language)) {
    radio.checked = true;
  }
};
for (const radio of radios) {
  radio.addEventListener('change', () => {
    // Samples above change their height: what is looked at stays where it is.
    const before = radio.getBoundingClientRect().top;
    choose(radio.value);
    window.scrollBy({ top: radio.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(REMEMBERED, radio.value);
    } catch {
      // A browser that stores nothing: the choice lasts as long as the page.
    }
  });
}
try {
  choose(localStorage.getItem(REMEMBERED));
} catch {
  // As above.
}
