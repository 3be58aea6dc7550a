// What pages do a little better with a script; each of them works without.
document.documentElement.classList.add('scripted');

// The marked one of tabs that do not fit beside each other on a phone. Only they are scrolled, not the page.
for (const marked of document.querySelectorAll('.tabs [aria-current]')) {
  marked.parentElement.scrollLeft = marked.offsetLeft - marked.parentElement.offsetLeft;
}

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button[data-copy]');
  if (button === null) {
    return;
  }
  const label = button.textContent;
  const source = document.getElementById(button.dataset.copy);
  let done = 'Copied to the clipboard.';
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    // Not over plain http, or refused: what is selected can be copied by hand.
    getSelection().selectAllChildren(source);
    done = 'Selected: copy it with your keyboard.';
  }
  document.getElementById('copied')?.replaceChildren(done);
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = done.split(/\W/)[0];
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
});

// A key is shown by the response to a form: a reload is to show its page instead of sending the form again.
const shown = document.querySelector('[data-address]');
if (shown !== null) {
  history.replaceState(null, '', shown.dataset.address);
}

// A choice in a menu closes it, also where the page stays.
document.addEventListener('click', ({ target }) => {
  target.closest('.items a')?.closest(':popover-open')?.hidePopover();
});

// Where the browser cannot place a menu below its button, this does.
const placeBelow = ({ target: menu, newState }) => {
  const button = document.querySelector(`[popovertarget="${menu.id}"]`);
  if (newState === 'open' && button !== null) {
    const { bottom, left, right } = button.getBoundingClientRect();
    const atEnd = left > innerWidth / 2;
    Object.assign(menu.style, {
      top: `${bottom}px`,
      left: atEnd ? 'auto' : `${left}px`,
      right: atEnd ? `${innerWidth - right}px` : 'auto',
    });
  }
};
if (!CSS.supports('position-area: bottom')) {
  document.addEventListener('beforetoggle', placeBelow, true);
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  const isTyping =
    target.closest?.('input:not([type="checkbox"]), select, textarea, [contenteditable]') != null;
  const search = document.getElementById('search');
  if (key === '/' && search !== null && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
});

// As many of a list as can be compared, and no more.
const comparing = document.getElementById('compare');
if (comparing !== null) {
  const [least, most] = [comparing.dataset.least, comparing.dataset.most].map(Number);
  const boxes = [...comparing.elements].filter(({ type }) => type === 'checkbox');
  const update = () => {
    const chosen = boxes.filter(({ checked }) => checked).length;
    for (const box of boxes) {
      box.disabled = !box.checked && chosen >= most;
    }
    comparing.querySelector('button').disabled = chosen < least;
    if (chosen > 0) {
      comparing.querySelector('[role="status"]').textContent = `${chosen} of ${most} selected`;
    }
  };
  update();
  document.addEventListener('change', update);
  addEventListener('pageshow', update);
}
