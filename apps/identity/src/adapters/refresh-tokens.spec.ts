import { describe, expect, it } from '@jest/globals';
import { LocalMasterKey } from '@parlance/privacy';
import { RefreshTokens } from './refresh-tokens.ts';

describe('refresh tokens', () => {
  const tokens = new RefreshTokens(new LocalMasterKey(Buffer.alloc(32, 7)));
  const ticket = { sessionId: '01K0000000000000000000000A', generation: 3 };
  const issued = tokens.issue(ticket);

  it('identify their session and generation', () => expect(tokens.read(issued)).toEqual(ticket));
  it.each([
    ['of another key', new RefreshTokens(new LocalMasterKey(Buffer.alloc(32, 8))).issue(ticket)],
    ['with another generation', issued.replace('.3.', '.4.')],
    ['with another session', issued.replace('0A.', '0B.')],
    ['with a leading zero', issued.replace('.3.', '.03.')],
    ['cut off', issued.slice(0, -1)],
    ['followed by something', `${issued}=`],
    ['only a prefix', 'prt_'],
    ['empty', ''],
  ])('are not recognised when they are %s', (_, token) => expect(tokens.read(token)).toBeNull());
});
