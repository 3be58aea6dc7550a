// Marks in the navigation what is being read, and closes the menu of a narrow window after a choice.
const side = document.querySelector('.side');
const links = new Map([...side.querySelectorAll('a[href^="#"]')].map((link) => [link.hash.slice(1), link]));
const headings = [...document.querySelectorAll('main h2[id]')].filter(({ id }) => links.has(id));
let current;

function mark() {
  const line = document.querySelector('.bar').offsetHeight + 40;
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < line);
  const link = links.get(passed.at(-1)?.id);
  if (link === undefined || link === current) {
    return;
  }
  current?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  current = link;
  reveal(link);
}

/** Scrolls the navigation to one of its links. */
function reveal(link) {
  const { top, bottom } = link.getBoundingClientRect();
  const frame = side.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) {
    side.scrollTop += top - frame.top - frame.height / 3;
  }
}

let isDue = false;
const soon = () => {
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      mark();
    });
  }
};
addEventListener('scroll', soon, { passive: true });
addEventListener('resize', soon);
const page = side.querySelector('[aria-current="page"]');
if (page !== null) {
  reveal(page);
}
mark();

const menu = document.querySelector('.menu');
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) {
    menu.open = false;
  }
});
