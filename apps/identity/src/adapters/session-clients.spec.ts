import { describe, expect, it } from '@jest/globals';
import { RequestContext } from '@parlance/observability';
import { Shredded, type Vault } from '@parlance/privacy';
import { SessionClients } from './session-clients.ts';

const vault = {
  seal: async (_: unknown, plain: string) => `sealed ${plain}`,
  open: async (text: string) => text.replace('sealed ', ''),
} as unknown as Vault;
const clients = new SessionClients(vault);
const markOf = (key: string | undefined, userAgent: string | null) =>
  RequestContext.run({ ...RequestContext.background(), userAgent }, () => clients.current(key));

describe('the mark of a client', () => {
  it('distinguishes user agents, including an absent one, and differs between sessions', async () => {
    const [one, other] = [await clients.newKey('ann'), await clients.newKey('ann')];
    const marks = [await markOf(one, 'Firefox'), await markOf(one, 'Safari'), await markOf(one, null), await markOf(other, 'Firefox')];
    expect(new Set(marks).size).toBe(4);
    expect(marks.every((mark) => /^[\w-]{22}$/.test(mark!))).toBe(true);
    expect(await markOf(one, 'Firefox')).toBe(marks[0]);
  });

  it('is absent in a session without a key, and for a user whose key is destroyed', async () => {
    expect(await markOf(undefined, 'Firefox')).toBeUndefined();
    const erased = new SessionClients({ ...vault, open: async () => null } as never);
    expect(await erased.current('sealed')).toBeUndefined();
  });

  it('has no key for a user who was erased, and fails when keys cannot be read', async () => {
    const failing = (error: Error) => new SessionClients({ seal: () => Promise.reject(error) } as never);
    expect(await failing(new Shredded('ann')).newKey('ann')).toBeUndefined();
    await expect(failing(new Error('away')).newKey('ann')).rejects.toThrow('away');
  });
});
