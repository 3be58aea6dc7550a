// Applies a filter when it is changed, and waits for the rate limit; without a script there are a button and a link.
const form = document.querySelector('form[data-apply]');

if (form !== null) {
  const FOCUSED = 'explorer-focus';
  let isLeaving = false;

  document.addEventListener('change', ({ target }) => {
    if (target.form === form && !isLeaving) {
      isLeaving = true;
      sessionStorage.setItem(FOCUSED, target.id);
      // An open panel of filters stays open on a phone.
      form.setAttribute('action', `${location.pathname}${location.hash}`);
      form.requestSubmit();
    }
  });
  // Back from the next page, which kept this one as it was.
  addEventListener('pageshow', () => {
    isLeaving = false;
  });

  const focused = document.getElementById(sessionStorage.getItem(FOCUSED) ?? '');
  sessionStorage.removeItem(FOCUSED);
  if (focused?.form === form && focused.checkVisibility()) {
    focused.focus({ preventScroll: true });
  }
}

const search = document.getElementById('search');

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, select, textarea') !== null;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search?.focus();
  }
});

const place = document.querySelector('[data-retry-in]');

if (place !== null) {
  const until = Date.now() + Number(place.textContent) * 1000;
  const timer = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left <= 0) {
      clearInterval(timer);
      location.reload();
    } else {
      place.textContent = String(left);
    }
  }, 1000);
}
