import type { KeyState } from '../../../keys/key.ts';
import type { Html } from '../../shared/jsx.ts';

const tones: Readonly<Record<KeyState, string>> = {
  active: 'good',
  disabled: 'bad',
  expired: 'warn',
  revoked: '',
};

/** The states of keys, in the order of their life cycle. */
export const keyStates = Object.keys(tones) as KeyState[];

/** The state of a key as a badge. */
export const keyBadge = (state: KeyState): Html => <span class={`badge ${tones[state]}`}>{state}</span>;
