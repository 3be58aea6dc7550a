import { starLook } from '../shortlist/star.tsx';

/** What the pages of the explorer have in common. */
export const look = {
  scripts: ['explorer.js', 'scatter.js', ...starLook.scripts],
  styles: ['explorer.css', ...starLook.styles],
  connects: true,
} as const;
