import { refuse } from '@parlance/decider';

/** What would let a person sign in as the service account, or make it the user of a provider. */
const REFUSED: ReadonlySet<string> = new Set([
  'ChangeEmail',
  'ChangePassword',
  'SetPassword',
  'OfferPasswordReset',
  'ResetPassword',
  'LinkIdentity',
  'SetExternalId',
]);

export const isRefusedForServices = (command: string): boolean => REFUSED.has(command);

export const notForServices = () =>
  refuse('conflict', 'service_account', 'This user is a service account. It has no password and cannot sign in. Create a token for it.');

/** Not an address at which anybody receives mail, and of no domain for which a provider vouches. */
export const serviceAccountAddress = (accountId: string): string => `service-account-${accountId.toLowerCase()}@parlance.invalid`;
