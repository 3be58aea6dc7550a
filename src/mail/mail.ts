/** A mail to one person: its text, and its one link. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The subject matter, one paragraph each. */
  readonly paragraphs: readonly string[];
  /** The required action, if any. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** How mails are sent. */
export interface Mailer {
  /** `smtp` sends, `terminal` prints, `none` does neither: features that need mail are unavailable. */
  readonly kind: 'smtp' | 'terminal' | 'none';
  /** @throws when the mail was not accepted. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
