import { SetMetadata } from '@nestjs/common';
import { type Refusal, refuse } from '@parlance/decider';
import type { Caller } from '@parlance/observability';
import type { CallerStatement } from './caller-statement.ts';

/** The callers that a route admits. Without a declaration, a route is for signed-in users. */
export type Access =
  | { readonly to: 'users' | 'services' | 'apis' }
  /** `scheme`: the name in the OpenAPI document of the security scheme that the route checks itself. */
  /** `isIdentified`: a caller that sends an access token is identified by it, and refused if the token is not valid. */
  | { readonly to: 'anyone'; readonly scheme?: string; readonly isIdentified?: true }
  | { readonly to: 'group'; readonly group: string };

export const ACCESS = 'parlance:access';

type RouteOrController = MethodDecorator & ClassDecorator;
const access = (rule: Access): RouteOrController => SetMetadata(ACCESS, rule);

/** For all callers, including anonymous callers. */
export const Open = (): RouteOrController => access({ to: 'anyone' });

/** For anonymous callers and for signed-in users, who are identified: `@Caller() caller: Caller | null`. */
export const OpenOrSignedIn = (): RouteOrController => access({ to: 'anyone', isIdentified: true });

/** For callers with a credential other than an access token, which the route's own guard checks. */
export const CheckedHere = (scheme: string): RouteOrController => access({ to: 'anyone', scheme });

/** For any signed-in user. This is the default, stated explicitly. */
export const SignedIn = (): RouteOrController => access({ to: 'users' });

/** For users in a group. An Admin is also in `CreatingBotAllowed` and `PublishAllowed`. */
export const Needs = (group: string): RouteOrController => access({ to: 'group', group });

/** For programs with a key of a published bot, which the edge checks. The path begins with `published/:apiId/:stage/`. */
export const Published = (): RouteOrController => access({ to: 'apis' });

/** For calls between services on behalf of any caller. Requests that the edge forwards are refused. Not in the OpenAPI document. */
export const Internal = (): RouteOrController => access({ to: 'services' });

const IMPLIED_BY_ADMIN: ReadonlySet<string> = new Set(['CreatingBotAllowed', 'PublishAllowed']);

export const isInGroup = (caller: { readonly groups: readonly string[] }, group: string): boolean =>
  caller.groups.includes(group) || (IMPLIED_BY_ADMIN.has(group) && caller.groups.includes('Admin'));

/** The refusal of a request that the route does not admit, or null. For callers other than services, an internal route does not exist. */
export function barrier(rule: Access, statement: CallerStatement | null): Refusal | null {
  switch (rule.to) {
    case 'anyone':
      return null;
    case 'services':
      return statement?.call === true ? null : refuse('missing', 'no_such_route', 'Route not found.');
    case 'apis':
      return statement?.kind === 'api' && statement.api !== undefined ? null : keyRequired;
    case 'users':
      return statement?.kind === 'user' ? null : notSignedIn;
    case 'group':
      if (statement?.kind !== 'user') return notSignedIn;
      return isInGroup(statement, rule.group) ? null : refuse('forbidden', 'group_required', `This needs the group ${rule.group}.`);
  }
}

const keyRequired = refuse('forbidden', 'invalid_api_key', 'This needs a valid API key.');
const notSignedIn = refuse('unauthenticated', 'sign_in_required', 'Sign-in required.');

/** The caller in the form that the rest of the code uses; null for anonymous callers. */
export function callerOf(statement: CallerStatement): Caller | null {
  const { sub, email, groups, sid, tid, terms, kind, api } = statement;
  if (kind === 'anonymous' || sub === null) return null;
  const identity = { userId: sub, ...(email === undefined ? {} : { email }), groups, sessionId: sid, kind };
  return { ...identity, ...(tid !== undefined && { tokenId: tid }), ...(terms && { callTerms: terms }), ...(api && { api }) };
}
