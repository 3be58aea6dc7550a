// Adds a startup to the shortlist, or removes it, in place. Without a script, and for an error, the form loads a page.
// Chooses no more startups than can be compared.
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
    const headers = { 'X-Requested-With': 'fetch' };
    // Signed out, it is redirected instead.
    isDone = (await fetch(form.action, { method: 'POST', body, headers, redirect: 'manual' })).status === 204;
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

const comparing = document.getElementById('compare');
if (comparing !== null) {
  const boxes = [...comparing.elements].filter(({ type }) => type === 'checkbox');
  const text = comparing.querySelector('[role="status"]');
  const most = Number(comparing.dataset.most);
  const update = () => {
    const chosen = boxes.filter(({ checked }) => checked).length;
    for (const box of boxes) {
      box.disabled = !box.checked && chosen >= most;
    }
    comparing.querySelector('button').classList.toggle('second', chosen < 2);
    if (chosen > 0) {
      text.textContent = `${chosen} of at most ${most} chosen`;
    }
  };
  document.addEventListener('change', update);
  addEventListener('pageshow', update);
}
