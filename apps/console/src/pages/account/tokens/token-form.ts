import type { CreateTokenBody } from '@parlance/client/types';
import { secondsOf } from '../../../calendar/local-time.ts';

export type Scope = CreateTokenBody['scopes'][number];

/** In the order of the form. The type requires every scope that the server accepts. */
const OFFERED: Readonly<Record<Scope, 'everybody' | 'administrators'>> = {
  chat: 'everybody',
  approve: 'everybody',
  'bots:read': 'everybody',
  'bots:write': 'everybody',
  publish: 'everybody',
  models: 'everybody',
  'admin:read': 'administrators',
  'admin:write': 'administrators',
  'exports:read': 'administrators',
};
const SCOPES = Object.keys(OFFERED) as readonly Scope[];

export const isScope = (scope: string): scope is Scope => (SCOPES as readonly string[]).includes(scope);

/** The scopes a user can choose. Administrator scopes would be useless in the token of any other user. */
export const scopesFor = (isAdmin: boolean): readonly Scope[] => SCOPES.filter((scope) => isAdmin || OFFERED[scope] === 'everybody');

/** The fields of a new token. `expires` is the value of a `datetime-local` field, or empty. */
export interface TokenFields {
  readonly description: string;
  readonly scopes: readonly string[];
  readonly expires: string;
  readonly ranges: string;
}

export const NEW_TOKEN: TokenFields = { description: '', scopes: [], expires: '', ranges: '' };

export function bodyOf({ description, scopes, expires, ranges }: TokenFields): CreateTokenBody {
  const expires_at = secondsOf(expires);
  const allowed_ip_ranges = ranges.split('\n').flatMap((line) => line.trim() || []);
  return {
    description: description.trim(),
    // In the order of the form, not of the clicks.
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    ...(expires_at !== undefined && { expires_at }),
    ...(allowed_ip_ranges.length > 0 && { allowed_ip_ranges }),
  };
}
