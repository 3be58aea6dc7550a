import { encode } from 'uqr';
import type { Html } from '../../shared/jsx.ts';

/** A text as a QR code, black on white in any color scheme. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
