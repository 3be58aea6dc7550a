/** A mail to one person: its text, and the one link that it is about. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** What it is about, one paragraph each. */
  readonly paragraphs: readonly string[];
  /** What to do, where there is something to do. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** How mails leave. */
export interface Mailer {
  /** `smtp` sends, `terminal` prints, `none` does neither: nothing that needs a mail can be offered. */
  readonly kind: 'smtp' | 'terminal' | 'none';
  /** @throws when the mail was not accepted. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
