/** What the pages of the explorer have in common. */
export const look = {
  scripts: ['explorer.js', 'scatter.js'],
  styles: ['explorer.css'],
  connects: true,
} as const;
