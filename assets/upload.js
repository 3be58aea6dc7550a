// What an upload has with a script: a progress bar while its file is sent, the whole page as the place to drop it, and
// answers about its columns that are checked as they are given. Each step is a page of its own.

/** The path of the page that is shown, which may have taken the place of the one that was loaded. */
let shownPage = location.pathname;

/** The field for a file; null on pages without one. */
const fileField = () => main.querySelector('input[type="file"]');

/** Sends the file, and shows the page that answers. */
function sendFile(form) {
  const bar = Object.assign(document.createElement('progress'), { ariaLabel: 'Sent', value: 0 });
  form.querySelector('.actions').append(bar);
  const request = new XMLHttpRequest();
  const end = () => {
    bar.remove();
    main.ariaBusy = null;
  };
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = loaded / total;
  };
  // The server looks at what it has.
  request.upload.onload = () => bar.removeAttribute('value');
  request.onerror = () => {
    end();
    sayUnreachable();
  };
  request.onload = () => {
    end();
    const { status, responseURL: url, responseText } = request;
    const page = readPage({ status, url }, responseText);
    if (page !== undefined) {
      showPage(page, url);
    }
  };
  main.ariaBusy = 'true';
  request.open('POST', form.action);
  request.send(new FormData(form));
}

/** Shows a page that was received already: to load it again would examine or preview its file again. */
function showPage(page, url) {
  say('');
  if (url !== location.href) {
    history.pushState(null, '', url);
    shownPage = location.pathname;
  }
  document.title = page.title;
  main.replaceChildren(...page.getElementById('main').childNodes);
  const heading = main.querySelector('h1');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Checks answers after a pause, so that several are one request. */
let checking;
/** Settles when no button is held down: a page that changes under the pointer would swallow the click. */
let released = Promise.resolve();
/** A button is not held longer, unless its release was not reported. */
const MOST_HELD_MS = 1_000;
/** Ends what is checked when the page is left. */
let leaving = new AbortController();

/** What is answered in a form. */
const answersOf = (form) => new URLSearchParams(new FormData(form)).toString();

async function checkAnswers(form, button) {
  const answers = answersOf(form);
  const { signal } = leaving;
  const answer = await send(form.action, { method: 'POST', body: new FormData(form, button), signal });
  await released;
  if (answer === undefined || signal.aborted || !form.isConnected) {
    return;
  }
  const { response, page } = answer;
  if (!response.ok && page.querySelector('[data-recheck]') === null) {
    // The answers stay.
    say(messageOf(page), true);
  } else if (answersOf(form) === answers) {
    say('');
    swap(page, false);
  } else {
    // It was answered further meanwhile.
    checkSoon(form);
  }
}

function checkSoon(form) {
  clearTimeout(checking);
  checking = setTimeout(() => checkAnswers(form, form.querySelector('[data-recheck]')), PAUSE_MS);
}

document.addEventListener('change', ({ target }) => {
  if (target.tagName === 'SELECT' && target.form?.querySelector('[data-recheck]')) {
    checkSoon(target.form);
  }
});

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  clearTimeout(checking);
  if (fileField()?.form === form) {
    event.preventDefault();
    if (main.ariaBusy !== 'true') {
      sendFile(form);
    }
  } else if (submitter?.dataset.recheck !== undefined) {
    event.preventDefault();
    checkAnswers(form, submitter);
  } else {
    leaving.abort();
  }
});
addEventListener('pagehide', () => leaving.abort());
// A browser may show the page again as it was left.
addEventListener('pageshow', () => {
  leaving = new AbortController();
});

document.addEventListener('pointerdown', ({ target }) => {
  if (target.closest('button, a') !== null) {
    released = new Promise((resolve) => {
      setTimeout(resolve, MOST_HELD_MS);
      // The click follows at once.
      addEventListener('pointerup', () => setTimeout(resolve), { once: true });
    });
  }
});

// The field takes a file that is dropped on it by itself; with this, the whole page does.
function onDrag(event) {
  const field = fileField();
  if (event.dataTransfer.types.includes('Files')) {
    event.preventDefault();
    field?.classList.toggle('over', event.type === 'dragover');
    const [file] = event.dataTransfer.files;
    if (file !== undefined && field !== null) {
      const transfer = new DataTransfer();
      transfer.items.add(file);
      field.files = transfer.files;
      field.focus();
    }
  }
}
for (const type of ['dragover', 'dragleave', 'drop']) {
  addEventListener(type, onDrag);
}

addEventListener('popstate', () => {
  // Not where a link has led to a part of the page.
  if (location.pathname !== shownPage) {
    location.reload();
  }
});
