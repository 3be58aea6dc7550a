// Starts GraphiQL: gives it the schema, a fetcher that sends the key or the session, and tabs to begin with.
(() => {
  const { schema, samples, editorWorker, graphqlWorker, jsonWorker, session, sessionGraphql } =
    document.getElementById('start').dataset;
  const form = document.getElementById('key-form');
  const field = document.getElementById('key');
  const limit = document.getElementById('limit');
  const hint = document.getElementById('hint');
  // The session's storage ends with the tab, and no other tab sees it.
  const STORED = 'revgate:key';

  globalThis.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module, label) => ({ json: jsonWorker, graphql: graphqlWorker })[label] ?? editorWorker,
  };

  const key = () => field.value.trim();

  /** Who is signed in; null for nobody, undefined until the server was asked. */
  let account;

  async function loadAccount() {
    const response = session && (await fetch(session).catch(() => undefined));
    account = response?.ok ? (await response.json()).account : null;
    if (account !== null) {
      for (const name of document.querySelectorAll('#access b')) {
        name.textContent = account.email;
      }
    }
  }

  /** What a request would be sent with: one of the texts of the page. */
  function currentAccess() {
    if (key() !== '') {
      return 'key';
    }
    if (account === null) {
      return session ? 'visitor' : 'key-only';
    }
    return account.hasAcceptedPolicy ? 'account' : 'policy';
  }

  function showAccess(name) {
    for (const text of document.querySelectorAll('[data-access]')) {
      text.hidden = !text.dataset.access.split(' ').includes(name);
    }
  }

  async function updateAccess() {
    if (key() === '' && !account?.hasAcceptedPolicy) {
      await loadAccount();
    }
    const name = currentAccess();
    showAccess(name);
    return name;
  }

  field.value = sessionStorage.getItem(STORED) ?? '';
  // Not when the field is left: the page would move under the click that leaves it.
  field.addEventListener('input', () => {
    sessionStorage.setItem(STORED, key());
    // It showed the limit of another key or account.
    limit.value = '';
    updateAccess();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    updateAccess();
  });
  document.getElementById('remove').addEventListener('click', () => {
    field.value = '';
    field.dispatchEvent(new Event('input'));
    field.focus();
  });

  function showLimit({ status, headers }) {
    const wait = headers.get('retry-after');
    const [left, of, reset] = ['remaining', 'limit', 'reset'].map((name) =>
      headers.get(`x-ratelimit-${name}`),
    );
    const until = new Date(reset * 1000).toLocaleTimeString();
    limit.dataset.refused = String(status === 429);
    limit.value =
      status === 429 ? `Rate limited: retry in ${wait} s` : `${left} of ${of} left until ${until}`;
  }

  async function send(path, credentials, header, params) {
    // For a moment after a change of tabs, GraphiQL still tells the operation of the tab before.
    const { query, variables, operationName } = params;
    const told = query.includes(operationName) ? operationName : undefined;
    const response = await fetch(path, {
      method: 'POST',
      headers: {
        Accept: 'application/graphql-response+json, application/json;q=0.9',
        'Content-Type': 'application/json',
        ...header,
      },
      credentials,
      body: JSON.stringify({ query, variables, operationName: told }),
    });
    showLimit(response);
    return { status: response.status, body: await response.json() };
  }

  async function sendWithKey(params) {
    const { status, body } = await send('/graphql', 'omit', { Authorization: `Bearer ${key()}` }, params);
    if (status === 401) {
      showAccess('invalid-key');
    }
    return body;
  }

  async function sendWithSession(params) {
    const attempt = () => send(sessionGraphql, 'same-origin', { 'X-CSRF-Token': account.token }, params);
    const first = await attempt();
    if (first.status !== 401 && first.status !== 403) {
      return first.body;
    }
    // The session ended, or somebody signed in anew on another page.
    const { token } = account;
    await loadAccount();
    const name = currentAccess();
    showAccess(name);
    return name === 'account' && account.token !== token ? (await attempt()).body : first.body;
  }

  /** What to do without a key and without a session that may run queries. */
  const advice = {
    policy:
      'Your account has not accepted the current acceptable-use policy. Accept it at /dashboard/policy, then run the query again.',
    visitor:
      'Running queries needs an API key or an account. At the top of this page you can paste a key, sign in or sign up.',
    'key-only':
      'Running queries needs an API key. Paste one at the top of this page; the operator of this server creates keys.',
  };

  async function run(params) {
    const name = await updateAccess();
    if (name === 'key') {
      return sendWithKey(params);
    }
    if (name === 'account') {
      return sendWithSession(params);
    }
    field.focus();
    return { errors: [{ message: `${advice[name]} Nothing was sent.` }] };
  }

  /** A sample of the documentation, which it links to after the # of the address. */
  function linkedTab() {
    const linked = new URLSearchParams(location.hash.slice(1));
    return linked.has('query') ? Object.fromEntries(linked) : undefined;
  }

  /** What the editors begin with. Left to itself, GraphiQL would add an empty tab at every visit. */
  function currentTab(first) {
    try {
      const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
      const { query, variables } = tabs[activeTabIndex];
      return { query: query ?? '', variables: variables ?? '' };
    } catch {
      return first;
    }
  }

  /**
   * The documentation begins closed, so that the response has room. Later it is as it was left, but never in place of the
   * query: a narrow window opens without it, and closes it when it becomes narrow.
   */
  function makeRoom() {
    const narrow = matchMedia('(max-width: 60rem)');
    const close = () => {
      if (!narrow.matches) {
        return;
      }
      document.querySelector('.graphiql-sidebar > .active')?.click();
      try {
        // Where GraphiQL remembers what is open.
        localStorage.removeItem('graphiql:visiblePlugin');
      } catch {
        // A browser that stores nothing.
      }
    };
    close();
    narrow.addEventListener('change', close);
  }

  /** The colors of the style sheet, as Monaco wants them. */
  function readColors(scheme) {
    const probe = document.createElement('i');
    document.body.append(probe);
    probe.style.colorScheme = scheme;
    const read = (name) => {
      probe.style.color = `var(--${name})`;
      const parts = getComputedStyle(probe).color.match(/\d+/g);
      return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
    };
    const names = ['accent', 'card', 'ink', 'soft'];
    const tokens = ['comment', 'keyword', 'name', 'number', 'string'];
    const colors = Object.fromEntries(
      [...names, ...tokens.map((one) => `token-${one}`)].map((name) => [name, read(name)]),
    );
    probe.remove();
    return colors;
  }

  /** Gives the editors the colors of the code on other pages. */
  function colorEditors(monaco) {
    for (const [name, base, scheme] of [
      ['graphiql-LIGHT', 'vs', 'light'],
      ['graphiql-DARK', 'vs-dark', 'dark'],
    ]) {
      const color = readColors(scheme);
      const rules = {
        '': 'ink',
        comment: 'token-comment',
        keyword: 'token-keyword',
        number: 'token-number',
        string: 'token-string',
        'argument.identifier': 'token-number',
        'key.identifier': 'ink',
        'keyword.json': 'token-number',
        'string.key.json': 'token-name',
        'string.value.json': 'token-string',
        'type.identifier': 'token-name',
      };
      const wash = `${color.accent}26`;
      const of = (value, names) => Object.fromEntries(names.map((one) => [one, value]));
      monaco.editor.defineTheme(name, {
        base,
        inherit: true,
        rules: Object.entries(rules).map(([token, one]) => ({ token, foreground: color[one] })),
        colors: {
          'editor.background': '#00000000',
          'editorLineNumber.foreground': color.soft,
          'scrollbar.shadow': '#00000000',
          ...of(color.ink, [
            'editor.foreground',
            'editorLineNumber.activeForeground',
            ...[1, 2, 3].map((level) => `editorBracketHighlight.foreground${level}`),
          ]),
          ...of(color.accent, [
            'editorLink.activeForeground',
            'editorSuggestWidget.selectedForeground',
            'editorWidget.resizeBorder',
            'focusBorder',
            'list.focusHighlightForeground',
            'list.highlightForeground',
            'menu.selectionForeground',
            'pickerGroup.foreground',
            'textLink.activeForeground',
            'textLink.foreground',
          ]),
          ...of(color.card, [
            'editorHoverWidget.background',
            'editorSuggestWidget.background',
            'editorWidget.background',
            'menu.background',
            'quickInput.background',
          ]),
          ...of(wash, [
            'editorSuggestWidget.selectedBackground',
            'inputOption.hoverBackground',
            'list.hoverBackground',
            'menu.selectionBackground',
            'quickInputList.focusBackground',
            'toolbar.hoverBackground',
          ]),
        },
      });
    }
  }

  /**
   * GraphiQL's tabs are list items with the role of a tab and buttons in them, which screen readers cannot enter. They
   * stay a list of buttons, of which one is current.
   */
  function labelTabs(list) {
    const correct = () => {
      list.removeAttribute('role');
      for (const tab of list.querySelectorAll('[role="tab"]')) {
        tab.removeAttribute('role');
      }
      for (const tab of list.querySelectorAll('li[aria-selected]')) {
        tab.querySelector('button')?.setAttribute('aria-current', tab.getAttribute('aria-selected'));
        tab.removeAttribute('aria-selected');
      }
    };
    correct();
    new MutationObserver(correct).observe(list, {
      attributeFilter: ['role', 'aria-selected'],
      childList: true,
      subtree: true,
    });
  }

  /** Calls a function with an element of GraphiQL as soon as there is one. */
  function once(selector, use) {
    const place = document.getElementById('graphiql');
    const waiting = new MutationObserver(() => {
      const element = place.querySelector(selector);
      if (element !== null) {
        waiting.disconnect();
        use(element);
      }
    });
    waiting.observe(place, { childList: true, subtree: true });
  }

  const start = async () => {
    makeRoom();
    once('.graphiql-tabs', labelTabs);
    once('.monaco-editor', () => colorEditors(globalThis.__MONACO));
    once('.graphiql-response', (pane) => pane.append(hint));
    if (/Mac/.test(navigator.platform)) {
      hint.querySelector('kbd').textContent = '⌘ Enter';
    }
    const linked = linkedTab();
    // The schema needs no key and costs nothing; asking by introspection would.
    const [introspection, tabs] = await Promise.all(
      [schema, samples].map(async (file) => (await fetch(file)).json()),
    );
    globalThis.YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
      title: 'revgate',
      logo: '',
      schema: introspection,
      fetcher: run,
      defaultTabs: linked === undefined ? tabs : [linked, ...tabs],
      ...(linked ?? currentTab(tabs[0])),
      // Queries stay out of the address, and the one field for keys is ours.
      onEditQuery: () => {},
      isHeadersEditorEnabled: false,
      // On phones, variables wait for the room until they are opened.
      defaultEditorToolsVisibility: innerWidth > 800,
      shouldPersistHeaders: false,
    });
  };
  updateAccess();
  start().catch((error) => {
    document.getElementById('graphiql').textContent = `GraphiQL could not start: ${error.message}`;
  });
})();
