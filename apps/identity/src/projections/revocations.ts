import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type At, projection } from '@parlance/read-models';
import { FOREVER, lift, outdatedRevocations, revocationRows, revoke } from '@parlance/revocation';
import { CLOCK_MARGIN_MILLIS, LONGEST_TOKEN_MINUTES } from '@parlance/config';
import type { IdentityEvent } from '../domain/events.ts';
import { userChanges } from './users.ts';

/** The time when all access tokens issued before this time have expired. Revocations are kept until then. */
const after = (at: Instant) => at + LONGEST_TOKEN_MINUTES * 60_000 + CLOCK_MARGIN_MILLIS;

/** How long an edge may use a copy of a personal access token. Revocations of such copies are kept for longer. */
export const COPY_SECONDS = 3_600;
const KEPT_MILLIS = 2 * COPY_SECONDS * 1_000;

/**
 * The names whose revocation ends a copy of a personal access token: the token itself, one version of its owner, one version of the groups, and
 * one revision of its terms.
 */
export const tokenName = (tokenId: string) => `token:${tokenId}`;
export const ownerName = (userId: string, version: number) => `owner:${userId}/${version}`;
export const termsName = (tokenId: string, revision: number) => `terms:${tokenId}/${revision}`;
export const groupsName = (version: number) => `groups:${version}`;

const over = (name: string, { position, metadata }: At) => revoke(name, position, metadata.at + KEPT_MILLIS);

/** A change of a user ends the copies that show the user before the change. */
const changed = (_: unknown, at: At) => [over(ownerName(idInStream(at.stream), at.version - 1), at)];
const groupsChanged = (_: unknown, at: At) => [over(groupsName(at.version - 1), at)];

/** Revoked sessions, users and personal access tokens, for the edges, which check access tokens. */
export const revocations = projection<IdentityEvent>({
  name: 'revocations',
  version: 4,
  tables: [revocationRows],
  outdated: outdatedRevocations,
  on: {
    // Each change of a user ends copies, because it changes the version of the user.
    ...Object.fromEntries(userChanges.map((type) => [type, changed])),
    SessionEnded: (_, { stream, position, metadata }) => [revoke(`session:${idInStream(stream)}`, position, after(metadata.at))],
    UserDisabled: (_, at) => [revoke(`user:${idInStream(at.stream)}`, at.position, FOREVER), ...changed(_, at)],
    UserEnabled: (_, at) => [lift(`user:${idInStream(at.stream)}`, at.position), ...changed(_, at)],
    UserErased: (_, at) => [revoke(`user:${idInStream(at.stream)}`, at.position, after(at.metadata.at)), ...changed(_, at)],
    GroupCreated: groupsChanged,
    GroupDeleted: groupsChanged,
    GroupEmptied: groupsChanged,
    PersonalTokenTermsChanged: ({ tokenId, revision }, at) => [over(termsName(tokenId, revision - 1), at)],
    PersonalTokenRevoked: ({ tokenId }, at) => [over(tokenName(tokenId), at)],
  },
});
