import { describe, expect, it } from '@jest/globals';
import { type Access, barrier, callerOf } from './access.ts';
import type { CallerStatement } from './caller-statement.ts';

const anonymous: CallerStatement = { sub: null, groups: [], sid: null, kind: 'anonymous', ip: '::1', ua: null, rid: 'r', cid: 'r' };
const user: CallerStatement = { ...anonymous, sub: 'u1', sid: 's1', kind: 'user' };
const admin: CallerStatement = { ...user, groups: ['Admin'] };
const service: CallerStatement = { ...anonymous, sub: 'bots', kind: 'service', call: true };

const called = { apiId: 'a1', botId: 'b1', keyId: 'k1' };
const api: CallerStatement = { ...anonymous, sub: 'u1', kind: 'api', api: called };

const who = { none: null, anonymous, user, admin, service, api, calledForUser: { ...user, call: true as const } };
const needs = (group: string): Access => ({ to: 'group', group });

describe('access to a route', () => {
  it.each<[Access, Record<keyof typeof who, string | null>]>([
    [{ to: 'anyone' }, { none: null, anonymous: null, user: null, admin: null, service: null, api: null, calledForUser: null }],
    [{ to: 'users' }, { none: '401', anonymous: '401', user: null, admin: null, service: '401', api: '401', calledForUser: null }],
    [needs('Admin'), { none: '401', anonymous: '401', user: '403', admin: null, service: '401', api: '401', calledForUser: '403' }],
    [
      needs('PublishAllowed'),
      { none: '401', anonymous: '401', user: '403', admin: null, service: '401', api: '401', calledForUser: '403' },
    ],
    [needs('Marketing'), { none: '401', anonymous: '401', user: '403', admin: '403', service: '401', api: '401', calledForUser: '403' }],
    [{ to: 'services' }, { none: '404', anonymous: '404', user: '404', admin: '404', service: null, api: '404', calledForUser: null }],
    [{ to: 'apis' }, { none: '403', anonymous: '403', user: '403', admin: '403', service: '403', api: null, calledForUser: '403' }],
  ])('for %p', (rule, expected) => {
    const statuses = { unauthenticated: '401', forbidden: '403', missing: '404' } as Record<string, string>;
    for (const [name, statement] of Object.entries(who)) {
      const refusal = barrier(rule, statement);
      expect([name, refusal && statuses[refusal.kind]]).toEqual([name, expected[name as keyof typeof who]]);
    }
  });

  it('provides the called published bot and the API key', () => {
    expect(callerOf(api)).toEqual({ userId: 'u1', groups: [], sessionId: null, kind: 'api', api: called });
  });

  it('reports an anonymous caller as not signed in, and other callers as the statement describes them', () => {
    expect(callerOf(anonymous)).toBeNull();
    expect(callerOf({ ...admin, email: 'ada@example.org' })).toEqual({
      userId: 'u1',
      email: 'ada@example.org',
      groups: ['Admin'],
      sessionId: 's1',
      kind: 'user',
    });
  });
});
