// The steps of an upload in place: the file that was chosen is kept from step to step, and going back shows a step as it
// was left. Without a script, each step asks for the file again.
const main = document.getElementById('main');
/** What each step that was shown consists of, in the order of the browser's history. */
const steps = [];
let current = 0;
/** The button that was pressed while a step was sent. */
let waiting = null;

function remember(index) {
  steps[index] = { title: document.title, nodes: [...main.childNodes] };
  steps.length = index + 1;
  current = index;
}

function showStep({ title, nodes }) {
  main.replaceChildren(...nodes);
  document.title = title;
  const heading = main.querySelector('h1');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** The field of the current step for a file. */
const fileField = () => main.querySelector('input[type="file"]');

function setFile(field, file) {
  const transfer = new DataTransfer();
  transfer.items.add(file);
  field.files = transfer.files;
}

/** Gives the file to the next step, which then needs no field for it. */
function keepFile(file) {
  const field = fileField();
  if (field !== null) {
    setFile(field, file);
    field.closest('.field').hidden = true;
  }
}

/** Says why the next step is not there. */
function fail(form, text) {
  const field = form.elements.file.closest('.field');
  field.hidden = false;
  const notice = document.createElement('p');
  notice.className = 'notice wrong';
  notice.role = 'alert';
  notice.textContent = text;
  form.querySelector('[role="alert"]')?.remove();
  form.querySelector('.actions').before(notice);
}

/** What is answered in a form. */
const answersOf = (form) =>
  new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === 'string')).toString();

async function send(form, button) {
  const [file] = form.elements.file.files;
  const answers = answersOf(form);
  const body = new FormData(form);
  if (button?.name) {
    body.append(button.name, button.value);
  }
  let response;
  let text;
  try {
    response = await fetch(form.getAttribute('action'), { method: 'POST', body });
    text = await response.text();
  } catch {
    fail(
      form,
      'The file could not be sent. If it was changed, choose it again; if not, check the connection.',
    );
    return;
  }
  // The notice of an import is shown once: on the page that was just received.
  const isDone = response.redirected && response.url.includes('notice=imported');
  if (response.redirected && !isDone) {
    location.assign(response.url);
    return;
  }
  const next = new DOMParser().parseFromString(text, 'text/html');
  const page = next.getElementById('main');
  if (page === null) {
    fail(form, ofProxy(response.status));
    return;
  }
  // The same step again, with what was answered meanwhile.
  const isAgain = button?.dataset.recheck !== undefined;
  if (isAgain && (waiting !== null || answersOf(form) !== answers)) {
    waiting ??= button;
    return;
  }
  if (!isAgain) {
    steps[current].nodes = [...main.childNodes];
    history.pushState({ step: current + 1 }, '', isDone ? response.url : undefined);
  }
  const [focused, scroll] = [document.activeElement?.name, scrollY];
  showStep({ title: next.title, nodes: [...page.childNodes] });
  keepFile(file);
  remember(isAgain ? current : current + 1);
  if (isAgain) {
    main.querySelector(`[name="${CSS.escape(focused ?? '')}"]`)?.focus({ preventScroll: true });
    scrollTo(0, scroll);
  }
}

/** What an answer means that is no page of this server. */
function ofProxy(status) {
  return status === 413
    ? 'A proxy before this server refuses files of this size (413): raise its limit for uploads, or send a smaller file.'
    : `A proxy answered instead of this server (${status}). The list of imports says whether the file was imported; if not, send it again.`;
}

document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  if (form.enctype !== 'multipart/form-data') {
    return;
  }
  event.preventDefault();
  if (main.ariaBusy === 'true') {
    waiting = submitter;
    return;
  }
  main.ariaBusy = 'true';
  await send(form, submitter);
  main.ariaBusy = null;
  const next = waiting;
  waiting = null;
  // Pressed or answered while an answer was checked.
  if (next?.isConnected) {
    form.requestSubmit(next);
  }
});

document.addEventListener('change', ({ target }) => {
  const again = target.form?.querySelector('[data-recheck]');
  if (again && target.tagName === 'SELECT') {
    target.form.requestSubmit(again);
  }
});

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-back]') !== null && current > 0) {
    event.preventDefault();
    history.back();
  }
});

// The field takes a file that is dropped on it by itself; with this, the whole page does.
function onDrag(event) {
  const field = fileField();
  if (event.dataTransfer.types.includes('Files')) {
    event.preventDefault();
    field?.classList.toggle('over', event.type === 'dragover');
    const [file] = event.dataTransfer.files;
    if (file !== undefined && field?.checkVisibility()) {
      setFile(field, file);
      field.focus();
    }
  }
}
for (const type of ['dragover', 'dragleave', 'drop']) {
  addEventListener(type, onDrag);
}

addEventListener('popstate', ({ state }) => {
  const step = steps[state?.step];
  if (step === undefined) {
    location.reload();
    return;
  }
  current = state.step;
  showStep(step);
});

history.replaceState({ step: 0 }, '');
remember(0);
