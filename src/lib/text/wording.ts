/** A text of which a page has other words than the command: that names its options, which a page does not have. */
export type Wording = string | { readonly command: string; readonly page: string };

/** What a surface of a {@link Wording} calls an option of the command such as `skip-invalid`. */
type NameOption = (option: string) => string;

/** Words that differ only in what options are called: `--round` is `round` on a page. */
export const withOptions = (text: (option: NameOption) => string): Wording => ({
  command: text((option) => `--${option}`),
  page: text((option) => option),
});

export const inCommand = (wording: Wording): string =>
  typeof wording === 'string' ? wording : wording.command;

export const onPage = (wording: Wording): string => (typeof wording === 'string' ? wording : wording.page);
