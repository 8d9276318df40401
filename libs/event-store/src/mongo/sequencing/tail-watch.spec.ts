import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { TailDocument } from '../documents.ts';
import { TailWatch } from './tail-watch.ts';

/** A stream of changes whose server answers when the test does. */
class Stream extends EventEmitter {
  asked = 0;
  next = (): Promise<object | null> => new Promise(() => undefined);

  tryNext(): Promise<object | null> {
    this.asked++;
    return this.next();
  }

  async close(): Promise<void> {}
}

describe('the watch of the tail of a log', () => {
  let streams: Stream[];
  let batches: (number | null)[];
  let watch: TailWatch;
  /** What the streams that are opened from now on answer. */
  let next: Stream['next'] | undefined;
  const newest = () => streams.at(-1)!;
  const later = (millis: number) => jest.advanceTimersByTimeAsync(millis);
  const open = () => {
    const stream = new Stream();
    if (next) stream.next = next;
    streams.push(stream);
    return stream;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    [streams, batches, next] = [[], [], undefined];
  });
  const start = () => (watch = new TailWatch({ watch: open } as unknown as Collection<TailDocument>, (batch) => batches.push(batch)));
  afterEach(async () => {
    newest().next = () => Promise.reject(new Error('closed'));
    jest.useRealTimers();
  });

  it('begins with an unknown batch, because one may have been made before, and then passes on the numbers', async () => {
    const change = Promise.withResolvers<object>();
    next = () => (newest().asked === 1 ? change.promise : new Promise(() => undefined));
    start();
    expect([watch.isLive, batches]).toEqual([false, []]);
    newest().emit('resumeTokenChanged');
    newest().emit('resumeTokenChanged');
    expect([watch.isLive, batches]).toEqual([true, [null]]);
    change.resolve({ updateDescription: { updatedFields: { batch: 7 } } });
    await later(0);
    expect(batches).toEqual([null, 7]);
  });
  it('is not live when the server has not answered for long', async () => {
    start();
    newest().emit('resumeTokenChanged');
    await later(24_000);
    expect(watch.isLive).toBe(true);
    await later(2_000);
    expect(watch.isLive).toBe(false);
  });
  it('is not live after the end of a stream', async () => {
    const end = Promise.withResolvers<null>();
    next = () => end.promise;
    start();
    newest().emit('resumeTokenChanged');
    next = undefined;
    end.reject(new Error('the server offers no change streams'));
    await later(1_000);
    expect([watch.isLive, streams.length]).toEqual([false, 1]);
  });
  it('asks a server at most eight times a second that does not wait for a change', async () => {
    next = () => (newest().asked > 100 ? new Promise(() => undefined) : Promise.resolve(null));
    start();
    await later(1_000);
    expect(newest().asked).toBeLessThanOrEqual(10);
  });
  it('ends a stream whose server answers at each write of others, and begins another later', async () => {
    next = () => Promise.resolve(null);
    start();
    newest().emit('resumeTokenChanged');
    await later(3_000);
    // The end is passed on as well, because the log must be read by other means from now on.
    expect([watch.isLive, newest().asked, batches]).toEqual([false, 10, [null, null]]);
    await later(26_000);
    expect(streams.length).toBe(1);
    await later(4_000);
    expect(streams.length).toBe(2);
  });
  it('keeps a stream whose server answers at the few writes of an idle installation', async () => {
    // The first answer after each pause comes at once, because something was written during the pause.
    next = () => new Promise((resolve) => setTimeout(() => resolve(null), newest().asked % 2 === 1 ? 0 : 50));
    start();
    newest().emit('resumeTokenChanged');
    await later(20_000);
    expect([watch.isLive, streams.length]).toEqual([true, 1]);
  });
});
