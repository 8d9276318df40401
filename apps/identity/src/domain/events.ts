import type { EmailClaimEvent } from './email-claim.ts';
import type { FirstAdminEvent } from './first-admin.ts';
import type { SessionEvent } from './session.ts';
import type { SigningKeysEvent } from './signing-keys.ts';
import type { UserEvent } from './user.ts';

/** Everything that this service's log holds. */
export type IdentityEvent = UserEvent | EmailClaimEvent | FirstAdminEvent | SessionEvent | SigningKeysEvent;
