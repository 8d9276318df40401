import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { emailClaim } from './email-claim.ts';

const given = specify(emailClaim);
const claimed = { type: 'EmailClaimed', userId: 'ann' } as const;

describe('claiming an e-mail address', () => {
  it('gives a free one to the first who asks', () => given().when({ type: 'Claim', userId: 'ann' }).emits(claimed));
  it('does nothing for its holder', () => given(claimed).when({ type: 'Claim', userId: 'ann' }).emits());
  it('refuses everybody else', () => given(claimed).when({ type: 'Claim', userId: 'ben' }).refuses('email_taken'));
});
