import { domainToASCII } from 'node:url';

/** What would end the host of a URL, so that of the domain only a part would be looked at. */
const endOfHost = /[/?#\\:]/;

/** An address in the one form in which it is compared. */
export function normalAddress(email: string): string {
  // Composed after the case is dropped: some letters have a composed form in small alone.
  const text = email.trim().toLowerCase().normalize('NFC');
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at + 1)}${(!endOfHost.test(domain) && domainToASCII(domain)) || domain}`;
}
