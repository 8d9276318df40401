import type { AdministratorsEvent } from './administrators.ts';
import type { EmailClaimEvent } from './email-claim.ts';
import type { ExternalIdentityEvent } from './external-identity.ts';
import type { FirstAdminEvent } from './first-admin.ts';
import type { GroupsEvent } from './groups.ts';
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
  | SessionEvent
  | SignInAttemptsEvent
  | ScimTokenEvent
  | SigningKeysEvent;

/** Convert events of earlier releases to the present form, by event type. Functions are only ever added. */
export const upcasts = { ...signInAttemptsUpcasts, ...sessionUpcasts, ...userUpcasts };
