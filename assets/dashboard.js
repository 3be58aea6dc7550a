// What pages do a little better with a script; each of them works without.
document.documentElement.classList.add('scripted');

// The marked one of tabs that do not fit beside each other on a phone.
for (const marked of document.querySelectorAll('.tabs [aria-current]')) {
  marked.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.textContent;
  const status = document.getElementById('copied');
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    let done = 'Copied to the clipboard.';
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      // Not over plain http, or refused: what is selected can be copied by hand.
      getSelection().selectAllChildren(source);
      done = 'Selected: copy it with your keyboard.';
    }
    if (status !== null) {
      status.textContent = done;
    }
    button.style.minWidth = `${button.offsetWidth}px`;
    button.textContent = done.split(/\W/)[0];
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}

// A key is shown by the response to a form: a reload is to show its page instead of sending the form again.
const shown = document.querySelector('[data-address]');
if (shown !== null) {
  history.replaceState(null, '', shown.dataset.address);
}

// Pieces of a page that stay up to date while somebody looks.
const INTERVAL_MS = 3000;
for (const place of document.querySelectorAll('[data-live]')) {
  let last = '';
  const update = async () => {
    if (!document.hidden) {
      try {
        const response = await fetch(place.dataset.live, { redirect: 'error', cache: 'no-store' });
        const piece = response.ok ? await response.text() : last;
        if (piece !== last) {
          place.innerHTML = piece;
          last = piece;
        }
      } catch {
        // Signed out, or the server is away: a reload says more.
      }
    }
    if (place.querySelector('[data-final]') === null) {
      setTimeout(update, INTERVAL_MS);
    }
  };
  setTimeout(update, INTERVAL_MS);
}

// A menu closes as menus do, also one that a script has put into the page.
const openMenus = () => [...document.querySelectorAll('details.menu[open]')];
document.addEventListener('click', ({ target }) => {
  // Enter in a field clicks the first button of its form, be it hidden.
  if (target.checkVisibility?.() === false) {
    return;
  }
  for (const menu of openMenus().filter((one) => !one.contains(target))) {
    menu.open = false;
  }
});
document.addEventListener('keydown', ({ key }) => {
  for (const menu of key === 'Escape' ? openMenus() : []) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});

// What is chosen beside a search applies after a pause: the list changes in place, and the focus stays.
for (const form of document.querySelectorAll('form.search')) {
  let pause;
  const apply = async () => {
    const address = `?${new URLSearchParams(new FormData(form))}`;
    history.replaceState(null, '', address);
    try {
      const response = await fetch(address, { redirect: 'error' });
      if (!response.ok) {
        throw response;
      }
      const next = new DOMParser().parseFromString(await response.text(), 'text/html');
      // The answer to an earlier choice comes too late.
      if (location.search === address) {
        while (form.nextSibling) {
          form.nextSibling.remove();
        }
        form.after(...next.querySelectorAll('form.search ~ *'));
      }
    } catch {
      form.requestSubmit();
    }
  };
  form.addEventListener('change', ({ target }) => {
    if (target.matches('select')) {
      clearTimeout(pause);
      pause = setTimeout(apply, 300);
    }
  });
}
