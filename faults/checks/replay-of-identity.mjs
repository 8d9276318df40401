// The expected rows of identity's log: users, active sessions, groups and revocations.
import { idOf } from '../evidence.mjs';

const seconds = (millis) => Math.floor(millis / 1000);
/** The longest lifetime of a token (a day), and five minutes. */
const outlastsTokens = 24 * 3_600_000 + 5 * 60_000;
/** A revocation without an end. */
const forever = Number.MAX_SAFE_INTEGER;

const changes = {
  UserRenamed: (row, { firstName, lastName }) => Object.assign(row, { first_name: firstName, last_name: lastName }),
  LanguageChosen: (row, { language }) => (row.language = language),
  NotificationMailsChosen: (row, { wanted }) => (row.notification_mails = wanted),
  UserEmailChanged: (row, { email, emailVerified }) => Object.assign(row, { email, email_verified: emailVerified }),
  EmailVerified: (row) => (row.email_verified = true),
  EmailConfirmed: (row) => (row.email_verified = true),
  UserDisabled: (row) => (row.enabled = false),
  UserEnabled: (row) => (row.enabled = true),
  UserJoinedGroup: (row, { group }) => row.groups.push(group),
  UserLeftGroup: (row, { group }) => (row.groups = row.groups.filter((each) => each !== group)),
  PasswordChanged: () => undefined,
  PasswordResetOffered: () => undefined,
  IdentityLinked: (row) => (row.email_verified = true),
  ExternalIdSet: (row, { externalId }) => (row.external_id = externalId),
  UserHeld: () => undefined,
  UserHoldEnded: () => undefined,
};

export function usersBy(evidence) {
  const rows = new Map();
  for (const { event, commit } of evidence.events('identity')) {
    const { stream, version, position, metadata } = commit;
    const id = idOf(stream);
    const at = seconds(metadata.at);
    if (event.type === 'UserRegistered') {
      const { email, emailVerified: email_verified, firstName: first_name, lastName: last_name, groups } = event;
      const always = {
        user_id: id,
        enabled: true,
        create_time: at,
        last_sign_in_time: null,
        external_id: null,
        language: null,
        notification_mails: false,
      };
      rows.set(id, { ...always, email, email_verified, first_name, last_name, groups: [...groups], update_time: at, version, position });
    }
    if (event.type === 'UserErased') rows.delete(id);
    if (event.type === 'SessionStarted' && rows.has(event.userId))
      Object.assign(rows.get(event.userId), { last_sign_in_time: at, position });
    const change = changes[event.type];
    if (!change || !rows.has(id)) continue;
    change(rows.get(id), event);
    Object.assign(rows.get(id), { update_time: at, version, position });
  }
  return rows;
}

export function sessionsBy(evidence) {
  const rows = new Map();
  for (const { event, commit } of evidence.events('identity')) {
    const { at, ip: ip_address, userAgent: user_agent } = commit.metadata;
    const session_id = idOf(commit.stream);
    const now = { last_used_time: seconds(at), ip_address, user_agent };
    if (event.type === 'SessionStarted') {
      const { userId: user_id, via, epoch, expiresAt } = event;
      rows.set(session_id, { session_id, user_id, via, epoch, expires_at: seconds(expiresAt), create_time: seconds(at), ...now });
    }
    if (event.type === 'SessionRefreshed') Object.assign(rows.get(session_id), now);
    if (event.type === 'SessionEnded') rows.delete(session_id);
  }
  return rows;
}

export function groupsBy(evidence) {
  const rows = new Map();
  for (const { event, commit } of evidence.events('identity')) {
    const { name } = event;
    if (event.type === 'GroupCreated') rows.set(name, { name, built_in: false, create_time: seconds(commit.metadata.at) });
    if (event.type === 'GroupDeleted') rows.delete(name);
  }
  return rows;
}

/** Edges keep copies of personal access tokens for an hour, and the end of each is kept for two. */
const outlastsCopies = 2 * 3_600_000;
/** Events that raise the version of a user or of the groups, which invalidates copies of the earlier version. */
const changesOfUser = new Set([...Object.keys(changes), 'AdminConfirmed', 'UserErased']);
const changesOfGroups = new Set(['GroupCreated', 'GroupDeleted', 'GroupEmptied']);

export function revocationsBy(evidence) {
  const rows = new Map();
  for (const { event, commit } of evidence.events('identity')) {
    const { stream, version, position } = commit;
    const until = commit.metadata.at + outlastsTokens;
    const copiesUntil = commit.metadata.at + outlastsCopies;
    const say = (key, revoked, end) => rows.set(key, { key, revoked, position, until: end });
    if (event.type === 'SessionEnded') say(`session:${idOf(stream)}`, true, until);
    if (event.type === 'UserDisabled') say(`user:${idOf(stream)}`, true, forever);
    if (event.type === 'UserEnabled') say(`user:${idOf(stream)}`, false, forever);
    if (event.type === 'UserErased') say(`user:${idOf(stream)}`, true, until);
    if (changesOfUser.has(event.type)) say(`owner:${idOf(stream)}/${version - 1}`, true, copiesUntil);
    if (changesOfGroups.has(event.type)) say(`groups:${version - 1}`, true, copiesUntil);
    if (event.type === 'PersonalTokenTermsChanged') say(`terms:${event.tokenId}/${event.revision - 1}`, true, copiesUntil);
    if (event.type === 'PersonalTokenRevoked') say(`token:${event.tokenId}`, true, copiesUntil);
  }
  return rows;
}
