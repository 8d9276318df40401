import { aggregate, handlersOf, singleAggregate } from '@parlance/foundation';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import { emailClaim, emailStream } from '../domain/email-claim.ts';
import { externalIdentity, externalIdentityStream } from '../domain/external-identity.ts';
import { firstAdmin, firstAdminStream } from '../domain/first-admin.ts';
import { groups, groupsStream } from '../domain/groups.ts';
import { scimToken, scimTokenStream } from '../domain/credentials/scim-token.ts';
import { session, sessionStream } from '../domain/credentials/session.ts';
import { signInAttempts, signInAttemptsStream } from '../domain/credentials/sign-in-attempts.ts';
import { signingKeys, signingKeysStream } from '../domain/credentials/signing-keys.ts';
import { user, userStream } from '../domain/user.ts';

export const ExecuteAdministrators = singleAggregate('ExecuteAdministrators', administrators, administratorsStream);
export const ExecuteEmailClaim = aggregate('ExecuteEmailClaim', emailClaim, emailStream);
export const ExecuteExternalIdentity = aggregate('ExecuteExternalIdentity', externalIdentity, externalIdentityStream);
export const ExecuteFirstAdmin = singleAggregate('ExecuteFirstAdmin', firstAdmin, firstAdminStream);
export const ExecuteGroups = singleAggregate('ExecuteGroups', groups, groupsStream);
export const ExecuteScimToken = aggregate('ExecuteScimToken', scimToken, scimTokenStream);
export const ExecuteSession = aggregate('ExecuteSession', session, sessionStream);
export const ExecuteSignInAttempts = aggregate('ExecuteSignInAttempts', signInAttempts, signInAttemptsStream);
export const ExecuteSigningKeys = singleAggregate('ExecuteSigningKeys', signingKeys, signingKeysStream);
/** Changes that may make or unmake an Admin go through `AdminSeats`. */
export const ExecuteUser = aggregate('ExecuteUser', user, userStream);

export const commandHandlers = handlersOf(
  ExecuteAdministrators,
  ExecuteEmailClaim,
  ExecuteExternalIdentity,
  ExecuteFirstAdmin,
  ExecuteGroups,
  ExecuteScimToken,
  ExecuteSession,
  ExecuteSignInAttempts,
  ExecuteSigningKeys,
  ExecuteUser,
);
