// Shows in place what otherwise loads a page: the results of filters and of links of the same page, stars, and the answers
// of an upload. Without a script, each of them is a page.
/** After a choice, the time in which others may follow: they are one request. */
const PAUSE_MS = 300;
const COLUMNS = 'columns';
const main = document.getElementById('main');
const filters = () => document.querySelector('form[data-apply]');
const pathOf = ({ pathname, search }) => pathname + search;
/** The id of what filters change: a part of the page, or all of it. */
const partOf = (form) => form?.dataset.apply || main.id;

let running;
let timer;
let shownPath = pathOf(location);
/** Settles when what was requested last is shown. */
let settled = Promise.resolve();
/** Whether columns were chosen here: those of another tab stay otherwise. */
let hasChosenColumns = false;

const status = document.createElement('p');
document.body.append(status);

/** Says something to readers of the screen, or shows everybody what failed. */
function say(text, isWrong = false) {
  status.className = isWrong ? 'toast notice wrong' : 'hidden';
  status.role = isWrong ? 'alert' : 'status';
  status.textContent = text;
}
say('');

const sayUnreachable = () =>
  say('The server could not be reached. Check the connection, then try again.', true);

/**
 * Sends a request, and follows its redirects. If no page of this server answers, it says so.
 *
 * @returns undefined if there is nothing to show.
 */
async function send(address, options = {}) {
  try {
    const response = await fetch(address, { headers: { 'X-Requested-With': 'fetch' }, ...options });
    const page = readPage(response, await response.text());
    return page && { response, page };
  } catch {
    options.signal?.aborted || sayUnreachable();
    return undefined;
  }
}

/** The page that a response has; undefined if it is none of this server, or asks to sign in. */
function readPage({ status, url }, text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  if (page.getElementById('main') === null && status !== 204) {
    say(
      status === 413
        ? 'A proxy before this server refuses files of this size (413): raise its limit for uploads, or send a smaller file.'
        : `A proxy answered instead of this server (${status}). Try again.`,
      true,
    );
    return undefined;
  }
  if (/^\/dashboard\/(sign-in|second-factor)$/.test(new URL(url).pathname)) {
    location.assign(url);
    return undefined;
  }
  return page;
}

/** What a page says that is not what was asked for. */
const messageOf = (page) =>
  (page.querySelector('.notice.wrong') ?? page.getElementById('main')).innerText.trim();

/** The open menu that has counts, if there is one. */
const openMenu = () => document.querySelector('[data-open]:popover-open')?.dataset.open;

function addressOfForm() {
  const form = filters();
  const query = new URLSearchParams(
    [...new FormData(form)].filter(([name, value]) => (name === COLUMNS ? hasChosenColumns : value !== '')),
  );
  hasChosenColumns = false;
  return `${new URL(form.action).pathname}?${query}`;
}

function applySoon(pause = PAUSE_MS) {
  // The answer to an earlier choice would undo this one.
  running?.abort();
  clearTimeout(timer);
  timer = setTimeout(() => show(addressOfForm()), pause);
}

/** Shows the page of an address. A later call takes the place of this one. */
function show(address, isBack = false) {
  clearTimeout(timer);
  timer = undefined;
  running?.abort();
  const mine = new AbortController();
  running = mine;
  main.ariaBusy = 'true';
  settled = load(address, isBack, mine.signal).finally(() => {
    if (running === mine) {
      main.ariaBusy = null;
    }
  });
  return settled;
}

async function load(address, isBack, signal) {
  const { activeElement: active } = document;
  const { value } = active;
  const asked = new URL(address, location.href);
  asked.searchParams.delete('open');
  const menu = openMenu();
  if (menu !== undefined) {
    asked.searchParams.set('open', menu);
  }
  const answer = await send(asked, { signal });
  if (answer === undefined || signal.aborted) {
    return;
  }
  const { response, page } = answer;
  const path = response.headers.get('content-location') ?? pathOf(new URL(response.url));
  if (!response.ok && filters() !== null && page.querySelector('form[data-apply]') === null) {
    say(messageOf(page), true);
    return;
  }
  if (!isBack && path !== shownPath) {
    history.pushState(null, '', path);
  }
  shownPath = path;
  document.title = page.title;
  const { activeElement } = document;
  // What is being typed stays.
  swap(page, activeElement !== active || activeElement.value !== value);
  const result = document.querySelector('[data-retry-in], .shown, #results h2, #results strong');
  say((result?.closest('.notice')?.querySelector('strong') ?? result)?.textContent ?? '');
}

/** Makes the page what the next one is: what is the same, open, scrolled or in focus stays so. */
function swap(page, ignoreActiveValue) {
  const chips = () => [...document.querySelectorAll('.chips a')];
  const chip = chips().indexOf(document.activeElement);
  const hadFocus = main.contains(document.activeElement);
  for (const list of document.querySelectorAll(':popover-open .list[id]')) {
    keepOrder(list, page.getElementById(list.id));
  }
  if (page.querySelector('[data-retry-in]') !== null) {
    // No choice was counted.
    for (const list of document.querySelectorAll('.list[id]')) {
      page.getElementById(list.id)?.replaceChildren(...list.cloneNode(true).childNodes);
    }
  }
  const part = partOf(filters());
  Idiomorph.morph(document.getElementById(part), page.getElementById(part), {
    ignoreActiveValue,
    callbacks: {
      beforeNodeMorphed: (node) => !node.dataset || node.dataset.narrows === undefined,
      beforeAttributeUpdated: (name, { localName }) =>
        name !== 'popover' && !(name === 'open' && localName === 'details'),
    },
  });
  if (hadFocus && document.activeElement === document.body) {
    // Where a chip was removed, the next one gets the focus.
    (chips()[chip] ?? document.getElementById('results'))?.focus({ preventScroll: true });
  }
  document.querySelectorAll('[data-narrows]').forEach(narrow);
  scrollWithPage();
}

/** Puts the choices of a list into the order of an open one, where none may move from under the pointer. */
function keepOrder(open, list) {
  const ids = [...open.querySelectorAll('input')].map(({ id }) => id);
  const placeOf = (choice) => ids.indexOf(choice.querySelector('input').id) + 1 || Infinity;
  list?.append(...[...list.children].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)));
}

/** Shows those choices of a list that contain what is typed above it. */
function narrow({ value, parentElement }) {
  const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  for (const choice of parentElement.querySelectorAll('.choice')) {
    choice.hidden = !plain(choice.querySelector('.label').textContent).includes(plain(value.trim()));
  }
}

/** A table that has room for its columns scrolls with the page, below its headings; another one in a box. */
function scrollWithPage() {
  const box = document.querySelector('#results .results');
  const hasRoom = box !== null && box.firstElementChild.offsetWidth <= box.clientWidth;
  document.getElementById('results')?.classList.toggle('has-room', hasRoom);
}
addEventListener('resize', scrollWithPage);
scrollWithPage();

/** Saves a startup, or removes it from the saved ones. */
async function toggleStar(form, button) {
  const keeps = button.value === 'yes';
  const body = new URLSearchParams(new FormData(form, button));
  const answer = await send(form.action, { method: 'POST', body });
  if (answer?.response.status === 204) {
    button.value = keeps ? 'no' : 'yes';
    button.ariaPressed = String(keeps);
    say(keeps ? 'Startup saved.' : 'Removed from your saved startups.');
  } else if (answer !== undefined) {
    say(messageOf(answer.page), true);
  }
}

document.addEventListener('change', ({ target }) => {
  if (target.form?.matches('[data-apply]') && target.name !== '') {
    hasChosenColumns ||= target.name === COLUMNS;
    applySoon();
  }
});

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (form.matches('[data-apply]')) {
    event.preventDefault();
    // The button that ends a panel is there on a phone alone. Enter in a field means it everywhere.
    if (submitter?.checkVisibility()) {
      submitter.closest(':popover-open')?.hidePopover();
    }
    applySoon(0);
  } else if (form.matches('[data-star]')) {
    event.preventDefault();
    toggleStar(form, submitter);
  }
});

document.addEventListener('click', async (event) => {
  const link = event.target.closest('#main a');
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (
    filters() === null ||
    !isPlain ||
    link?.pathname !== location.pathname ||
    !['', `#${partOf(filters())}`].includes(link.hash) ||
    link.download
  ) {
    return;
  }
  event.preventDefault();
  // A value that the click has ended comes first: then the link keeps it.
  if (timer !== undefined) {
    show(addressOfForm());
  }
  await settled;
  show((document.getElementById(link.id) ?? link).href);
});

document.addEventListener(
  'toggle',
  ({ target, newState }) => {
    if (
      newState === 'open' &&
      target.dataset.open !== undefined &&
      target.querySelector('.count > *') === null
    ) {
      applySoon(0);
    }
  },
  true,
);

document.addEventListener('input', ({ target }) => {
  if (target.matches('[data-narrows]')) {
    narrow(target);
    say(`${target.parentElement.querySelectorAll('.choice:not([hidden])').length} found`);
  }
});

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (key === 'Enter' && target.matches('[data-narrows]')) {
    event.preventDefault();
    target.parentElement.querySelector('.choice:not([hidden]) input')?.click();
  }
});

addEventListener('popstate', () => {
  if (filters() !== null && pathOf(location) !== shownPath) {
    show(location.href, true);
  }
});

// A menu that an address shows below its button opens above the page, as others do.
for (const menu of document.querySelectorAll('[data-open]:not([popover])')) {
  menu.popover = 'auto';
  menu.showPopover();
}

// Shows the page again when the rate limit allows it.
setInterval(() => {
  const place = document.querySelector('[data-retry-in]');
  const left = Number(place?.textContent) - 1;
  if (left > 0) {
    place.textContent = String(left);
  } else if (place !== null && main.ariaBusy !== 'true') {
    filters() === null ? location.reload() : show(location.href, true);
  }
}, 1_000);
