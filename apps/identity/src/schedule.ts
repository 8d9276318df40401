import { every, HOUR, type Interval, MINUTE, type Schedule, SECOND } from '@parlance/foundation';
import { AccessTokens } from './adapters/access-tokens.ts';
import { EndSessionsThatAreOver } from './policies/end-sessions-that-are-over.ts';
import { RepeatErasures } from './policies/repeat-erasures.ts';
import { SettleHoldsThatAreOver } from './policies/settle-holds-that-are-over.ts';
import { EmailVerifications } from './workflows/mail/email-verifications.ts';
import { Invitations } from './workflows/mail/invitations.ts';
import { Mails } from './workflows/mail/mails.ts';
import { PasswordResets } from './workflows/mail/password-resets.ts';

/** What is due is in the database. */
const FROM_ROWS = { rests: () => true };
const whileMailIsOn: Interval = (config) => (config.smtpUrl === null ? null : SECOND);

export const schedule: Schedule = [
  every(whileMailIsOn, 'settle requests for password resets', PasswordResets, (resets) => resets.settleRequests(), FROM_ROWS),
  every(whileMailIsOn, 'settle requests for mails that verify addresses', EmailVerifications, (mails) => mails.settleRequests(), FROM_ROWS),
  every(whileMailIsOn, 'send mails', Mails, (mails) => mails.sendDue(), FROM_ROWS),
  every(20 * SECOND, 'settle holds that are over', SettleHoldsThatAreOver, (policy) => policy.settle()),
  every(MINUTE, 'repeat erasures', RepeatErasures, (policy) => policy.repeat()),
  every(MINUTE, 'end expired invitations', Invitations, (invitations) => invitations.endExpired()),
  every(HOUR, 'end expired sessions', EndSessionsThatAreOver, (policy) => policy.endExpired()),
  // Limits how long a leaked signing key is valid.
  every(HOUR, 'rotate signing keys', AccessTokens, (tokens, now) => tokens.rotate(now)),
];
