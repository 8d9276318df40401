import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { NotificationWatch } from './notification-watch.ts';

describe('the watch of a stream', () => {
  const newest = new Map<string, string>();
  const watch = new NotificationWatch(
    { execute: async () => newest } as never,
    {
      pause: (_: number, signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
    } as never,
  );
  const { signal } = new AbortController();
  const isWoken = async (changed: Promise<void>) => {
    let isDone = false;
    void changed.then(() => (isDone = true));
    await setImmediate();
    return isDone;
  };

  it('wakes it for new notifications of its audiences, also if they arrive before it waits', async () => {
    const reader = watch.join(['user:ann']);
    await watch.look();
    expect(await isWoken(reader.changed(signal))).toBe(true);
    const waiting = reader.changed(signal);
    newest.set('user:ben', 'n1');
    await watch.look();
    expect(await isWoken(waiting)).toBe(false);
    newest.set('user:ann', 'n2');
    await watch.look();
    expect(await isWoken(waiting)).toBe(true);
    newest.set('user:ann', 'n3');
    await watch.look();
    expect(await isWoken(reader.changed(signal))).toBe(true);
    reader.leave();
  });
  it('ends with it', () => expect(watch.isIdle).toBe(true));
});
