// The steps of an upload in place: the file that was chosen is kept from step to step, and going back shows a step as it
// was left. Without a script, each step asks for the file again.
/** What each step that was shown consists of, in the order of the browser's history. */
const steps = [];
let current = 0;
/** Checks answers after a pause, so that several are one request. */
let checking;
/** The button that was pressed while a step was sent. */
let pressed = null;

/** Settles when no button is held down: a step that changes under the pointer would swallow the click. */
let released = Promise.resolve();
/** A button is not held longer, unless its release was not reported. */
const MOST_HELD_MS = 1_000;

document.addEventListener('pointerdown', ({ target }) => {
  if (target.closest('button, a') !== null) {
    released = new Promise((resolve) => {
      setTimeout(resolve, MOST_HELD_MS);
      // The click follows at once.
      addEventListener('pointerup', () => setTimeout(resolve), { once: true });
    });
  }
});

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
  // The first step, after an error of the file, waits for another one.
  if (field?.form.elements.mapping !== undefined) {
    setFile(field, file);
    field.closest('.field').hidden = true;
  }
}

/** What is answered in a form. */
const answersOf = (form) =>
  new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === 'string')).toString();

// Answers outlast a reload and the end of a session, in this tab: a file cannot.
const DRAFT = 'revgate.upload';

function keepAnswers(form) {
  if (form.elements.mapping !== undefined) {
    const answers = new URLSearchParams(answersOf(form));
    answers.delete('factor');
    answers.set('act', 'columns');
    const file = form.elements.file.files[0]?.name ?? '';
    sessionStorage.setItem(DRAFT, JSON.stringify({ file, answers: answers.toString() }));
  }
}

/** Offers to continue with the answers that were kept: they are sent with the file. */
function offerAnswers() {
  const offer = main.querySelector('[data-draft]');
  const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? 'null');
  if (offer === null || draft === null) {
    return;
  }
  const fields = [...new URLSearchParams(draft.answers)].map(([name, value]) =>
    Object.assign(document.createElement('input'), { type: 'hidden', name, value }),
  );
  offer.querySelector('strong').textContent = draft.file;
  offer.append(...fields);
  offer.hidden = false;
  offer.querySelector('button').addEventListener('click', () => {
    sessionStorage.removeItem(DRAFT);
    offer.replaceChildren();
    offer.hidden = true;
  });
}

async function sendStep(form, button) {
  const [file] = form.elements.file.files;
  const answers = answersOf(form);
  keepAnswers(form);
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
  if (response.status === 429) {
    // The step stays as it is.
    say(messageOf(page), true);
    return;
  }
  // The notice of an import is shown once: on the page that was just received.
  const isDone = response.redirected && response.url.includes('notice=imported');
  if (isDone) {
    sessionStorage.removeItem(DRAFT);
  }
  if (response.redirected && !isDone) {
    location.assign(response.url);
    return;
  }
  if (!(form.isConnected || isDone)) {
    // Another step is shown meanwhile.
    return;
  }
  say('');
  if (button?.dataset.recheck !== undefined) {
    await released;
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
  clearTimeout(checking);
  if (main.ariaBusy === 'true') {
    pressed = submitter;
    return;
  }
  main.ariaBusy = 'true';
  try {
    await sendStep(form, submitter);
  } finally {
    main.ariaBusy = null;
  }
  const next = pressed;
  pressed = null;
  // Pressed or answered while an answer was checked.
  if (next?.isConnected) {
    form.requestSubmit(next);
  }
});

document.addEventListener('change', ({ target }) => {
  if (target.form?.enctype === 'multipart/form-data') {
    keepAnswers(target.form);
  }
  const again = target.form?.querySelector('[data-recheck]');
  clearTimeout(checking);
  if (again && target.tagName === 'SELECT') {
    checking = setTimeout(() => target.form.requestSubmit(again), PAUSE_MS);
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
offerAnswers();
