import { refuse } from '@parlance/decider';

/** The routes open to a user whose password was chosen by an administrator. */
const LEFT: ReadonlySet<string> = new Set(['POST /auth/password', 'POST /auth/sign-out', 'GET /user/me', 'HEAD /user/me']);

/** Throws the refusal `password_change_required` (forbidden), unless this is one of the ways out. */
export function requirePasswordChange(method: string, path: string): void {
  if (LEFT.has(`${method} ${path}`)) return;
  throw refuse(
    'forbidden',
    'password_change_required',
    'The password has to be changed first: POST /auth/password with current_password and new_password; its answer has tokens that open the rest.',
  );
}
