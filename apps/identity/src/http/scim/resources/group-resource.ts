import type { GroupRow } from '../../../projections/groups.ts';
import { LONGEST_GROUP_NAME } from '@parlance/contracts';
import { isGroupName } from '@parlance/config';
import { attribute, isLoose, looseBody, textOf } from '../requests/loose-body.ts';
import { invalidValue } from '../scim-errors.ts';
import { isoTime } from './user-resource.ts';

export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export interface Member {
  readonly userId: string;
  readonly display?: string;
}

/** A group as a SCIM resource. `members` is null if the request does not ask for them. */
export function groupResource({ name, create_time }: GroupRow, members: readonly Member[] | null, base: string) {
  const created = create_time === null ? {} : { created: isoTime(create_time), lastModified: isoTime(create_time) };
  return {
    schemas: [groupUrn],
    id: name,
    displayName: name,
    ...(members !== null && {
      members: members.map(({ userId, display }) => ({
        value: userId,
        ...(display !== undefined && { display }),
        type: 'User',
        $ref: `${base}/Users/${userId}`,
      })),
    }),
    meta: { resourceType: 'Group', ...created, location: `${base}/Groups/${encodeURIComponent(name)}` },
  };
}

export interface WantedGroup {
  readonly name: string;
  readonly members: readonly string[];
}

/** Throws the refusals `invalid_body` and `invalid_value`. */
export function wantedGroup(body: unknown): WantedGroup {
  const resource = looseBody(body);
  const name = textOf(resource, 'displayName', 2 * LONGEST_GROUP_NAME)?.normalize('NFC');
  if (name === undefined || !isGroupName(name))
    throw invalidValue(
      `The attribute displayName must be a name of at most ${LONGEST_GROUP_NAME} characters, without commas and invisible characters.`,
    );
  return { name, members: [...new Set(memberIds(attribute(resource, 'members') ?? []))] };
}

/** The user IDs in a value of members, which is a list or a single member. Throws the refusal `invalid_value`. */
export function memberIds(value: unknown): readonly string[] {
  return [value].flat().map((member: unknown) => {
    const id = isLoose(member) ? attribute(member, 'value') : member;
    if (typeof id !== 'string') throw invalidValue('The value of each item of members must be the ID of a user.');
    return id;
  });
}
