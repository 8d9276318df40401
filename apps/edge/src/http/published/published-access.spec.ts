import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PublishedApi, PublishedKey } from '../../adapters/published-copies.ts';
import { AddressRanges } from '../addresses/address-ranges.ts';
import { SessionStreams } from '../authentication/session-streams.ts';
import { PublishedAccess } from './published-access.ts';
import type { PublishedAddress } from './published-address.ts';
import { PublishedStreams } from './published-streams.ts';

const hash = Buffer.from('hash');
const address = { apiId: 'a1', stage: 'api', below: '/conversation' } as PublishedAddress;
const presented = { keyId: 'k1', hash };

describe('the right to call a published bot', () => {
  const revoked = new Set<string>();
  let api: PublishedApi | null;
  /** Runs while the key is read. */
  let whileKeyIsRead: () => void;
  beforeEach(() => {
    revoked.clear();
    api = { apiId: 'a1', revision: 'api 1', stage: 'api', ownerNames: ['user:u1'] } as unknown as PublishedApi;
    whileKeyIsRead = () => undefined;
  });
  const key = { keyId: 'k1', revision: 'key 1', hash, enabled: true, expiresAt: null, ranges: new AddressRanges([]) } as PublishedKey;
  const isRevoked = (names: readonly string[]) => names.some((name) => revoked.has(name));
  const copies = {
    knownApi: () => api,
    api: async () => api,
    knownKey: () => undefined,
    key: async () => {
      whileKeyIsRead();
      return key;
    },
    isKnownRevoked: isRevoked,
  };
  const owners = { anyRevoked: isRevoked, isKnownRevoked: isRevoked };
  const make = () =>
    new PublishedAccess(copies as never, owners as never, { now: () => 0 } as never, new PublishedStreams(), new SessionStreams());

  it.each([
    [
      'the API ends',
      () => {
        api = null;
        revoked.add('api 1');
      },
    ],
    ['its owner is disabled', () => void revoked.add('user:u1')],
  ])('is gone when %s while the key is read', async (_, end) => {
    whileKeyIsRead = end;
    await expect(make().stillValid(address, presented, '')).rejects.toMatchObject({ code: 'not_published' });
  });
  it('ends a stream whose owner was disabled before the stream was added', async () => {
    const access = make();
    const call = await access.stillValid(address, presented, '');
    const res = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => (res.destroyed = true) });
    revoked.add('user:u1');
    access.endWithKey(call, address, presented, '', res as unknown as ServerResponse);
    expect(res.destroyed).toBe(true);
  });
});
