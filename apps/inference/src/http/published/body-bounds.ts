import { refused } from '@parlance/http';

/** Items of one array in a body. */
export const MOST_ITEMS = 1_000;
/** Members of one object in a body. */
export const MOST_MEMBERS = 100;
/** Members and items of a whole body. 1,000 messages with a tool call or result each have 8,500. */
export const MOST_VALUES = 10_000;

/**
 * Throws the refusal `invalid_body` (invalid) for a body that is larger than any client needs. Schemas validate all values in one step, and create
 * an error for each invalid one: 45,000 invalid values in an object block all other requests for half a second. This check takes 1 ms for 10,000
 * values.
 */
export function requireBounded(body: unknown): void {
  let left = MOST_VALUES;
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const isArray = Array.isArray(value);
    const names = Object.keys(value);
    if (isArray && names.length > MOST_ITEMS) throw tooLarge(path, `must have at most ${MOST_ITEMS} items`);
    if (!isArray && names.length > MOST_MEMBERS) throw tooLarge(path, `must have at most ${MOST_MEMBERS} members`);
    left -= names.length;
    if (left < 0) throw tooLarge('', `must have at most ${MOST_VALUES} values`);
    for (const name of names) {
      const below = isArray ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      visit((value as Readonly<Record<string, unknown>>)[name], below);
    }
  };
  visit(body, '');
}

const tooLarge = (path: string, message: string): Error => refused('invalid_body', [{ path, message }]);
