// Draws embedded documents as web pages will show them, with the session in place of a key. What is chosen here changes
// the snippet, too.
const ATTRIBUTES = { 'revgate-list': 'columns', 'revgate-figures': 'figures' };
let session;

async function run(query) {
  session ??= fetch('/dashboard/graphql/session').then((response) => response.json());
  const { account } = await session;
  const response = await fetch('/dashboard/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': account?.token ?? '' },
    body: JSON.stringify({ query }),
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

function open(place) {
  const { preview, document: query, columns, rows, height, snippet } = place.dataset;
  const attribute = ATTRIBUTES[preview];
  const element = document.createElement(preview);
  element.setAttribute('rows', rows);
  if (columns !== '') {
    element.setAttribute(attribute, columns);
  }
  const choices = document.createElement('fieldset');
  choices.className = 'choices';
  choices.append(Object.assign(document.createElement('legend'), { textContent: 'Preview' }));
  const themes = document.createElement('select');
  for (const [value, text] of [
    ['', 'that of the page'],
    ['light', 'light'],
    ['dark', 'dark'],
  ]) {
    themes.append(new Option(text, value));
  }
  choices.append(labelled('Theme', themes));

  const change = () => {
    const chosen = [...choices.querySelectorAll('input:checked')].map(({ value }) => value);
    element.removeAttribute('theme');
    const values = [
      ['theme', themes.value],
      [attribute, chosen.join(',')],
    ].filter(([, value]) => value !== '');
    for (const [name, value] of values) {
      element.setAttribute(name, value);
    }
    const code = document.getElementById(snippet);
    code.textContent = code.textContent
      .replace(/ (theme|columns|figures)="[^"]*"/g, '')
      .replace(/ document="[^"]*"/, `$&${values.map(([name, value]) => ` ${name}="${value}"`).join('')}`);
  };
  choices.addEventListener('change', change);

  element.request = async () => {
    const data = await run(query);
    if (columns === '' && attribute !== undefined) {
      // Once it is drawn, the element knows what it can show.
      setTimeout(() => offer(element.paths));
    }
    return data;
  };
  const offer = (paths) => {
    for (const path of paths) {
      const box = Object.assign(document.createElement('input'), { type: 'checkbox', value: path });
      box.checked = true;
      choices.append(labelled(box, path));
    }
  };
  offer(columns === '' ? [] : columns.split(','));
  const frame = document.createElement('div');
  frame.style.minHeight = `${height}px`;
  place.append(choices, frame);
  import('/embed.js').then(() => frame.append(element));
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
