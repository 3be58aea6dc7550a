/** Which of several records with the same name or slug is imported. */
export const repeatAnswers = ['first', 'last', 'none'] as const;
export type RepeatAnswer = (typeof repeatAnswers)[number];
export const isRepeatAnswer = (answer: string): answer is RepeatAnswer =>
  repeatAnswers.some((one) => one === answer);
