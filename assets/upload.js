// The steps of an upload in place: the file that was chosen is kept from step to step, and going back shows a step as it
// was left. Without a script, each step asks for the file again.
/** What each step that was shown consists of, in the order of the browser's history. */
const steps = [];
let current = 0;
/** The button that was pressed while a step was sent. */
let pressed = null;

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

/** Gives the file to a step, which then needs no field for it. */
function keepFile(file) {
  const field = fileField();
  if (field !== null) {
    setFile(field, file);
    field.closest('.field').hidden = true;
  }
}

/** What is answered in a form. */
const answersOf = (form) =>
  new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === 'string')).toString();

async function sendStep(form, button) {
  const [file] = form.elements.file.files;
  const answers = answersOf(form);
  const answer = await send(form.getAttribute('action'), {
    method: 'POST',
    body: new FormData(form, button),
  });
  if (answer === undefined) {
    // A file that was changed cannot be sent again before it is chosen again.
    form.elements.file.closest('.field').hidden = false;
    return;
  }
  const { response, page } = answer;
  // The notice of an import is shown once: on the page that was just received.
  const isDone = response.redirected && response.url.includes('notice=imported');
  if (response.redirected && !isDone) {
    location.assign(response.url);
    return;
  }
  say('');
  if (button?.dataset.recheck !== undefined) {
    if (pressed !== null || answersOf(form) !== answers) {
      // It was answered further meanwhile.
      pressed ??= button;
      return;
    }
    swap(page, false);
    keepFile(file);
    remember(current);
    return;
  }
  steps[current].nodes = [...main.childNodes];
  history.pushState({ step: current + 1 }, '', isDone ? response.url : undefined);
  showStep({ title: page.title, nodes: [...page.getElementById('main').childNodes] });
  keepFile(file);
  remember(current + 1);
}

document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  if (form.enctype !== 'multipart/form-data') {
    return;
  }
  event.preventDefault();
  if (main.ariaBusy === 'true') {
    pressed = submitter;
    return;
  }
  main.ariaBusy = 'true';
  await sendStep(form, submitter);
  main.ariaBusy = null;
  const next = pressed;
  pressed = null;
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
