import { createHash } from 'node:crypto';
import type { Language } from '../../domain/language.ts';
import { legibleName } from '../../domain/legible.ts';
import { isNotification, type MailKind } from '../../domain/mail/outgoing-mail.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ja } from './texts/ja.ts';
import { ko } from './texts/ko.ts';
import type { MailTexts } from './texts/mail-texts.ts';
import { ptBr } from './texts/pt-BR.ts';
import { zhCn } from './texts/zh-CN.ts';

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const TEXTS: Readonly<Record<Language, MailTexts>> = { en, de, fr, es, 'pt-BR': ptBr, ja, 'zh-CN': zhCn, ko };

/** The colon before the address of a link, where the language writes another one. */
const COLONS: Readonly<Partial<Record<Language, string>>> = { fr: '\u00a0:', ja: '：', 'zh-CN': '：' };

/** The text and the HTML have the same paragraphs. A name is the user's own text: it gets no line breaks and no markup. */
export function composeMail(kind: MailKind, language: Language, name: string, link: string | null): ComposedMail {
  const { greeting, chosen, mails } = TEXTS[language];
  const { subject, body, link: action } = mails[kind];
  const before = action + (COLONS[language] ?? ':');
  const paragraphs = [greeting(legibleName(name)), body];
  const reason = isNotification(kind) ? [chosen] : [];
  const text = [...paragraphs, ...(link === null ? [] : [`${before}\n${link}`]), ...reason].join('\n\n');
  const shown = [...paragraphs.map(escaped), ...(link === null ? [] : [linked(action, before, link)]), ...reason.map(escaped)];
  const html = `<!doctype html><html lang="${language}"><body>${shown.map((paragraph) => `<p>${paragraph}</p>`).join('')}</body></html>`;
  return { subject, text: `${text}\n`, html };
}

/** Without a console, the mail has a token instead of the link. */
const linked = (action: string, before: string, link: string): string =>
  /^https?:/.test(link) ? `<a href="${escaped(link)}">${escaped(action)}</a>` : `${escaped(before)} <code>${escaped(link)}</code>`;

/** The same for all tries of a mail, so that a mail program shows a duplicate once. */
export const messageIdOf = (mailId: string, from: string): string =>
  `<${createHash('sha256').update(mailId).digest('hex').slice(0, 40)}@${/@([\w.-]+)>?$/.exec(from)?.[1] ?? 'parlance.invalid'}>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
