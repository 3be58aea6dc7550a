// Keeps what is left of the minute up to date while somebody looks.
const INTERVAL_MS = 3000;

for (const place of document.querySelectorAll('[data-live]')) {
  const update = async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(place.dataset.live, { redirect: 'error', cache: 'no-store' });
        if (answer.ok) {
          place.innerHTML = await answer.text();
        }
      } catch {
        // Signed out, or the server is away: the link to refresh says more.
      }
    }
    setTimeout(update, INTERVAL_MS);
  };
  setTimeout(update, INTERVAL_MS);
}
