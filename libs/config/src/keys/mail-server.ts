import type { Objection } from '../embedding-model.ts';
import { isAddress } from '../limits.ts';

/** In the URL, it asks for encryption before the credentials are sent (STARTTLS). */
const REQUIRES_TLS = '?requireTLS=true';

/** Credentials are only sent over an encrypted connection. Other parameters could switch off the check of certificates, so there are none. */
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

/** An error if there is a mail server, but no address of the sender. */
export const mailObjection = ({ smtpUrl, mailFrom }: { smtpUrl: string | null; mailFrom: string | null }): Objection | null =>
  smtpUrl !== null && mailFrom === null ? { path: 'mailFrom', value: undefined, allowed: 'set, because smtpUrl is set' } : null;
