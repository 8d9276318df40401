import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { timersOf } from '@parlance/testing';
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
  let key: PublishedKey;
  let streams: PublishedStreams;
  /** Called while the key is read. */
  let whileKeyIsRead: () => void;
  beforeEach(() => {
    revoked.clear();
    api = { apiId: 'a1', revision: 'api 1', stage: 'api', ownerNames: ['user:u1'] } as unknown as PublishedApi;
    key = { keyId: 'k1', revision: 'key 1', hash, enabled: true, expiresAt: null, ranges: new AddressRanges([]) } as PublishedKey;
    streams = new PublishedStreams();
    whileKeyIsRead = () => undefined;
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });
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
    new PublishedAccess(copies as never, owners as never, { now: () => Date.now() } as never, streams, new SessionStreams());
  /** A stream that is added with the current rights. */
  const begin = async (access = make(), meanwhile = () => undefined as unknown) => {
    const call = await access.stillValid(address, presented, '');
    const res = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => (res.destroyed = true) });
    meanwhile();
    access.endWithKey(call, { address, presented, ip: '' }, res as unknown as ServerResponse);
    return res;
  };

  it.each([
    [
      'the API ends',
      () => {
        api = null;
        revoked.add('api 1');
      },
    ],
    ['its owner is disabled', () => void revoked.add('user:u1')],
  ])('refuses the call if %s while the key is read', async (_, end) => {
    whileKeyIsRead = end;
    await expect(make().stillValid(address, presented, '')).rejects.toMatchObject({ code: 'not_published' });
  });
  it('ends a stream whose owner was disabled before the stream was added', async () => {
    const res = await begin(make(), () => revoked.add('user:u1'));
    expect(res.destroyed).toBe(true);
  });
  it('ends a stream at the second at which its key expires', async () => {
    jest.useFakeTimers({ now: 1_790_000_000_500 });
    key = { ...key, expiresAt: 1_790_000_010 };
    const res = await begin();
    await jest.advanceTimersByTimeAsync(9_499);
    expect(res.destroyed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(res.destroyed).toBe(true);
  });
  it.each<[string, number | null]>([
    ['that did not expire', null],
    ['that would have expired earlier', 1_790_000_005],
  ])('ends a stream at the new expiry of a key %s', async (_, expiresAt) => {
    jest.useFakeTimers({ now: 1_790_000_000_000 });
    key = { ...key, expiresAt };
    const res = await begin();
    key = { ...key, revision: 'key 2', expiresAt: 1_790_000_010 };
    revoked.add('key 1');
    await streams.revoked('key 1');
    await jest.advanceTimersByTimeAsync(9_999);
    expect(res.destroyed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(res.destroyed).toBe(true);
  });
  it('ends no stream whose key no longer expires', async () => {
    jest.useFakeTimers({ now: 1_790_000_000_000 });
    const timers = timersOf(jest, 10_000);
    key = { ...key, expiresAt: 1_790_000_010 };
    const res = await begin();
    expect(timers.running).toHaveLength(1);
    key = { ...key, revision: 'key 2', expiresAt: null };
    revoked.add('key 1');
    await streams.revoked('key 1');
    await jest.advanceTimersByTimeAsync(10_000);
    expect([res.destroyed, timers.running]).toEqual([false, []]);
  });
});
