import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { emailClaim } from './email-claim.ts';

const given = specify(emailClaim);
const claimed = { type: 'EmailClaimed', userId: 'ann' } as const;
const released = { type: 'EmailReleased', userId: 'ann' } as const;

describe('claiming an e-mail address', () => {
  it('gives a free one to the first who asks', () => given().when({ type: 'Claim', userId: 'ann' }).emits(claimed));
  it('does nothing for its holder', () => given(claimed).when({ type: 'Claim', userId: 'ann' }).emits());
  it('refuses everybody else', () => given(claimed).when({ type: 'Claim', userId: 'ben' }).refuses('email_taken'));
  it('gives one that was given back to the next who asks', () =>
    given(claimed, released).when({ type: 'Claim', userId: 'ben' }).emits({ type: 'EmailClaimed', userId: 'ben' }));
});

describe('giving an e-mail address back', () => {
  it('is for its holder', () => given(claimed).when({ type: 'Release', userId: 'ann' }).emits(released));
  it('does nothing for anybody else', () => given(claimed).when({ type: 'Release', userId: 'ben' }).emits());
  it('does nothing the second time', () => given(claimed, released).when({ type: 'Release', userId: 'ann' }).emits());
});
