import { starLook } from '../shortlist/star.tsx';

/** What the pages of the explorer have in common. */
export const look = {
  scripts: [...starLook.scripts, 'chart.js', 'scatter.js'],
  styles: ['explorer.css', ...starLook.styles],
  connects: true,
} as const;
