// The elements of /embed.js in JSX of React: "types": ["revgate-client/react"] in tsconfig.json.
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { RevgateAttributes, RevgateElementName } from './dist/elements.js';

type ElementAttributes = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & RevgateAttributes;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Record<RevgateElementName, ElementAttributes> {}
  }
}
