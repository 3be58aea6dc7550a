// Draws embedded documents as web pages will show them, with the session in place of a key. What is chosen beside a
// preview changes it.
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

/** The attributes of an element: the first ones, and what the controls of a place say. Boxes of one are a list. */
function attributesIn(scope, first) {
  const attributes = { ...first };
  for (const { name, value } of scope.querySelectorAll('select')) {
    attributes[name] = value;
  }
  for (const boxes of scope.querySelectorAll('[data-attribute]')) {
    const { attribute } = boxes.dataset;
    const values = [...boxes.querySelectorAll(':checked')].map(({ value }) => value);
    // None of them: those that are shown until something is chosen.
    attributes[attribute] = values.join(',') || (first[attribute] ?? '');
  }
  return attributes;
}

function open(place) {
  const { preview, document: query, height, source } = place.dataset;
  const first = JSON.parse(place.dataset.attributes);
  const scope = place.closest('form') ?? place;
  const element = document.createElement(preview);
  element.setAttribute('source', source);
  const frame = place.querySelector('.frame');
  frame.style.minHeight = `${height}px`;
  const note = Object.assign(document.createElement('p'), { className: 'hint', role: 'status' });

  const change = () => {
    for (const [name, value] of Object.entries(attributesIn(scope, first))) {
      if (value === '') {
        element.removeAttribute(name);
      } else if (element.getAttribute(name) !== value) {
        element.setAttribute(name, value);
      }
    }
  };
  scope.addEventListener('change', change);
  element.request = async () => {
    try {
      return await run(query);
    } catch (error) {
      note.textContent = error.message;
      throw error;
    }
  };
  place.append(note);
  change();
  import('/embed.js').then(() => frame.replaceChildren(element));
}

for (const place of document.querySelectorAll('[data-preview]')) {
  open(place);
}
