/** The texts about a user besides the e-mail address. They are sealed, and no rule reads them. */
export interface Profile {
  readonly firstName: string;
  readonly lastName: string;
}

/** The names of these texts in rows and answers. */
const COLUMNS = { firstName: 'first_name', lastName: 'last_name' } as const satisfies Record<keyof Profile, string>;

export type ProfileRow = { -readonly [Field in keyof Profile as (typeof COLUMNS)[Field]]: Profile[Field] };

export type ProfileEvent = { type: 'UserRenamed' } & Profile;

/** The events that change some texts of a profile. */
export function profileEvents({ firstName, lastName }: Partial<Profile>, profile: Profile): ProfileEvent[] {
  if (firstName === undefined && lastName === undefined) return [];
  return [{ type: 'UserRenamed', firstName: firstName ?? profile.firstName, lastName: lastName ?? profile.lastName }];
}

const TYPES: Readonly<Record<ProfileEvent['type'], true>> = { UserRenamed: true };

export const changesProfile = <Event extends { readonly type: string }>(event: Event): event is Extract<Event, ProfileEvent> =>
  Object.hasOwn(TYPES, event.type);

type Texts<Facts> = Facts extends Profile ? Profile : Partial<Profile>;

/** The texts that these facts contain. Null removes a text. */
export const textsIn = (facts: Partial<Profile>): readonly (readonly [field: keyof Profile, text: string | null])[] =>
  (Object.keys(COLUMNS) as (keyof Profile)[]).flatMap((field) => (facts[field] === undefined ? [] : [[field, facts[field]] as const]));

/** Facts about a user without those that are not texts of the profile. */
export const profileOf = <Facts extends Partial<Profile>>(facts: Facts): Texts<Facts> =>
  Object.fromEntries(textsIn(facts)) as unknown as Texts<Facts>;

export const columnOf = (field: keyof Profile): keyof ProfileRow => COLUMNS[field];

/** These texts as the columns of a row. */
export const profileRow = (facts: Partial<Profile>): ProfileRow =>
  Object.fromEntries(textsIn(facts).map(([field, text]) => [COLUMNS[field], text])) as unknown as ProfileRow;
