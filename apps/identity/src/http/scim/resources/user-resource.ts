import { fullName } from '@parlance/contracts';
import { etagOf } from '@parlance/http';
import { isAddress, isNewPassword, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@parlance/config';
import type { UserProvisions } from '../../../workflows/provisioning.ts';
import { legibleName, seen } from '../../../domain/legible.ts';
import type { ProvisionedUser } from '../../../projections/provisioned-users.ts';
import { attribute, flagOf, isLoose, type Loose, looseBody, objectsOf, textOf } from '../requests/loose-body.ts';
import { invalidValue } from '../scim-errors.ts';
import { changedTexts, type OptionalTexts, presentTexts, wantedTexts } from './user-attributes.ts';

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** A user as a SCIM resource. `base` is the address of /scim/v2. */
export function userResource(user: ProvisionedUser, base: string) {
  const { user_id, email, first_name, last_name, groups, enabled, create_time, update_time, version } = user;
  const displayName = fullName(user);
  return {
    schemas: [userUrn],
    id: user_id,
    ...presentTexts(user),
    userName: email,
    name: { formatted: displayName, ...(first_name && { givenName: first_name }), ...(last_name && { familyName: last_name }) },
    displayName,
    active: enabled,
    emails: [{ value: email, type: 'work', primary: true }],
    groups: groups.map((group) => ({ value: group, display: group, type: 'direct', $ref: `${base}/Groups/${encodeURIComponent(group)}` })),
    meta: {
      resourceType: 'User',
      created: isoTime(create_time),
      lastModified: isoTime(update_time),
      version: etagOf(version),
      location: `${base}/Users/${user_id}`,
    },
  };
}

export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The state of a user that a SCIM resource asks for. A member is null if the resource has no value for it. */
export interface WantedUser extends OptionalTexts {
  readonly email: string;
  /** Null if the resource has neither part of the name. */
  readonly name: { readonly firstName: string; readonly lastName: string } | null;
  /** The first name to use for a new user without a name. */
  readonly nickname: string;
  readonly active: boolean | null;
  readonly password: string | null;
}

const LONGEST_NAME = 100;

/** `present`: the user's current address, which is always valid. Throws the refusals `invalid_body` and `invalid_value`. */
export function wantedUser(body: unknown, current: string | null = null): WantedUser {
  const resource = looseBody(body);
  const email = addressOf(resource, current);
  const name = attribute(resource, 'name');
  const parts = isLoose(name) ? name : {};
  const [first, last] = ['givenName', 'familyName'].map((part) => legibleName(textOf(parts, part, LONGEST_NAME) ?? '')) as [string, string];
  const whole = [attribute(resource, 'displayName'), attribute(parts, 'formatted')].find(
    (text) => typeof text === 'string' && seen.test(text),
  );
  return {
    email,
    name: first || last ? { firstName: first, lastName: last } : null,
    nickname: legibleName((whole as string | undefined) ?? email.slice(0, email.lastIndexOf('@'))),
    active: flagOf(resource, 'active'),
    ...wantedTexts(resource),
    password: passwordOf(resource),
  };
}

/**
 * The address to sign in with: `userName` if it is an address, otherwise the primary one of `emails`. Directories often have another
 * address in `emails`, so it is not used if `userName` is an address.
 */
function addressOf(resource: Loose, current: string | null): string {
  const userName = textOf(resource, 'userName', 1000);
  const emails = objectsOf(resource, 'emails');
  const primary = emails.find((each) => flagOf(each, 'primary') === true) ?? emails[0];
  const address = [userName, primary && textOf(primary, 'value', 1000)].find(
    (candidate) => candidate && (candidate === current || isAddress(candidate)),
  );
  if (!address) throw invalidValue('The attribute userName, or the primary item of emails, must be an e-mail address.');
  return address;
}

function passwordOf(resource: Loose): string | null {
  const password = attribute(resource, 'password');
  if (password === null) return null;
  if (typeof password !== 'string' || !isNewPassword(password))
    throw invalidValue(`The attribute password must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`);
  return password;
}

/** The changes that bring a user to the wanted state. */
export function provisionsFor(user: ProvisionedUser, wanted: WantedUser): UserProvisions {
  const { email, name, active, password } = wanted;
  return {
    ...(email !== user.email && { email }),
    ...(name !== null && name.firstName !== user.first_name && { firstName: name.firstName }),
    ...(name !== null && name.lastName !== user.last_name && { lastName: name.lastName }),
    ...(active !== null && active !== user.enabled && { enabled: active }),
    ...changedTexts(user, wanted),
    ...(password !== null && { password }),
  };
}
