// The language that is chosen for one sample is chosen for all, and remembered.
const REMEMBERED = 'revgate.docs.language';
const radios = [...document.querySelectorAll('.samples input')];

function choose(language) {
  for (const radio of radios) {
    if (radio.value === language) {
      radio.checked = true;
    }
  }
}

for (const radio of radios) {
  radio.addEventListener('change', () => {
    // Samples above change their height: what is looked at stays where it is.
    const before = radio.getBoundingClientRect().top;
    choose(radio.value);
    window.scrollBy({ top: radio.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(REMEMBERED, radio.value);
    } catch {
      // A browser that stores nothing: the choice lasts as long as the page.
    }
  });
}

try {
  choose(localStorage.getItem(REMEMBERED));
} catch {
  // As above.
}
