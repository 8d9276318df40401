import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@parlance/observability';
import { issuedTo, readIssuedTo } from './issued-to.ts';

const caller = (more: Partial<Caller>): Caller => ({ userId: 'ann', groups: [], sessionId: null, kind: 'user', ...more });

describe('the session or token that a signed address is issued to', () => {
  it('is the session with its user', () => {
    const text = issuedTo(caller({ sessionId: 's1' }));
    expect(readIssuedTo(text!)).toEqual({ sessionId: 's1', userId: 'ann' });
  });

  it('is the personal access token', () => {
    const text = issuedTo(caller({ tokenId: 't1' }));
    expect(readIssuedTo(text!)).toEqual({ tokenId: 't1' });
  });

  it('is null for a caller with neither', () => expect(issuedTo(caller({}))).toBeNull());

  it.each(['', 'session', 'session.s1', 'session.s1.', 'session.s1.ann.x', 'token', 'token.', 'token.t1.ann', 'key.k1'])(
    'cannot be read from %j',
    (text) => expect(readIssuedTo(text)).toBeNull(),
  );
});
