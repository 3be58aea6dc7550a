// Filters, sorts and turns pages in place: it requests the next page, and shows what that has. Without a script, links and a
// button lead there.
const form = document.querySelector('form[data-apply]');
const search = document.getElementById('search');

/** After a choice, the time in which others may follow: five arrow keys in a list are one request. */
const PAUSE_MS = 300;

const isText = ({ type }) => !['checkbox', 'hidden', 'select-one'].includes(type);
const stateOf = (control) => (control.type === 'checkbox' ? control.checked : control.value);
const controlsOf = (root) =>
  root === null ? [] : [...root.elements].filter(({ name, id }) => name !== '' && id !== '');
const COLUMNS = 'columns';
/** Whether columns were chosen here: those of another tab stay otherwise. */
let hasChosenColumns = false;

function setState(control, state) {
  if (stateOf(control) !== state) {
    control[control.type === 'checkbox' ? 'checked' : 'value'] = state;
  }
}

/** The values of text fields that count: what is being typed does not, until Enter or the end of the typing. */
const committed = new Map(controlsOf(form).map((control) => [control.id, stateOf(control)]));
let timer;
let running;
let shownPath = location.pathname + location.search;
/** Settles when what was requested last is shown. */
let settled = Promise.resolve();

function commit(control) {
  committed.set(control.id, stateOf(control));
}

function addressOfForm() {
  const query = new URLSearchParams();
  for (const control of form.elements) {
    const value = isText(control) && control.id !== '' ? committed.get(control.id) : control.value;
    const isSent = control.name === COLUMNS ? hasChosenColumns : control.name !== '' && value !== '';
    if (isSent && (control.type !== 'checkbox' || control.checked)) {
      query.append(control.name, value);
    }
  }
  hasChosenColumns = false;
  return `${form.getAttribute('action')}?${query}`;
}

/** The open menu that has counts, if there is one. */
const openMenu = () => form?.querySelector('details[data-open][open]');

function requestForm(pause) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    show(addressOfForm());
  }, pause);
}

/** Shows the page of an address. A later call takes the place of this one. */
function show(address, isBack = false) {
  clearTimeout(timer);
  timer = undefined;
  running?.abort();
  const mine = new AbortController();
  running = mine;
  settled = load(address, isBack, mine).finally(() => {
    if (running === mine) {
      running = undefined;
      document.getElementById('results').removeAttribute('aria-busy');
    }
  });
  return settled;
}

async function load(address, isBack, { signal }) {
  const before = new Map(controlsOf(form).map((control) => [control.id, stateOf(control)]));
  document.getElementById('results').setAttribute('aria-busy', 'true');
  let text;
  let next;
  let response;
  try {
    const asked = new URL(address, location.href);
    const menu = openMenu()?.dataset.open;
    menu === undefined ? asked.searchParams.delete('open') : asked.searchParams.set('open', menu);
    // With this header, the answer says where it belongs instead of leading there.
    response = await fetch(asked, { signal, headers: { 'X-Requested-With': 'fetch' } });
    text = await response.text();
    next = new DOMParser().parseFromString(text, 'text/html');
  } catch {
    // The browser says what is wrong with the connection.
    if (!signal.aborted) {
      location.assign(address);
    }
    return;
  }
  if (signal.aborted) {
    return;
  }
  const path = response.headers.get('content-location');
  if (path === null) {
    // Signed out, or an error: the whole page says it.
    location.assign(response.url);
    return;
  }
  if (!isBack && path !== shownPath) {
    history.pushState(null, '', path);
  }
  shownPath = path;
  const changed = new Map();
  for (const control of controlsOf(form)) {
    if (before.has(control.id) && stateOf(control) !== before.get(control.id)) {
      changed.set(control.id, stateOf(control));
    }
  }
  if (response.status === 429) {
    // Nothing was read: what is shown stays, below the notice.
    for (const name of ['results', 'list-']) {
      next.querySelectorAll(`[data-part^="${name}"]`).forEach((part) => {
        part.remove();
      });
    }
  }
  replaceParts(next);
  takeValues(new DOMParser().parseFromString(text, 'text/html'), changed);
  const says = ['[data-part="limit"] strong', '.shown', '#results h2', '#results strong'].map((name) =>
    document.querySelector(name),
  );
  document.getElementById('announcement').textContent = says.find((one) => one !== null)?.textContent ?? '';
  form.querySelectorAll('[data-narrows]').forEach(narrow);
  waitForLimit();
}

/** Shows those choices of a list that contain what is typed above it. */
function narrow(field) {
  const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const choices = [...field.parentElement.querySelectorAll('.choice')];
  const found = choices.filter((one) =>
    plain(one.querySelector('.label').textContent).includes(plain(field.value.trim())),
  );
  for (const choice of choices) {
    choice.hidden = !found.includes(choice);
  }
  return found.map((choice) => choice.querySelector('input'));
}

/** Puts the choices of a list into the order of an open one, where none may move from under the pointer. */
function keepOrder(open, list) {
  const ids = [...open.querySelectorAll('input')].map(({ id }) => id);
  const placeOf = (choice) => ids.indexOf(choice.querySelector('input').id) + 1 || Infinity;
  list.append(...[...list.children].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)));
}

const hasCounts = (part) => part.querySelector('.count > *') !== null;

function replaceParts(next) {
  const { id: focused } = document.activeElement;
  // Where a chip was removed, the next one gets the focus.
  const chips = () => [...document.querySelectorAll('.chips a')];
  const chip = chips().indexOf(document.activeElement);
  const scrolled = document.querySelector('.results')?.scrollLeft ?? 0;
  let hasLostFocus = false;
  for (const part of document.querySelectorAll('[data-part]')) {
    const other = next.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
    if (other !== null && part.matches('details[open] .list')) {
      keepOrder(part, other);
    }
    if (other !== null && part.innerHTML !== other.innerHTML) {
      hasLostFocus ||= part !== document.activeElement && part.contains(document.activeElement);
      part.replaceChildren(...other.childNodes);
    }
  }
  if (hasLostFocus) {
    const place =
      (focused !== '' && document.getElementById(focused)) ||
      chips()[chip] ||
      document.getElementById('results');
    place.focus({ preventScroll: true });
  }
  const table = document.querySelector('.results');
  if (table !== null) {
    table.scrollLeft = scrolled;
  }
  scrollWithPage();
}

/** A table that has room for its columns scrolls with the page, below its headings; another one in a box. */
function scrollWithPage() {
  const box = document.querySelector('.results');
  const hasRoom = box !== null && box.firstElementChild.offsetWidth <= box.clientWidth;
  document.getElementById('results')?.classList.toggle('has-room', hasRoom);
}
addEventListener('resize', scrollWithPage);
scrollWithPage();

/** Takes over values and errors of the fields, but for those that somebody has changed in the meantime. */
function takeValues(next, changed) {
  for (const control of controlsOf(form)) {
    const other = next.getElementById(control.id);
    if (other === null) {
      continue;
    }
    for (const name of ['aria-invalid', 'aria-describedby']) {
      const value = other.getAttribute(name);
      value === null ? control.removeAttribute(name) : control.setAttribute(name, value);
    }
    if (changed.has(control.id)) {
      // Its list may have been replaced.
      setState(control, changed.get(control.id));
      continue;
    }
    const isBeingTyped =
      isText(control) && control === document.activeElement && stateOf(control) !== committed.get(control.id);
    if (isBeingTyped) {
      continue;
    }
    if (control.type === 'select-one' && control.innerHTML !== other.innerHTML) {
      control.replaceChildren(...[...other.childNodes].map((node) => node.cloneNode(true)));
    }
    setState(control, stateOf(other));
    commit(control);
  }
}

if (form !== null) {
  document.addEventListener('change', ({ target }) => {
    if (target.form === form && target.name !== '') {
      hasChosenColumns ||= target.name === COLUMNS;
      commit(target);
      requestForm(isText(target) && target.type !== 'date' ? 0 : PAUSE_MS);
    }
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The button that ends a panel is there on a phone alone. Enter in a field means it everywhere.
    if (event.submitter?.checkVisibility?.()) {
      event.submitter.closest('details')?.removeAttribute('open');
    }
    controlsOf(form).filter(isText).forEach(commit);
    requestForm(0);
  });

  document.addEventListener('click', async (event) => {
    const link = event.target.closest('[data-part] a');
    if (
      link === null ||
      link.pathname !== location.pathname ||
      link.hash !== '' ||
      link.hasAttribute('download') ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    ) {
      return;
    }
    event.preventDefault();
    const { id } = link;
    // A value that the click has ended comes first: then the link keeps it.
    if (timer !== undefined) {
      show(addressOfForm());
    }
    await settled;
    show((document.getElementById(id) ?? link).href);
  });

  form.addEventListener(
    'toggle',
    ({ target }) => {
      // As in the page: what is chosen comes first.
      for (const list of target.open ? target.querySelectorAll('.list') : []) {
        list.prepend(...list.querySelectorAll('.choice:has(:checked)'));
      }
      if (target === openMenu() && !hasCounts(target)) {
        requestForm(0);
      }
    },
    true,
  );
  form.addEventListener('input', ({ target }) => {
    if (target.matches('[data-narrows]')) {
      const { length } = narrow(target);
      document.getElementById('announcement').textContent = `${length} found`;
    }
  });
  form.addEventListener(
    'keydown',
    (event) => {
      const { target, key } = event;
      if (!target.matches('[data-narrows]') || !['Enter', 'ArrowDown', 'Escape'].includes(key)) {
        return;
      }
      const [first] = narrow(target);
      if (key === 'Escape') {
        // The first empties the field, and the next one closes the menu.
        target.value !== '' && event.stopPropagation();
        return;
      }
      event.preventDefault();
      key === 'Enter' ? target.value !== '' && first?.click() : first?.focus();
    },
    true,
  );

  addEventListener('popstate', () => {
    if (location.pathname + location.search !== shownPath) {
      show(location.href, true);
    }
  });

  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input:not([type="checkbox"]), select, textarea') !== null;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search?.focus();
    }
  });
}

let waiting;

/** Shows the page again when the rate limit allows it. */
function waitForLimit() {
  clearInterval(waiting);
  const place = document.querySelector('[data-retry-in]');
  if (place === null) {
    return;
  }
  const until = Date.now() + Number(place.textContent) * 1000;
  waiting = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left > 0) {
      place.textContent = String(left);
      return;
    }
    clearInterval(waiting);
    form === null ? location.reload() : show(location.href, true);
  }, 1000);
}
waitForLimit();
