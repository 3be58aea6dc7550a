// The elements of /embed.js in JSX of Preact: "types": ["revgate-client/preact"] in tsconfig.json.
import type { HTMLAttributes } from 'preact';
import type { RevgateAttributes, RevgateElementName } from './dist/elements.js';

type ElementAttributes = HTMLAttributes<HTMLElement> & RevgateAttributes;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends Record<RevgateElementName, ElementAttributes> {}
  }
}
