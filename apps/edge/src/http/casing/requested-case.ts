import { isJson } from '../routing/operation.ts';

export type Case = 'snake' | 'camel';

/** Longer values are ignored: no real client sends them. */
const LONGEST = 1_000;

/** The case of names that an `Accept` header requests, as a parameter of JSON: `application/json; case=camel`. Null if it has none. */
export function requestedCase(accept: string | undefined): Case | null {
  if (accept === undefined || accept.length > LONGEST || !/case/i.test(accept)) return null;
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    if (!isJson(type)) continue;
    for (const parameter of parameters) {
      const value = /^case[ \t]*=[ \t]*("?)(camel|snake)\1$/.exec(parameter)?.[2];
      if (value !== undefined) return value as Case;
    }
  }
  return null;
}
