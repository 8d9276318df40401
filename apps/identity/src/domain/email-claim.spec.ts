import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { emailClaim } from './email-claim.ts';

const given = specify(emailClaim);
const now = Instant.ofSeconds(1_800_000_000);
const claimed = { type: 'EmailClaimed', userId: 'ann', at: now } as const;
const released = { type: 'EmailReleased', userId: 'ann' } as const;

describe('claiming an e-mail address', () => {
  it('gives a free address to the first user', () => given().when({ type: 'Claim', userId: 'ann', now }).emits(claimed));
  it('does nothing for the user who has it', () => given(claimed).when({ type: 'Claim', userId: 'ann', now }).emits());
  it('refuses other users', () => given(claimed).when({ type: 'Claim', userId: 'ben', now }).refuses('email_taken'));
  it('gives a released address to the next user', () =>
    given(claimed, released)
      .when({ type: 'Claim', userId: 'ben', now })
      .emits({ ...claimed, userId: 'ben' }));
});

describe('releasing an e-mail address', () => {
  it('succeeds for the user who has it', () => given(claimed).when({ type: 'Release', userId: 'ann' }).emits(released));
  it('does nothing for another user', () => given(claimed).when({ type: 'Release', userId: 'ben' }).emits());
  it('does nothing the second time', () => given(claimed, released).when({ type: 'Release', userId: 'ann' }).emits());
});

describe('taking over an e-mail address', () => {
  const takeOver = { type: 'TakeOver', from: 'ann', userId: 'ben', now } as const;
  it('succeeds for a caller who has seen that no user has it', () =>
    given(claimed)
      .when(takeOver)
      .emits({ ...claimed, userId: 'ben' }));
  it('is refused if the caller has seen another user than the present one', () =>
    given({ ...claimed, userId: 'cat' })
      .when(takeOver)
      .refuses('email_taken'));
  it('does nothing the second time', () =>
    given(claimed, { ...claimed, userId: 'ben' })
      .when(takeOver)
      .emits());
});
