import type { Objection } from '../embedding-model.ts';
import { isAddress } from '../limits.ts';

/** The languages of mails. */
export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-CN', 'ko'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** The part of the URL that requires encryption before the credentials are sent (STARTTLS). */
const REQUIRES_TLS = '?requireTLS=true';

/** Credentials need an encrypted connection. Other parameters could disable certificate checks, so they are refused. */
export function isMailServer(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\S+$/.test(value)) return false;
  if (!['', '/'].includes(url.pathname) || url.hash !== '' || !['', REQUIRES_TLS].includes(url.search)) return false;
  const isOpen = url.username === '' && url.password === '';
  return isOpen || url.protocol === 'smtps:' || url.search === REQUIRES_TLS;
}

const named = /^[^<>"\p{Cc}\p{Cf}]{0,100} <([^<>]+)>$/u;

/** An address, or a name with the address in angle brackets. */
export const isSender = (value: string): boolean => isAddress(named.exec(value)?.[1] ?? value);

/** An error if there is a mail server, but no sender address. */
export const mailObjection = ({ smtpUrl, mailFrom }: { smtpUrl: string | null; mailFrom: string | null }): Objection | null =>
  smtpUrl !== null && mailFrom === null ? { path: 'mailFrom', value: undefined, allowed: 'set, because smtpUrl is set' } : null;
