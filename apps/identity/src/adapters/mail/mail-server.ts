import { Injectable } from '@nestjs/common';
import { Config, ConfigError } from '@parlance/config';
import type { Language } from '../../domain/language.ts';
import type { ComposedMail } from './composed-mail.ts';
import { messageIdOf } from './composed-mail.ts';
import { Smtp, type SmtpResult } from './smtp.ts';

/** The mail server of the configuration. Without `smtpUrl`, mail is off. */
@Injectable()
export class MailServer {
  /** The language of mails to users who have chosen none, and to invited persons. */
  readonly language: Language;
  private readonly from: string;
  private readonly smtp: Smtp | null;

  /** Throws `ConfigError` if users need mails that cannot be sent. Other services have no `smtpUrl`, so it is not checked where the configuration is read. */
  constructor({ smtpUrl, mailFrom, mailLanguage, requireVerifiedEmail }: Config) {
    if (requireVerifiedEmail && smtpUrl === null)
      throw new ConfigError([
        'The key requireVerifiedEmail needs a mail server. Set smtpUrl and mailFrom, or set requireVerifiedEmail to false.',
      ]);
    this.smtp = smtpUrl === null ? null : new Smtp(smtpUrl);
    this.from = mailFrom ?? '';
    this.language = mailLanguage;
  }

  get isOn(): boolean {
    return this.smtp !== null;
  }

  /** While mail is off, nothing is sent, and a later attempt may succeed. */
  async send(mailId: string, to: string, mail: ComposedMail): Promise<SmtpResult> {
    if (this.smtp === null) return { outcome: 'unavailable', status: null };
    return this.smtp.send({ ...mail, to, from: this.from, messageId: messageIdOf(mailId, this.from) });
  }
}
