// Says what the amounts typed in cents are in dollars, as the server does.
const dollars = (options) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...options });
const small = dollars({ trailingZeroDisplay: 'stripIfInteger' });
const short = dollars({ notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });

const amountOf = ({ value }) => {
  if (!/^-?\d{1,15}(\.\d+)?$/.test(value.trim())) {
    return '';
  }
  const cents = Number(value);
  return (Math.abs(cents) < 100_000 ? small : short).format(cents / 100);
};

for (const place of document.querySelectorAll('[data-amounts]')) {
  const inputs = [...place.closest('fieldset').querySelectorAll('input')];
  for (const input of inputs) {
    input.addEventListener('input', () => {
      const amounts = inputs.map(amountOf);
      const told = amounts.some((amount) => amount !== '');
      place.textContent = told ? `: ${amounts.map((amount) => amount || '…').join(' to ')}` : '';
    });
  }
}
