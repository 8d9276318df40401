import { refuse } from '@parlance/decider';

/** The routes that remain open while a session lacks the second factor that a group of the user needs. */
const ALLOWED: ReadonlySet<string> = new Set([
  'POST /auth/password',
  'POST /auth/sign-out',
  'GET /user/me',
  'HEAD /user/me',
  'GET /user/me/factors',
  'HEAD /user/me/factors',
  'POST /user/me/factors/totp',
  'POST /user/me/factors/totp/confirm',
  'POST /user/me/factors/passkeys',
  'POST /user/me/factors/passkeys/confirm',
  'POST /user/me/step-up',
  'POST /user/me/step-up/passkey-options',
]);

/** Throws the refusal `second_factor_missing` (forbidden), unless the route is one of these. */
export function requireSecondFactor(method: string, path: string): void {
  if (ALLOWED.has(`${method} ${path}`)) return;
  throw refuse(
    'forbidden',
    'second_factor_missing',
    'One of your groups requires a second factor. Add one with POST /user/me/factors/totp or POST /user/me/factors/passkeys, or prove yours with POST /user/me/step-up. Then POST /auth/refresh returns tokens for all other routes.',
  );
}
