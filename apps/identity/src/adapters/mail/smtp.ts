import type { Transporter } from 'nodemailer';
import type { MailOutcome } from '../../domain/mail/outgoing-mail.ts';
import type { ComposedMail } from './composed-mail.ts';

/** The time limit of one attempt. It ends before the lease of the mail does. */
export const SEND_MILLIS = 60_000;
/** The longest silence of the server, and the longest wait for a connection. */
const SILENCE_MILLIS = 15_000;

export interface Addressed extends ComposedMail {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
}

/** `status`: the server's last answer; null without one. */
export interface SmtpResult {
  readonly outcome: MailOutcome;
  readonly status: number | null;
}

interface SmtpError {
  readonly command?: string;
  readonly responseCode?: number;
}

/** A 5xx reply to these commands concerns this mail. A 5xx reply to others concerns the connection or the sender's account. */
const aboutTheMail: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);

/** Sends mails through one SMTP server. It keeps no connection open. Errors of the server are not passed on, because they can contain addresses. */
export class Smtp {
  constructor(
    private readonly url: string,
    private readonly silenceMillis: number = SILENCE_MILLIS,
    private readonly sendMillis: number = SEND_MILLIS,
  ) {}

  async send({ to, from, ...mail }: Addressed): Promise<SmtpResult> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the mail server was too slow')), this.sendMillis);
    });
    try {
      const transport = await this.transport();
      // As an object, the address is one recipient, whatever characters it contains.
      await Promise.race([transport.sendMail({ ...mail, from, to: { name: '', address: to } }), tooLate]);
      return { outcome: 'accepted', status: 250 };
    } catch (error) {
      const { command = '', responseCode: status = null } = error as SmtpError;
      const isFinal = status !== null && status >= 500 && aboutTheMail.has(command);
      return { outcome: isFinal ? 'refused' : 'unavailable', status };
    } finally {
      clearTimeout(timer);
    }
  }

  /** The library is loaded by the first mail, because an installation without a mail server never needs it. */
  private async transport(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const { url, silenceMillis } = this;
    const waits = { connectionTimeout: silenceMillis, greetingTimeout: silenceMillis, socketTimeout: silenceMillis };
    return createTransport({ url, ...waits, disableFileAccess: true, disableUrlAccess: true });
  }
}
