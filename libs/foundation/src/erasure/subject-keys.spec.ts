import { describe, expect, it, jest } from '@jest/globals';
import type { ServiceCalls } from '@parlance/calls';
import { refuse } from '@parlance/decider';
import { loadMasterKey, SubjectKeys } from '@parlance/privacy';
import { SharedSubjectKeys, transportKey, userKeyFromIdentity } from './subject-keys.ts';

describe("a user's key from the identity service", () => {
  const master = loadMasterKey({ value: Buffer.alloc(32, 7).toString('base64') });
  const keyWhen = (error: Error) => {
    const calls = { get: async () => Promise.reject(error) } as unknown as ServiceCalls;
    return userKeyFromIdentity(calls, master, 'user:ann');
  };

  it('comes under a key of its own, or under the master key from the last release', async () => {
    const key = Buffer.alloc(32, 3);
    const keyFrom = (answer: object) =>
      userKeyFromIdentity({ get: async () => answer } as unknown as ServiceCalls, master, 'user:ann').then((found) =>
        Buffer.from(found!.bytes()),
      );
    expect(await keyFrom({ wrapped: 'm1.other.key', transported: transportKey(master).wrap(key, 'user:ann') })).toEqual(key);
    expect(await keyFrom({ wrapped: master.wrap(key, 'user:ann') })).toEqual(key);
  });
  it('is null when it was destroyed', async () =>
    expect(await keyWhen(refuse('missing', 'subject_key_gone', 'This user was erased.'))).toBeNull());
  it('is not considered destroyed when identity refuses the call for another reason', async () => {
    const refusal = refuse('unavailable', 'service_unavailable', 'The service identity cannot be reached now.');
    await expect(keyWhen(refusal)).rejects.toBe(refusal);
  });
  it('is not considered destroyed when the call fails', async () => {
    const error = Object.assign(new Error('reset'), { code: 'subject_key_gone' });
    await expect(keyWhen(error)).rejects.toBe(error);
  });
});

describe('keys shared among services', () => {
  it('are prepared without a read if the subject is declared new', async () => {
    const prepared = { key: undefined as never, companions: [] };
    const own = { prepare: jest.fn(), prepareNew: jest.fn(async () => prepared) } as unknown as SubjectKeys;
    const talk = { id: 'conversation:1', within: 'user:ann' };
    expect(await new SharedSubjectKeys(own, async () => null).prepareNew(talk)).toBe(prepared);
    expect(own.prepare).not.toHaveBeenCalled();
  });
});
