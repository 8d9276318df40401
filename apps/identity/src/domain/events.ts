import type { AdministratorsEvent } from './administrators.ts';
import type { EmailClaimEvent } from './email-claim.ts';
import type { ExternalIdentityEvent } from './external-identity.ts';
import type { FactorsEvent } from './credentials/factors.ts';
import type { FirstAdminEvent } from './first-admin.ts';
import type { GroupsEvent } from './groups.ts';
import type { EmailVerificationsEvent } from './mail/email-verifications.ts';
import type { InvitationsEvent } from './mail/invitations.ts';
import type { HoldEvent } from './holds/hold.ts';
import type { OutgoingMailEvent } from './mail/outgoing-mail.ts';
import type { ResetRequestsEvent } from './mail/reset-requests.ts';
import type { PasskeyClaimEvent } from './credentials/passkey-claim.ts';
import type { PersonalTokensEvent } from './credentials/personal-tokens.ts';
import type { ScimTokenEvent } from './credentials/scim-token.ts';
import { type SessionEvent, sessionUpcasts } from './credentials/session.ts';
import { type SignInAttemptsEvent, signInAttemptsUpcasts } from './credentials/sign-in-attempts.ts';
import type { SigningKeysEvent } from './credentials/signing-keys.ts';
import { type UserEvent, userUpcasts } from './user.ts';

/** All events in this service's log. */
export type IdentityEvent =
  | UserEvent
  | EmailClaimEvent
  | ExternalIdentityEvent
  | FirstAdminEvent
  | AdministratorsEvent
  | GroupsEvent
  | HoldEvent
  | FactorsEvent
  | PasskeyClaimEvent
  | SessionEvent
  | SignInAttemptsEvent
  | ScimTokenEvent
  | PersonalTokensEvent
  | EmailVerificationsEvent
  | InvitationsEvent
  | OutgoingMailEvent
  | ResetRequestsEvent
  | SigningKeysEvent;

/** By event type, functions that convert events of earlier releases to the current form. Functions are only ever added. */
export const upcasts = { ...signInAttemptsUpcasts, ...sessionUpcasts, ...userUpcasts };
