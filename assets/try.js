// Sends the request of a sample to this server. The key stays in the memory of the page: it is in no address, no
// storage and no log, and goes nowhere but to the origin of the page. Without a key, a signed-in user runs the GraphQL
// query of the sample with the session, as in GraphiQL.
const SHOWN_HEADERS = /^(x-ratelimit-|ratelimit|retry-after$|etag$|link$|x-request-id$)/;
const TIMEOUT_MS = 30_000;
const SESSION_GRAPHQL = '/dashboard/graphql';
const { session } = document.querySelector('main').dataset;
let key = '';
/** The signed-in user: an address and a token, or nobody. */
let account;

async function findAccount() {
  try {
    account ??= session === undefined ? null : (await (await fetch(session)).json()).account;
  } catch {
    account = null;
  }
  return account;
}

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function field(label, control) {
  return element('label', {}, label, control);
}

for (const sample of document.querySelectorAll('.sample[data-try]')) {
  addForm(sample);
}

function addForm(sample) {
  const { rest, graphql } = sample.dataset;
  const request = graphql === undefined ? undefined : JSON.parse(graphql);
  const keyInput = element('input', {
    type: 'password',
    className: 'key',
    value: key,
    autocomplete: 'off',
    spellcheck: false,
    placeholder: 'rvg_…',
  });
  const path = element('input', {
    className: 'path mono',
    value: rest ?? '',
    spellcheck: false,
    autocomplete: 'off',
  });
  const code = { className: 'mono', wrap: 'off', spellcheck: false };
  const query = element('textarea', { ...code, value: request?.query ?? '', rows: 8 });
  const variables = element('textarea', {
    ...code,
    value: JSON.stringify(request?.variables ?? {}),
    rows: 2,
  });
  const overRest = element('div', {}, field('Path', path));
  const overGraphql = element('div', {}, field('Query', query), field('Variables, JSON', variables));
  const send = element('button', { textContent: 'Send' });
  const status = element('output', {});
  const headers = element('pre', { hidden: true, tabIndex: 0 });
  const body = element('pre', { hidden: true, tabIndex: 0, className: 'body' });
  const who = element('p', { className: 'hint', hidden: true });
  const form = element(
    'form',
    { className: 'stack' },
    who,
    field('API key, kept in this page only', keyInput),
    overRest,
    overGraphql,
    element('div', { className: 'actions' }, send, status),
  );
  const panel = element('div', { className: 'response try', hidden: true }, form, headers, body);
  const toggle = element('button', { type: 'button', className: 'second toggle', textContent: 'Try it' });
  const show = (isShown) => {
    panel.hidden = !isShown;
    toggle.setAttribute('aria-expanded', String(isShown));
  };
  show(false);
  toggle.addEventListener('click', async () => {
    show(panel.hidden);
    if (panel.hidden) {
      return;
    }
    keyInput.focus();
    if ((await findAccount()) !== null) {
      who.hidden = false;
      who.textContent = account.hasAcceptedPolicy
        ? `Without a key, this runs the GraphQL query as ${account.email}, within the limit of your account.`
        : 'Accept the acceptable-use policy in the dashboard to run this without a key.';
      choose();
    }
  });
  // It has a place already, so that nothing moves when the script comes.
  sample.querySelector('figcaption').after(toggle);
  const samples = sample.querySelector('.samples');
  samples.after(panel);

  const usesSession = () => key === '' && account?.hasAcceptedPolicy === true && request !== undefined;
  const isGraphql = () =>
    usesSession() ||
    rest === undefined ||
    (request !== undefined && samples.querySelector(':checked').value === 'graphql');
  const choose = () => {
    overRest.hidden = isGraphql();
    overGraphql.hidden = !isGraphql();
  };
  document.addEventListener('samplelanguage', choose);
  choose();

  keyInput.addEventListener('input', () => {
    key = keyInput.value.trim();
    choose();
    for (const other of document.querySelectorAll('.try .key')) {
      if (other !== keyInput) {
        other.value = keyInput.value;
      }
    }
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    headers.hidden = true;
    body.hidden = true;
    if (!usesSession() && !/^[\x21-\x7e]+$/.test(key)) {
      status.textContent = 'Enter an API key first.';
      keyInput.focus();
      return;
    }
    send.disabled = true;
    status.textContent = 'Sending …';
    try {
      const response = await ask(
        isGraphql() ? { query: query.value, variables: variables.value } : path.value,
      );
      const text = await response.text();
      status.textContent = `${response.status} ${response.statusText}`.trim();
      headers.textContent = [...response.headers]
        .filter(([name]) => SHOWN_HEADERS.test(name))
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n');
      body.textContent = pretty(text);
      headers.hidden = false;
      body.hidden = text === '';
    } catch (error) {
      status.textContent = `Not sent: ${error.message}`;
    } finally {
      send.disabled = false;
    }
  });
}

/** Asks this origin alone, whatever was typed. */
function ask(request) {
  const isPath = typeof request === 'string';
  const asUser = key === '';
  const url = new URL(isPath ? request : asUser ? SESSION_GRAPHQL : '/graphql', location.origin);
  if (url.origin !== location.origin) {
    throw new Error('the path leads to another server.');
  }
  const access = asUser ? { 'X-CSRF-Token': account.token } : { Authorization: `Bearer ${key}` };
  const common = {
    credentials: asUser ? 'same-origin' : 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  return fetch(
    url,
    isPath
      ? { ...common, headers: access }
      : {
          ...common,
          method: 'POST',
          headers: { ...access, 'Content-Type': 'application/json' },
          body: JSON.stringify({ query: request.query, variables: JSON.parse(request.variables || '{}') }),
        },
  );
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
