// What pages do a little better with a script; each of them works without.
document.documentElement.classList.add('scripted');

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    const status = document.getElementById('copied');
    try {
      await navigator.clipboard.writeText(source.textContent);
      status.textContent = 'Copied to the clipboard.';
    } catch {
      // Not over plain http, or refused: what is selected can be copied by hand.
      getSelection().selectAllChildren(source);
      status.textContent = 'Selected: copy it with your keyboard.';
    }
  });
}

// A key is shown by the answer to a form: reloading that page would make another one.
const shown = document.querySelector('[data-address]');
if (shown !== null) {
  history.replaceState(null, '', shown.dataset.address);
}
