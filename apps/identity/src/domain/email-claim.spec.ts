import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { emailClaim } from './email-claim.ts';

const given = specify(emailClaim);
const now = Instant.ofSeconds(1_800_000_000);
const claimed = { type: 'EmailClaimed', userId: 'ann', at: now } as const;
const released = { type: 'EmailReleased', userId: 'ann' } as const;

describe('claiming an e-mail address', () => {
  it('gives a free one to the first user', () => given().when({ type: 'Claim', userId: 'ann', now }).emits(claimed));
  it('does nothing for its holder', () => given(claimed).when({ type: 'Claim', userId: 'ann', now }).emits());
  it('refuses other users', () => given(claimed).when({ type: 'Claim', userId: 'ben', now }).refuses('email_taken'));
  it('gives a released one to the next user', () =>
    given(claimed, released)
      .when({ type: 'Claim', userId: 'ben', now })
      .emits({ ...claimed, userId: 'ben' }));
});

describe('giving an e-mail address back', () => {
  it('is for its holder', () => given(claimed).when({ type: 'Release', userId: 'ann' }).emits(released));
  it('does nothing for another user', () => given(claimed).when({ type: 'Release', userId: 'ben' }).emits());
  it('does nothing the second time', () => given(claimed, released).when({ type: 'Release', userId: 'ann' }).emits());
});

describe('taking an e-mail address over', () => {
  const takeOver = { type: 'TakeOver', from: 'ann', userId: 'ben', now } as const;
  it('is for a caller who has seen that it has no holder', () =>
    given(claimed)
      .when(takeOver)
      .emits({ ...claimed, userId: 'ben' }));
  it('is not for a caller who has seen another holder', () =>
    given({ ...claimed, userId: 'cat' })
      .when(takeOver)
      .refuses('email_taken'));
  it('does nothing the second time', () =>
    given(claimed, { ...claimed, userId: 'ben' })
      .when(takeOver)
      .emits());
});
