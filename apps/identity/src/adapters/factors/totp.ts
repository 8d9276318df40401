import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Instant } from '@parlance/decider';

const ISSUER = 'Parlance';
/** A code is accepted for one time step before and after its own, because clocks differ. */
const TOLERANCE_SECONDS = 30;

export const newTotpSecret = (): string => generateSecret();

/** For the QR code that an authenticator app reads. */
export const totpUri = (secret: string, label: string): string => generateURI({ issuer: ISSUER, label, secret });

/** The time step of the code, or null if the code is wrong. */
export function stepOfCode(secret: string, code: string, now: Instant): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const checked = verifySync({ secret, token: code, epoch: Math.floor(now / 1000), epochTolerance: TOLERANCE_SECONDS });
  return checked.valid && 'timeStep' in checked ? checked.timeStep : null;
}
