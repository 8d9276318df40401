import { refuse } from '@parlance/decider';

/** Commands that would let a person sign in as the service account, or link it to a provider. */
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

/** An address that receives no mail, in a domain that no provider can claim. */
export const serviceAccountAddress = (accountId: string): string => `service-account-${accountId.toLowerCase()}@parlance.invalid`;
