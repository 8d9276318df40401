import { type Refusal, refuse } from '@parlance/decider';

/** The refusal of a parameter `after` that names nothing, such as an item that was deleted since the page before. */
export function unknownAfter(what: string): Refusal {
  const message = `must be the ID of ${what}`;
  return refuse('invalid', 'invalid_query', `The parameter after ${message}.`, { errors: [{ path: 'after', message }] });
}
