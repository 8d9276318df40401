import { aggregate, handlersOf, singleAggregate } from '@parlance/foundation';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import { emailClaim, emailStream } from '../domain/email-claim.ts';
import { externalIdentity, externalIdentityStream } from '../domain/external-identity.ts';
import { firstAdmin, firstAdminStream } from '../domain/first-admin.ts';
import { groups, groupsStream } from '../domain/groups.ts';
import { hold, holdStream } from '../domain/holds/hold.ts';
import { personalTokens, personalTokensStream } from '../domain/credentials/personal-tokens.ts';
import { passkeyClaim, passkeyClaimStream } from '../domain/credentials/passkey-claim.ts';
import { factors, factorsStream } from '../domain/credentials/factors.ts';
import { scimToken, scimTokenStream } from '../domain/credentials/scim-token.ts';
import { session, sessionStream } from '../domain/credentials/session.ts';
import { signInAttempts, signInAttemptsStream } from '../domain/credentials/sign-in-attempts.ts';
import { signingKeys, signingKeysStream } from '../domain/credentials/signing-keys.ts';
import { emailVerifications, emailVerificationsStream } from '../domain/mail/email-verifications.ts';
import { invitations, invitationsStream } from '../domain/mail/invitations.ts';
import { outgoingMail, outgoingMailStream } from '../domain/mail/outgoing-mail.ts';
import { resetRequests, resetRequestsStream } from '../domain/mail/reset-requests.ts';
import { user, userStream } from '../domain/user.ts';

export const ExecuteAdministrators = singleAggregate('ExecuteAdministrators', administrators, administratorsStream);
export const ExecuteEmailClaim = aggregate('ExecuteEmailClaim', emailClaim, emailStream);
export const ExecuteEmailVerifications = aggregate('ExecuteEmailVerifications', emailVerifications, emailVerificationsStream);
export const ExecuteExternalIdentity = aggregate('ExecuteExternalIdentity', externalIdentity, externalIdentityStream);
export const ExecuteFactors = aggregate('ExecuteFactors', factors, factorsStream);
export const ExecuteFirstAdmin = singleAggregate('ExecuteFirstAdmin', firstAdmin, firstAdminStream);
export const ExecuteGroups = singleAggregate('ExecuteGroups', groups, groupsStream);
export const ExecuteInvitations = aggregate('ExecuteInvitations', invitations, invitationsStream);
export const ExecuteHold = aggregate('ExecuteHold', hold, holdStream);
export const ExecuteOutgoingMail = aggregate('ExecuteOutgoingMail', outgoingMail, outgoingMailStream);
export const ExecutePasskeyClaim = aggregate('ExecutePasskeyClaim', passkeyClaim, passkeyClaimStream);
export const ExecutePersonalTokens = aggregate('ExecutePersonalTokens', personalTokens, personalTokensStream);
export const ExecuteResetRequests = aggregate('ExecuteResetRequests', resetRequests, resetRequestsStream);
export const ExecuteScimToken = aggregate('ExecuteScimToken', scimToken, scimTokenStream);
export const ExecuteSession = aggregate('ExecuteSession', session, sessionStream);
export const ExecuteSignInAttempts = aggregate('ExecuteSignInAttempts', signInAttempts, signInAttemptsStream);
export const ExecuteSigningKeys = singleAggregate('ExecuteSigningKeys', signingKeys, signingKeysStream);
/** Changes that may make or unmake an Admin go through `AdminSeats`. */
export const ExecuteUser = aggregate('ExecuteUser', user, userStream);

export const commandHandlers = handlersOf(
  ExecuteAdministrators,
  ExecuteEmailClaim,
  ExecuteEmailVerifications,
  ExecuteExternalIdentity,
  ExecuteFactors,
  ExecuteFirstAdmin,
  ExecuteGroups,
  ExecuteInvitations,
  ExecuteHold,
  ExecuteOutgoingMail,
  ExecutePasskeyClaim,
  ExecutePersonalTokens,
  ExecuteResetRequests,
  ExecuteScimToken,
  ExecuteSession,
  ExecuteSignInAttempts,
  ExecuteSigningKeys,
  ExecuteUser,
);
