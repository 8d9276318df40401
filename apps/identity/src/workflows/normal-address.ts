import { domainToASCII } from 'node:url';

/** Characters that end the host of a URL. A domain with one of them would be read only in part. */
const endOfHost = /[/?#\\:]/;

/** An address in the form in which addresses are compared. */
export function normalAddress(email: string): string {
  // Composed after lower-casing, because some letters have a composed form only in lower case.
  const text = email.trim().toLowerCase().normalize('NFC');
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at + 1)}${(!endOfHost.test(domain) && domainToASCII(domain)) || domain}`;
}

/** Whether the address belongs to one of the domains, ignoring case. An empty list allows all. Subdomains do not match. */
export function isOfDomain(email: string, domains: readonly string[]): boolean {
  const address = normalAddress(email);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domains.length === 0 || domains.some((each) => each.toLowerCase() === domain);
}
