import { hasAddressCharacters } from '@parlance/config';
import { legibleName } from '../domain/legible.ts';

/** A person as a provider states them. */
export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless the provider has verified that the address is theirs. */
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

export function personOf(claims: Claims, groupsClaim: string): ExternalPerson {
  const { iss: issuer, sub: subject, email, email_verified } = claims;
  // Some providers say it by the word.
  const isVerified = email_verified === true || email_verified === 'true';
  return { issuer, subject, email: isVerified ? addressIn(email) : null, ...namesIn(claims), groups: textsIn(claims[groupsClaim]) };
}

/** Of a host without a domain, too: the provider has sent mail to it. */
const addressIn = (claim: unknown): string | null =>
  typeof claim === 'string' && hasAddressCharacters(claim) && /^[^\s@]+@[^\s@]+$/u.test(claim) ? claim : null;

/** As the provider parts them; else the first word and the others; else what stands before the @, so that something is seen. */
function namesIn({ given_name, family_name, name, email }: Claims): { firstName: string; lastName: string } {
  const [first = '', ...others] = nameIn(name).split(' ');
  const [firstName, lastName] = [nameIn(given_name), nameIn(family_name)];
  if (firstName !== '' || lastName !== '') return { firstName, lastName };
  return { firstName: first || nameIn(typeof email === 'string' ? email.split('@')[0] : ''), lastName: others.join(' ') };
}

const nameIn = (claim: unknown): string => (typeof claim === 'string' ? legibleName(claim) : '');

/** A claim that is missing is one without groups: some providers leave out what is empty. */
const textsIn = (claim: unknown): readonly string[] => [claim].flat().filter((item) => typeof item === 'string');
