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

/** Whether an address is of one of these domains, in any case. No domains: of any. Domains below one of them are others. */
export function isOfDomain(email: string, domains: readonly string[]): boolean {
  const address = normalAddress(email);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domains.length === 0 || domains.some((each) => each.toLowerCase() === domain);
}
