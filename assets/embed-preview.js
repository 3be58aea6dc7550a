// Draws embedded documents as web pages will show them, with the session in place of a key. What is chosen here changes
// the snippet, too.
const ATTRIBUTES = { 'revgate-list': 'columns', 'revgate-figures': 'figures' };
let session;

async function run(query, variables) {
  session ??= fetch('/dashboard/graphql/session').then((response) => response.json());
  const { account } = await session;
  const response = await fetch('/dashboard/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': account?.token ?? '' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors !== undefined) {
    throw new Error(errors[0].message);
  }
  return data;
}

/** A label with a control in it. */
function labelled(...content) {
  const label = document.createElement('label');
  label.append(...content);
  return label;
}

/** What was typed as the value of a variable. All but texts are JSON; names of enumerations need no quotes. */
function typedValue({ type, input: { value } }) {
  try {
    return /^(String|ID)!$/.test(type) ? value : JSON.parse(value);
  } catch {
    return value;
  }
}

function open(place) {
  const { preview, document: query, columns, value: figure, rows, height, snippet } = place.dataset;
  const attribute = ATTRIBUTES[preview];
  const element = document.createElement(preview);
  element.setAttribute('rows', rows);
  if (columns !== '') {
    element.setAttribute(attribute, columns);
  }
  if (figure !== '') {
    element.setAttribute('value', figure);
  }
  const choices = document.createElement('fieldset');
  choices.className = 'actions';
  choices.append(Object.assign(document.createElement('legend'), { textContent: 'Preview' }));
  const variables = JSON.parse(place.dataset.variables).map(({ name, type }) => {
    const input = document.createElement('input');
    choices.append(labelled(`${name} (${type})`, input));
    return { name, type, input };
  });
  const themes = document.createElement('select');
  for (const [value, text] of [
    ['', 'that of the page'],
    ['light', 'light'],
    ['dark', 'dark'],
  ]) {
    themes.append(new Option(text, value));
  }
  choices.append(labelled('Theme', themes));
  const frame = document.createElement('div');
  frame.style.minHeight = `${height}px`;
  const note = Object.assign(document.createElement('p'), { className: 'hint', role: 'status' });

  const isSet = ({ input }) => input.value !== '';
  const values = () =>
    Object.fromEntries(variables.map((one) => [one.name, isSet(one) ? typedValue(one) : '…']));
  const change = () => {
    const chosen = [...choices.querySelectorAll('input:checked')].map(({ value }) => value);
    element.removeAttribute('theme');
    const attributes = [
      ['theme', themes.value],
      [attribute, chosen.join(',')],
    ].filter(([, value]) => value !== '');
    for (const [name, value] of attributes) {
      element.setAttribute(name, value);
    }
    const json = JSON.stringify(values()).replaceAll('&', '&amp;').replaceAll("'", '&#39;');
    const code = document.getElementById(snippet);
    code.textContent = code.textContent
      .replace(/ (theme|columns|figures)="[^"]*"/g, '')
      .replace(/ document="[^"]*"/, `$&${attributes.map(([name, value]) => ` ${name}="${value}"`).join('')}`)
      .replace(/ variables='[^']*'/, () => ` variables='${json}'`);
  };
  /** An element that is inserted again requests its data again. */
  const draw = () => {
    element.remove();
    note.textContent = variables.every(isSet) ? '' : 'Set the variables to see the preview.';
    if (variables.every(isSet)) {
      frame.append(element);
    }
  };
  choices.addEventListener('change', ({ target }) => {
    change();
    if (variables.some(({ input }) => input === target)) {
      draw();
    }
  });

  element.request = async () => {
    try {
      const data = await run(query, values());
      if (columns === '' && attribute !== undefined) {
        // Once it is drawn, the element knows what it can show.
        setTimeout(() => offer(element.paths));
      }
      return data;
    } catch (error) {
      note.textContent = error.message;
      throw error;
    }
  };
  const offer = (paths) => {
    if (choices.querySelector('[type="checkbox"]') !== null) {
      return;
    }
    for (const path of paths) {
      const box = Object.assign(document.createElement('input'), { type: 'checkbox', value: path });
      box.checked = true;
      choices.append(labelled(box, path));
    }
  };
  offer(columns === '' ? [] : columns.split(','));
  place.append(choices, note, frame);
  import('/embed.js').then(draw);
}

for (const place of document.querySelectorAll('[data-preview]')) {
  const details = place.closest('details');
  if (details === null) {
    open(place);
  } else {
    // Each preview is a request of the account.
    details.addEventListener('toggle', () => open(place), { once: true });
  }
}
