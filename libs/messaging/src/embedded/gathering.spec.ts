import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { patience } from '@parlance/testing';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { eventually } from '../../test/contract/harness.ts';
import { counted, countingWorld, other, topic } from '../../test/counting-world.ts';
import type { Delivery, RetryPolicy } from '../broker.ts';

const harnesses = new EmbeddedHarnesses();
afterEach(() => void jest.restoreAllMocks());
afterEach(() => harnesses.close());

/** Events do not wait for real time to pass: the spec ends their wait. */
function neverOver() {
  const real = globalThis.setTimeout;
  const waiting: (() => void)[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, delay?: number) => {
    if (delay !== 60) return real(callback, delay);
    waiting.push(callback);
    return real(() => undefined, 2 ** 30).unref();
  }) as typeof setTimeout);
  return () => waiting.splice(0).forEach((callback) => callback());
}

/** A group that gathers, which has handled the batches in `handled`. `hold` keeps the next one from being handled until its result is called. */
async function gathering(fails = false, retry?: RetryPolicy) {
  const elapse = neverOver();
  const { append, open, counting } = await countingWorld(harnesses);
  const broker = await open(retry);
  const log = await broker.enter(counting);
  const handled: number[][] = [];
  let held: Promise<void> | undefined;
  const handle = async (deliveries: readonly Delivery[]) => {
    await held;
    if (fails) throw new Error('no');
    handled.push(deliveries.map(({ event }) => (event.data as { n: number }).n));
  };
  const batch = { events: 500, bytes: 1024 * 1024 };
  const subscription = await broker.subscribe({ group: 'group', topics: [topic], types: [counted], batch, mayGather: true, handle });
  return {
    handled,
    elapse,
    broker,
    flush: () => subscription.flush!(),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    /** Resolves when the broker has read the events. */
    append: async (...numbers: readonly number[]) => {
      const before = await log.position();
      for (const n of numbers) await append(n < 0 ? other : counted, n);
      await eventually(patience(60_000), async () => expect(await log.position()).toBe(before + numbers.length));
    },
    end: async () => {
      await subscription.stop();
      await broker.close();
    },
  };
}

describe('a group that gathers', () => {
  it('handles events that arrive shortly after each other in one batch', async () => {
    const { append, handled, elapse, end } = await gathering();
    await append(1, -1);
    await append(2);
    expect(handled).toEqual([]);
    elapse();
    await eventually(patience(60_000), () => expect(handled).toEqual([[1, 2]]));
    await end();
  });

  it('handles the waiting events before a read', async () => {
    const { append, handled, flush, end } = await gathering();
    expect(flush()).toBeUndefined();
    await append(1, 2);
    await flush();
    expect(handled).toEqual([[1, 2]]);
    await eventually(patience(60_000), () => expect(flush()).toBeUndefined());
    await end();
  });

  it('handles for a read what arrived during a delivery as well', async () => {
    const { append, handled, flush, hold, end } = await gathering();
    const release = hold();
    await append(1);
    const first = flush();
    await append(2);
    const second = flush();
    release();
    await Promise.all([first, second]);
    expect(handled).toEqual([[1], [2]]);
    await end();
  });

  it('does not wait for a retry of what failed', async () => {
    const { append, handled, flush, broker, end } = await gathering(true);
    await append(1);
    await flush();
    expect(handled).toEqual([]);
    await eventually(patience(60_000), async () => expect(await broker.countDeadLetters('group')).toBe(1));
    await end();
  });

  it('lets reads pass while it waits for its next try', async () => {
    const { append, handled, flush, end } = await gathering(true, { attempts: 2, firstDelayMs: 2 ** 30, maxDelayMs: 2 ** 30 });
    await append(1);
    await flush();
    await append(2);
    await flush();
    expect(handled).toEqual([]);
    await end();
  });

  it('does not wait if there are many events', async () => {
    const { append, handled, end } = await gathering();
    await append(...Array.from({ length: 64 }, (_, n) => n));
    await eventually(patience(60_000), () => expect(handled.flat()).toHaveLength(64));
    await end();
  });

  it('leaves waiting events to the next start', async () => {
    const { append, handled, end } = await gathering();
    await append(1);
    await end();
    expect(handled).toEqual([]);
  });
});
