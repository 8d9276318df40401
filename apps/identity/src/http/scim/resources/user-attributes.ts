import type { ProvisionedUser } from '../../../projections/provisioned-users.ts';
import { type Loose, textOf } from '../requests/loose-body.ts';
import { described, reference } from './attribute.ts';

/** The attributes that clients may send. */
export const writableAttributes = [
  described('userName', 'E-mail address for signing in.', { required: true, uniqueness: 'server' }),
  described('name', 'Name.', {
    type: 'complex',
    subAttributes: [
      described('givenName', 'First name.'),
      described('familyName', 'Last name.'),
      described('formatted', 'Full name. Used for a new user without other name fields.', { mutability: 'readOnly' }),
    ],
  }),
  described('displayName', 'Full name. Used for a new user without other name fields.', { mutability: 'readOnly' }),
  described('active', 'Whether the user can sign in.', { type: 'boolean' }),
  described('emails', 'E-mail addresses. Used if userName is not an e-mail address.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      described('value', 'E-mail address.'),
      described('type', 'Always work.'),
      described('primary', 'Always true.', { type: 'boolean' }),
    ],
  }),
  described('externalId', 'User ID of the SCIM client.', { caseExact: true }),
  described('password', 'Password. It must be changed at the next sign-in.', { mutability: 'writeOnly', returned: 'never' }),
];

export const userAttributes = [
  ...writableAttributes,
  described('groups', 'Groups of the user. Changed at /Groups.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      described('value', 'Group name, which is also the group ID.', { mutability: 'readOnly' }),
      described('display', 'Group name.', { mutability: 'readOnly' }),
      ...reference('direct', 'Group'),
    ],
  }),
];

/** Texts that a user may lack: how each is read from a user, and its longest length. An attribute and the change that it requests have the same name. */
const OPTIONAL_TEXTS = {
  externalId: { longest: 256, of: (user: ProvisionedUser) => user.externalId },
} as const;

type OptionalText = keyof typeof OPTIONAL_TEXTS;
export type OptionalTexts = Readonly<Record<OptionalText, string | null>>;

const NAMES = Object.keys(OPTIONAL_TEXTS) as OptionalText[];
const textOfUser = (user: ProvisionedUser, name: OptionalText): string | null => OPTIONAL_TEXTS[name].of(user);
const entries = (texts: readonly (readonly [OptionalText, string | null])[]) => Object.fromEntries(texts) as OptionalTexts;

export const presentTexts = (user: ProvisionedUser): Partial<OptionalTexts> =>
  entries(NAMES.map((name) => [name, textOfUser(user, name)] as const).filter(([, text]) => text !== null));

/** Null for an absent text. Throws the refusal `invalid_value`. */
export const wantedTexts = (resource: Loose): OptionalTexts =>
  entries(NAMES.map((name) => [name, textOf(resource, name, OPTIONAL_TEXTS[name].longest)]));

export const changedTexts = (user: ProvisionedUser, wanted: OptionalTexts): Partial<OptionalTexts> =>
  entries(NAMES.filter((name) => wanted[name] !== textOfUser(user, name)).map((name) => [name, wanted[name]]));
