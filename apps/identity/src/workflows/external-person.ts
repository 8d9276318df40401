import { hasAddressCharacters } from '@parlance/config';
import { legibleName } from '../domain/legible.ts';
import type { Profile } from '../domain/profile.ts';

/** A person as a provider's claims describe them. */
export interface ExternalPerson extends Profile {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless the provider has verified the address. */
  readonly email: string | null;
  readonly groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

export function personOf(claims: Claims, groupsClaim: string): ExternalPerson {
  const { iss: issuer, sub: subject, email, email_verified } = claims;
  // Some providers send the text "true".
  const isVerified = email_verified === true || email_verified === 'true';
  return { issuer, subject, email: isVerified ? addressIn(email) : null, ...namesIn(claims), groups: textsIn(claims[groupsClaim]) };
}

/** Accepts a host without a top-level domain too, because the provider has verified the address. */
const addressIn = (claim: unknown): string | null =>
  typeof claim === 'string' && hasAddressCharacters(claim) && /^[^\s@]+@[^\s@]+$/u.test(claim) ? claim : null;

/** The provider's first and last name, otherwise the words of the full name, otherwise the part of the address before the @. */
function namesIn({ given_name, family_name, name, email }: Claims): Pick<Profile, 'firstName' | 'lastName'> {
  const [first = '', ...others] = nameIn(name).split(' ');
  const [firstName, lastName] = [nameIn(given_name), nameIn(family_name)];
  if (firstName !== '' || lastName !== '') return { firstName, lastName };
  return { firstName: first || nameIn(typeof email === 'string' ? email.split('@')[0] : ''), lastName: others.join(' ') };
}

const nameIn = (claim: unknown): string => (typeof claim === 'string' ? legibleName(claim) : '');

/** A missing claim means no groups, because some providers leave out empty claims. */
const textsIn = (claim: unknown): readonly string[] => [claim].flat().filter((item) => typeof item === 'string');
