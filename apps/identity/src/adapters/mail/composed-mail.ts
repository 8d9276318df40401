import { createHash } from 'node:crypto';
import type { MailLanguage } from '../../domain/mail/mail-language.ts';
import type { MailKind } from '../../domain/mail/outgoing-mail.ts';
import { legibleName } from '../../domain/legible.ts';

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Wording {
  readonly subject: string;
  readonly body: string;
  /** What the link does. Not used in a mail without a link. */
  readonly link: string;
}

const greeting: Record<MailLanguage, (name: string) => string> = {
  en: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  de: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
};

const wordings: Record<MailLanguage, Record<MailKind, Wording>> = {
  en: {
    email_verification: {
      subject: 'Confirm your e-mail address',
      body: 'Open the link to confirm your e-mail address. If you did not sign up, ignore this mail.',
      link: 'Confirm the address',
    },
    invitation: {
      subject: 'Invitation to Parlance',
      body: 'An administrator has invited you. Open the link to choose a password.',
      link: 'Accept the invitation',
    },
    password_reset: {
      subject: 'Choose a new password',
      body: 'Open the link to choose a new password. If you did not ask for this, ignore this mail. Your password stays the same.',
      link: 'Choose a password',
    },
    password_changed: {
      subject: 'Your password has changed',
      body: 'The password of your account has changed. If you did not do this, contact an administrator now.',
      link: '',
    },
    second_factor_added: {
      subject: 'A second factor was added',
      body: 'A second factor was added to your account. If you did not do this, contact an administrator now.',
      link: '',
    },
    second_factor_removed: {
      subject: 'A second factor was removed',
      body: 'A second factor was removed from your account. If you did not do this, contact an administrator now.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Your second factors were removed',
      body: 'All second factors of your account were removed. If you did not ask for this, contact an administrator now.',
      link: '',
    },
    token_created: {
      subject: 'A personal access token was created',
      body: 'A personal access token was created for your account. Programs can act for you with it. If you did not do this, contact an administrator now.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'Most of your budget is spent',
      body: 'At least 80 % of your budget is spent. The usage page shows how much is left, and when the next period begins.',
      link: '',
    },
    budget_reached: {
      subject: 'Your budget is reached',
      body: 'The rest of your budget is not enough for the next message. The usage page shows when the next period begins.',
      link: '',
    },
    own_export_ready: {
      subject: 'Your data is ready',
      body: 'The export of your data is ready. Sign in to download the file. It is kept for a day. If you did not ask for this, contact an administrator now.',
      link: 'Open the page Your data',
    },
    own_export_ready_by_admin: {
      subject: 'An administrator has exported your data for you',
      body: 'An administrator has asked for an export of your data. Only you can download the file: sign in within a day.',
      link: 'Open the page Your data',
    },
  },
  de: {
    email_verification: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      body: 'Öffnen Sie den Link, um Ihre E-Mail-Adresse zu bestätigen. Wenn Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.',
      link: 'Adresse bestätigen',
    },
    invitation: {
      subject: 'Einladung zu Parlance',
      body: 'Ein Administrator hat Sie eingeladen. Öffnen Sie den Link, um ein Passwort zu wählen.',
      link: 'Einladung annehmen',
    },
    password_reset: {
      subject: 'Wählen Sie ein neues Passwort',
      body: 'Öffnen Sie den Link, um ein neues Passwort zu wählen. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt gleich.',
      link: 'Passwort wählen',
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      body: 'Das Passwort Ihres Kontos wurde geändert. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    second_factor_added: {
      subject: 'Ein zweiter Faktor wurde hinzugefügt',
      body: 'Ihrem Konto wurde ein zweiter Faktor hinzugefügt. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    second_factor_removed: {
      subject: 'Ein zweiter Faktor wurde entfernt',
      body: 'Ein zweiter Faktor Ihres Kontos wurde entfernt. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Ihre zweiten Faktoren wurden entfernt',
      body: 'Alle zweiten Faktoren Ihres Kontos wurden entfernt. Wenn Sie das nicht angefordert haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    token_created: {
      subject: 'Ein persönliches Zugriffstoken wurde erstellt',
      body: 'Für Ihr Konto wurde ein persönliches Zugriffstoken erstellt. Programme können damit für Sie handeln. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'Der größte Teil Ihres Budgets ist ausgegeben',
      body: 'Mindestens 80 % Ihres Budgets sind ausgegeben. Die Seite zur Nutzung zeigt, wie viel noch übrig ist und wann der nächste Zeitraum beginnt.',
      link: '',
    },
    budget_reached: {
      subject: 'Ihr Budget ist erreicht',
      body: 'Der Rest Ihres Budgets reicht nicht für die nächste Nachricht. Die Seite zur Nutzung zeigt, wann der nächste Zeitraum beginnt.',
      link: '',
    },
    own_export_ready: {
      subject: 'Ihre Daten sind bereit',
      body: 'Der Export Ihrer Daten ist fertig. Melden Sie sich an, um die Datei herunterzuladen. Sie wird einen Tag lang aufbewahrt. Wenn Sie das nicht angefordert haben, informieren Sie jetzt einen Administrator.',
      link: 'Die Seite „Ihre Daten“ öffnen',
    },
    own_export_ready_by_admin: {
      subject: 'Ein Administrator hat Ihre Daten für Sie exportiert',
      body: 'Ein Administrator hat einen Export Ihrer Daten angefordert. Nur Sie können die Datei herunterladen: Melden Sie sich dafür innerhalb eines Tages an.',
      link: 'Die Seite „Ihre Daten“ öffnen',
    },
  },
};

/** The text and the HTML have the same paragraphs. A name is the user's own text: it gets no line breaks and no markup. */
export function composeMail(kind: MailKind, language: MailLanguage, name: string, link: string | null): ComposedMail {
  const { subject, body, link: does } = wordings[language][kind];
  const paragraphs = [greeting[language](legibleName(name)), body];
  const text = [...paragraphs, ...(link === null ? [] : [`${does}:\n${link}`])].join('\n\n');
  const shown = [...paragraphs.map(escaped), ...(link === null ? [] : [linked(does, link)])];
  const html = `<!doctype html><html lang="${language}"><body>${shown.map((paragraph) => `<p>${paragraph}</p>`).join('')}</body></html>`;
  return { subject, text: `${text}\n`, html };
}

/** Without a console, the mail has a token instead of the link. */
const linked = (does: string, link: string): string =>
  /^https?:/.test(link) ? `<a href="${escaped(link)}">${escaped(does)}</a>` : `${escaped(does)}: <code>${escaped(link)}</code>`;

/** The same for all tries of a mail, so that a mail program shows a duplicate once. */
export const messageIdOf = (mailId: string, from: string): string =>
  `<${createHash('sha256').update(mailId).digest('hex').slice(0, 40)}@${/@([\w.-]+)>?$/.exec(from)?.[1] ?? 'parlance.invalid'}>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
