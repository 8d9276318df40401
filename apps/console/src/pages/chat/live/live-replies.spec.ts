import { ParlanceError, type ReplyEvent } from '@parlance/client';
import { LiveReplies } from './live-replies.ts';

const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
const start: ReplyEvent = { id: '0', event: 'start', data: { conversation_id: 'c', message_id: 'r' } };
const delta = (text: string): ReplyEvent => ({ id: text, event: 'delta', data: { text } });
const done: ReplyEvent = { id: 'z', event: 'done', data: { message_id: 'r', stop_reason: 'end_turn', usage, cost: 1 } };

/** A stream whose events the test supplies. */
class SuppliedStream implements AsyncIterable<ReplyEvent> {
  private readonly waiting: ((result: IteratorResult<ReplyEvent>) => void)[] = [];
  private readonly events: ReplyEvent[] = [];
  private failure: ((error: Error) => void) | null = null;
  private isEnded = false;

  give(...events: ReplyEvent[]): void {
    for (const value of events) {
      const next = this.waiting.shift();
      if (next) next({ value, done: false });
      else this.events.push(value);
    }
  }

  end(): void {
    this.isEnded = true;
    this.waiting.shift()?.({ value: undefined, done: true });
  }

  fail(error: Error): void {
    this.failure?.(error);
  }

  [Symbol.asyncIterator](): AsyncIterator<ReplyEvent> {
    return {
      next: () =>
        new Promise((resolve, reject) => {
          const value = this.events.shift();
          if (value) return resolve({ value, done: false });
          if (this.isEnded) return resolve({ value: undefined, done: true });
          this.waiting.push(resolve);
          this.failure = reject;
        }),
    };
  }
}

/** Lets pending promises run. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

const setup = () => {
  const frames: (() => void)[] = [];
  const looks: { callback: () => void; millis: number; isCancelled: boolean }[] = [];
  const followed: { id: string; lastEventId: string | null; stream: SuppliedStream }[] = [];
  const live = new LiveReplies(
    {
      follow: (_, id, { lastEventId }) => {
        const stream = new SuppliedStream();
        followed.push({ id, lastEventId, stream });
        return stream;
      },
    },
    (callback) => frames.push(callback),
    (callback, millis) => {
      const look = { callback, millis, isCancelled: false };
      looks.push(look);
      return () => (look.isCancelled = true);
    },
  );
  const draw = () => {
    for (const frame of frames.splice(0)) frame();
  };
  return { live, frames, followed, looks, draw };
};

describe('replies that are being received', () => {
  it('notify pages once per frame, however many events have arrived', async () => {
    const { live, frames, followed, draw } = setup();
    let changes = 0;
    live.subscribe(() => changes++);
    live.follow('c', 'r');
    followed[0]!.stream.give(start, delta('a'), delta('b'), delta('c'));
    await settled();
    expect([frames.length, changes]).toEqual([1, 0]);
    draw();
    expect([changes, live.of('r')!.parts]).toEqual([1, [{ kind: 'text', text: 'abc' }]]);
  });
  it('start with a request, and continue without a page', async () => {
    const { live, draw } = setup();
    const stream = new SuppliedStream();
    const beginning = live.begin(() => stream);
    stream.give(start, delta('a'));
    expect(await beginning).toEqual({ conversationId: 'c', replyId: 'r' });
    stream.give(delta('b'), done);
    await settled();
    draw();
    expect(live.of('r')).toMatchObject({ phase: 'done', parts: [{ text: 'ab' }], cost: 1 });
  });
  it('do not begin when the request is refused', async () => {
    const { live } = setup();
    const stream = new SuppliedStream();
    const beginning = live.begin(() => stream);
    await settled();
    stream.fail(new ParlanceError('budget_exceeded', 'No money.', { status: 429 }));
    await expect(beginning).rejects.toMatchObject({ code: 'budget_exceeded' });
  });
  it.each<[string, (stream: SuppliedStream) => void]>([
    ['ends', (stream) => stream.end()],
    ['has another first event', (stream) => stream.give(delta('a'))],
  ])('do not begin when the stream %s before they begin', async (_, answer) => {
    const { live } = setup();
    const stream = new SuppliedStream();
    const beginning = live.begin(() => stream);
    await settled();
    answer(stream);
    await expect(beginning).rejects.toMatchObject({ code: 'stream_broken', message: 'The reply did not begin. Send it again.' });
  });
  it('are followed only once at a time, and not after they have ended', async () => {
    const { live, followed } = setup();
    live.follow('c', 'r');
    live.follow('c', 'r');
    expect(followed).toHaveLength(1);
    followed[0]!.stream.give(start, done);
    followed[0]!.stream.end();
    await settled();
    expect(live.isFollowing('r')).toBe(false);
    live.follow('c', 'r');
    expect(followed).toHaveLength(1);
  });
  it('continue after the last event, both after an approval and after a lost connection', async () => {
    const { live, followed, draw } = setup();
    live.follow('c', 'r');
    followed[0]!.stream.give(start, delta('a'), {
      id: 'p',
      event: 'approval',
      data: { call_id: '1', name: 't', input: {}, expires_at: 1 },
    });
    await settled();
    followed[0]!.stream.end();
    await settled();
    live.follow('c', 'r');
    expect(followed[1]).toMatchObject({ lastEventId: 'p' });
    followed[1]!.stream.give(delta('b'));
    await settled();
    followed[1]!.stream.fail(new ParlanceError('stream_broken', 'Broken.'));
    await settled();
    draw();
    expect(live.of('r')).toMatchObject({ phase: 'lost', error: { code: 'stream_broken' } });
    live.follow('c', 'r');
    expect(followed[2]).toMatchObject({ lastEventId: 'b' });
    draw();
    expect(live.of('r')!.phase).toBe('writing');
  });
  it('are polled when the time for an approval is over, and keep waiting without a connection', async () => {
    const { live, followed, looks, draw } = setup();
    const expires_at = Math.floor(Date.now() / 1_000) + 3_600;
    live.follow('c', 'r');
    followed[0]!.stream.give(start, { id: 'p', event: 'approval', data: { call_id: '1', name: 't', input: {}, expires_at } });
    await settled();
    followed[0]!.stream.end();
    await settled();
    expect(looks).toHaveLength(1);
    expect(looks[0]!.millis).toBeGreaterThan(3_500_000);
    looks[0]!.callback();
    expect(followed[1]).toMatchObject({ id: 'r', lastEventId: 'p' });
    followed[1]!.stream.fail(new ParlanceError('stream_broken', 'Broken.'));
    await settled();
    draw();
    expect([live.of('r')!.phase, looks.length]).toEqual(['waiting', 2]);
  });
  it('are polled when the page becomes visible again, if they wait for approval', async () => {
    const { live, followed, looks } = setup();
    live.follow('c', 'r');
    followed[0]!.stream.give(start, { id: 'p', event: 'approval', data: { call_id: '1', name: 't', input: {}, expires_at: 1 } });
    await settled();
    followed[0]!.stream.end();
    await settled();
    live.lookAtWaiting();
    expect([followed.length, looks[0]!.isCancelled]).toEqual([2, true]);
    followed[1]!.stream.give(delta('a'));
    await settled();
    live.lookAtWaiting();
    expect(followed).toHaveLength(2);
  });
  it('continue when the server is back after an outage, and are lost until then', async () => {
    const { live, followed, draw } = setup();
    live.follow('c', 'r');
    followed[0]!.stream.give(start, delta('a'));
    await settled();
    for (const index of [0, 1]) {
      followed[index]!.stream.fail(new ParlanceError('stream_broken', 'Broken.'));
      await settled();
      live.followLost();
      live.followLost();
      draw();
      expect([followed.length, live.of('r')!.phase]).toEqual([index + 2, 'lost']);
    }
    followed[2]!.stream.give(delta('b'), done);
    await settled();
    draw();
    expect(live.of('r')).toMatchObject({ phase: 'done', parts: [{ text: 'ab' }] });
  });
  it('are not requested again when the server has refused them', async () => {
    const { live, followed } = setup();
    live.follow('c', 'r');
    followed[0]!.stream.give(start);
    await settled();
    followed[0]!.stream.fail(new ParlanceError('conversation_not_found', 'Gone.', { status: 404 }));
    await settled();
    live.followLost();
    expect(followed).toHaveLength(1);
  });
  it('report each end once', async () => {
    const { live, followed } = setup();
    const ends: string[] = [];
    live.onEnd((conversationId, replyId, { phase }) => ends.push(`${conversationId} ${replyId} ${phase}`));
    live.follow('c', 'r');
    followed[0]!.stream.give(start, done);
    await settled();
    followed[0]!.stream.end();
    await settled();
    expect(ends).toEqual(['c r done']);
  });
  it('report no end to a listener that was removed', async () => {
    const { live, followed } = setup();
    const ends: string[] = [];
    const leave = live.onEnd((_, replyId) => ends.push(replyId));
    live.onEnd((_, replyId) => ends.push(`other ${replyId}`));
    leave();
    live.follow('c', 'r');
    followed[0]!.stream.give(start, done);
    followed[0]!.stream.end();
    await settled();
    expect(ends).toEqual(['other r']);
  });
  it('are forgotten when there are too many, but not while they are being received', async () => {
    const { live, followed, draw } = setup();
    const ids = Array.from({ length: 202 }, (_, index) => `r${index}`);
    for (const id of ids) live.follow('c', id);
    for (const { stream } of followed) stream.give(start);
    await settled();
    draw();
    for (const { stream } of followed.slice(1)) {
      stream.give(done);
      stream.end();
    }
    await settled();
    draw();
    expect(ids.filter((id) => live.of(id) === undefined)).toEqual(['r1', 'r2']);
    followed[0]!.stream.give(delta('still here'));
    await settled();
    draw();
    expect(live.of('r0')!.parts).toEqual([{ kind: 'text', text: 'still here' }]);
  });
  it('are forgotten when the user signs out', async () => {
    const { live, followed, draw } = setup();
    live.follow('c', 'r');
    followed[0]!.stream.give(start, delta('a'));
    await settled();
    draw();
    live.clear();
    expect(live.of('r')).toBeUndefined();
    followed[0]!.stream.give(delta('b'));
    await settled();
    draw();
    expect(live.of('r')).toBeUndefined();
  });
  it('do not come back with an error when their stream is stopped by signing out', async () => {
    const { live, followed, draw } = setup();
    live.follow('c', 'r');
    followed[0]!.stream.give(start);
    await settled();
    live.clear();
    followed[0]!.stream.fail(new Error('aborted'));
    await settled();
    draw();
    expect(live.of('r')).toBeUndefined();
  });
  it('are received again for the next user, while the stopped stream of the last one is still ending', async () => {
    const { live, followed } = setup();
    live.follow('c', 'r');
    live.clear();
    live.follow('c', 'r');
    followed[0]!.stream.fail(new Error('aborted'));
    await settled();
    expect(live.isFollowing('r')).toBe(true);
  });
});
