import { beforeEach, describe, expect, it } from '@jest/globals';
import { OBJECT_STORE_CHECK_MS, ObjectStoreDown, ObjectStoreHealth } from './object-store-health.ts';

describe('the health of the object store', () => {
  let now: number;
  let checks: number;
  let answer: () => Promise<void>;
  let health: ObjectStoreHealth;
  beforeEach(() => {
    [now, checks] = [0, 0];
    answer = async () => undefined;
    const check = () => {
      checks++;
      return answer();
    };
    const clock = () => now;
    health = new ObjectStoreHealth(check, clock, clock);
  });

  it('sends no check until someone asks, and then one for all who ask within some seconds', async () => {
    expect(checks).toBe(0);
    const states = await Promise.all([health.state(), health.state(), health.check()]);
    now = OBJECT_STORE_CHECK_MS - 1;
    await health.check();
    expect([checks, states[0]]).toEqual([1, { status: 'up', since: 0, latency_ms: expect.any(Number), bytes: null }]);
    now = OBJECT_STORE_CHECK_MS;
    await health.check();
    expect(checks).toBe(2);
  });

  it('is down since the first failed check, with the cause, and recovers', async () => {
    await health.check();
    answer = () => Promise.reject(new Error('connect ECONNREFUSED'));
    now = 10_000;
    expect(await health.state()).toEqual({ status: 'down', since: 10, latency_ms: null, bytes: null });
    now = 20_000;
    const error = await health.check().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ObjectStoreDown);
    expect(error).toMatchObject({ cause: { message: 'connect ECONNREFUSED' } });
    expect((await health.state()).since).toBe(10);
    answer = async () => undefined;
    now = 30_000;
    await health.check();
    expect((await health.state()).status).toBe('up');
  });

  it('is down if the store does not answer, whatever it answered before', async () => {
    answer = () => Promise.reject(new Error('connect ECONNREFUSED'));
    await expect(health.check()).rejects.toBeInstanceOf(ObjectStoreDown);
    now = 10_000;
    answer = () => new Promise(() => {});
    await expect(health.check()).rejects.toMatchObject({ cause: expect.stringContaining('no answer') });
  });
});
