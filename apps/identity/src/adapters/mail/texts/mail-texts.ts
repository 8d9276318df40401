import type { MailKind } from '../../../domain/mail/outgoing-mail.ts';

interface MailText {
  readonly subject: string;
  readonly body: string;
  /** What the link does. Empty for a mail without a link. */
  readonly link: string;
}

/** The mails in one language. */
export interface MailTexts {
  /** The name may be empty. */
  readonly greeting: (name: string) => string;
  /** Why the reader gets a mail about a notification. */
  readonly chosen: string;
  readonly mails: Readonly<Record<MailKind, MailText>>;
}
