import { refuse } from '@parlance/decider';

/** The refusal of a field that contradicts another one. */
export function invalid(path: string, message: string) {
  return refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
}
