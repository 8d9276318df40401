import { refuse } from '@parlance/decider';

/** The routes that remain open to a user with a password that an administrator chose. */
const ALLOWED: ReadonlySet<string> = new Set(['POST /auth/password', 'POST /auth/sign-out', 'GET /user/me', 'HEAD /user/me']);

/** Throws the refusal `password_change_required` (forbidden), unless the route is one of these. */
export function requirePasswordChange(method: string, path: string): void {
  if (ALLOWED.has(`${method} ${path}`)) return;
  throw refuse(
    'forbidden',
    'password_change_required',
    'The password must be changed first. Send POST /auth/password with current_password and new_password. The response has tokens for all other routes.',
  );
}
