// Adds a startup to the shortlist, or removes it, in place. Without a script, and for an error, the form loads a page.
const status = document.createElement('p');
status.className = 'hidden';
status.setAttribute('role', 'status');
document.body.append(status);

document.addEventListener('submit', async (event) => {
  const form = event.target;
  const { star: name } = form.dataset;
  if (name === undefined) {
    return;
  }
  event.preventDefault();
  const button = form.querySelector('button');
  const keeps = button.value === 'yes';
  const body = new URLSearchParams(new FormData(form));
  body.append('keep', button.value);
  let isDone = false;
  try {
    // The page that it leads to is not needed.
    isDone =
      (await fetch(form.action, { method: 'POST', body, redirect: 'manual' })).type === 'opaqueredirect';
  } catch {
    // The page that the form loads says what is wrong.
  }
  if (!isDone) {
    const keep = Object.assign(document.createElement('input'), {
      type: 'hidden',
      name: 'keep',
      value: button.value,
    });
    form.append(keep);
    form.submit();
    return;
  }
  button.value = keeps ? 'no' : 'yes';
  button.title = keeps ? 'On your shortlist' : 'Add to the shortlist';
  button.setAttribute(
    'aria-label',
    `${keeps ? 'Remove' : 'Add'} ${name} ${keeps ? 'from' : 'to'} the shortlist`,
  );
  button.firstElementChild.textContent = keeps ? '★' : '☆';
  status.textContent = `${name} is ${keeps ? 'on' : 'no longer on'} your shortlist.`;
});
