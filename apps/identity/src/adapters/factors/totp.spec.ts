import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { generateSync } from 'otplib';
import { newTotpSecret, stepOfCode } from './totp.ts';

const STEP = 58_000_000;
const STEP_SECONDS = 30;
const secret = newTotpSecret();
const codeOf = (step: number) => generateSync({ secret, epoch: step * STEP_SECONDS });
const [first, last] = [0, STEP_SECONDS * 1000 - 1].map((millis) => Instant.ofMillis(STEP * STEP_SECONDS * 1000 + millis)) as [
  Instant,
  Instant,
];

describe('a code of an authenticator app', () => {
  it.each([-1, 0, 1])('is accepted throughout the step %d after the current one', (away) => {
    for (const now of [first, last]) expect(stepOfCode(secret, codeOf(STEP + away), now)).toBe(STEP + away);
  });
  it.each([-3, -2, 2, 3])('is wrong throughout the step %d after the current one', (away) => {
    for (const now of [first, last]) expect(stepOfCode(secret, codeOf(STEP + away), now)).toBeNull();
  });
  it.each(['', '12345', '1234567', '12345a', ' 123456'])('is wrong as %j', (code) => expect(stepOfCode(secret, code, first)).toBeNull());
});
