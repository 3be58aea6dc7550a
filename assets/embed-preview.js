// Draws embedded documents as web pages will show them, with the session in place of a key. What is chosen beside a
// preview changes it, and the snippet, if there is one yet.
const LISTS = { 'revgate-list': 'columns', 'revgate-figures': 'figures' };
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

function make(name, properties, ...content) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...content);
  return made;
}

/** What was typed as the value of a variable. All but texts are JSON; names of enumerations need no quotes. */
function typedValue({ type, input: { value } }) {
  try {
    return /^(String|ID)!$/.test(type) ? value : JSON.parse(value);
  } catch {
    return value;
  }
}

/** The attributes of an element: the first ones, and what the controls of a place say. Boxes of one are a list. */
function attributesIn(scope, first) {
  const boxes = {};
  const attributes = { ...first };
  for (const { dataset, type, value, checked } of scope.querySelectorAll('[data-attribute]')) {
    const { attribute } = dataset;
    if (type === 'checkbox') {
      boxes[attribute] = [...(boxes[attribute] ?? []), ...(checked ? [value] : [])];
    } else {
      attributes[attribute] = value.trim();
    }
  }
  for (const [attribute, values] of Object.entries(boxes)) {
    // None of them: those that are shown until something is chosen.
    attributes[attribute] = values.length === 0 ? (first[attribute] ?? '') : values.join(',');
  }
  return attributes;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');

function open(place) {
  const { preview, document: query, height, snippet, source } = place.dataset;
  const first = JSON.parse(place.dataset.attributes);
  const list = LISTS[preview];
  const scope = place.closest('form') ?? place;
  const element = document.createElement(preview);
  element.setAttribute('source', source);
  const frame = place.querySelector('.frame');
  frame.style.minHeight = `${height}px`;
  const note = make('p', { className: 'hint', role: 'status' });
  const controls = place.querySelector('.controls');

  const variables = JSON.parse(place.dataset.variables).map(({ name, type }) => {
    const input = make('input', {});
    controls?.append(make('label', { className: 'field' }, `${name} (${type})`, input));
    return { name, type, input };
  });
  const isSet = ({ input }) => input.value !== '';
  const values = () =>
    Object.fromEntries(variables.map((one) => [one.name, isSet(one) ? typedValue(one) : '…']));

  const change = () => {
    const attributes = attributesIn(scope, first);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === '') {
        element.removeAttribute(name);
      } else if (element.getAttribute(name) !== value) {
        element.setAttribute(name, value);
      }
    }
    const code = document.getElementById(snippet);
    if (code !== null) {
      const written = Object.entries(attributes).map(([name, value]) =>
        value === '' ? '' : ` ${name}="${value}"`,
      );
      code.textContent = code.textContent
        .replace(/ (columns|figures|value|theme|accent)="[^"]*"/g, '')
        .replace(/ document="[^"]*"/, `$&${written.join('')}`)
        .replace(/ variables='[^']*'/, () => ` variables='${escaped(JSON.stringify(values()))}'`);
    }
  };
  /** An element that is inserted again requests its data again. */
  const draw = () => {
    frame.replaceChildren();
    note.textContent = variables.every(isSet) ? '' : 'Set the variables to see the preview.';
    if (variables.every(isSet)) {
      frame.append(element);
    }
  };
  scope.addEventListener('change', ({ target }) => {
    change();
    if (variables.some(({ input }) => input === target)) {
      draw();
    }
  });

  element.request = async () => {
    try {
      const data = await run(query, values());
      if (list !== undefined && controls !== null) {
        // Once it is drawn, the element knows what it can show.
        setTimeout(offer);
      }
      return data;
    } catch (error) {
      note.textContent = error.message;
      throw error;
    }
  };
  const offer = () => {
    if (controls.querySelector('.boxes') !== null) {
      return;
    }
    const boxes = make('fieldset', { className: 'boxes' }, make('legend', { textContent: 'Shown' }));
    for (const path of element.paths) {
      const box = make('input', { type: 'checkbox', value: path, checked: true });
      box.dataset.attribute = list;
      boxes.append(make('label', { className: 'choice' }, box, element.nameOf(path)));
    }
    controls.append(boxes);
  };
  place.append(note);
  change();
  import('/embed.js').then(draw);
}

for (const place of document.querySelectorAll('[data-preview]')) {
  open(place);
}
