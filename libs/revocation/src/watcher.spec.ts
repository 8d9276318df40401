import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { waitFor } from '@parlance/testing';
import { TimeByTurns } from '../test/times.ts';
import { RevocationCopy } from './copy.ts';
import type { Poll, RevocationEntry, RevocationNews } from './feed.ts';
import { CLOCKS_APART_MS, GONE, IN_ONE_PROCESS, OVER_THE_NETWORK } from './terms.ts';
import { RevocationSource, RevocationWatcher } from './watcher.ts';

const gone = (key: string): RevocationEntry => ({ key, revoked: true, until: Number.MAX_SAFE_INTEGER });
const never = new Promise<never>(() => undefined);

/** An owner with prepared answers. */
class Scripted extends RevocationSource {
  readonly time = new TimeByTurns();
  readonly polls: Poll[] = [];
  answers: 'well' | 'never' | 'no' = 'well';
  requests = 0;
  private readonly news: RevocationNews[] = [{ position: 1, entries: [] }];
  private wake = () => undefined as void;

  say(position: number, ...entries: RevocationEntry[]): void {
    this.news.push({ position, entries });
    this.wake();
  }

  async poll(poll: Poll): Promise<RevocationNews> {
    this.polls.push(poll);
    if (this.answers === 'never') return never;
    if (this.answers === 'no') throw refuse('unavailable', 'service_unavailable', 'Try again.');
    // Waits like a poll, but not as long.
    if (this.news.length === 0)
      await Promise.race([
        new Promise<void>((wake) => (this.wake = wake)),
        this.time.sleep(poll.wait > OVER_THE_NETWORK.waitMs ? poll.wait : 300),
      ]);
    return this.news.shift() ?? { position: poll.seen ?? 1, entries: [] };
  }

  async revokedOf(keys: readonly string[]): Promise<readonly string[]> {
    this.requests += 1;
    if (this.answers === 'never') return never;
    if (this.answers === 'no') throw refuse('missing', 'no_such_route', 'There is nothing here.');
    return keys.filter((key) => key === 'session:dead');
  }
}

describe('a watcher', () => {
  let source: Scripted;
  let watcher: RevocationWatcher;
  beforeEach(() => {
    source = new Scripted();
    watcher = new RevocationWatcher(source, { time: source.time });
  });
  afterEach(() => watcher.stop());

  const started = async () => {
    watcher.start();
    await fresh();
  };
  /** A watcher that is asked now and then has a fresh copy. */
  const fresh = async () => {
    while (watcher.isKnownRevoked([]) === null) await setImmediate();
  };
  const stale = () => waitFor(() => !watcher.isFresh);

  it('waits longer while it is not asked for anything, and is fresh again as soon as it was', async () => {
    await started();
    const isIdle = () => source.polls.at(-1)?.wait === OVER_THE_NETWORK.idleWaitMs;
    await waitFor(isIdle);
    await stale();
    expect(watcher.isKnownRevoked(['session:live'])).toBe(null);
    await fresh();
    expect(isIdle()).toBe(false);
  });

  it('reports a key as seen after the code that depends on it has finished, and applies the key before that', async () => {
    const heard: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = new RevocationWatcher(source, {
      time: source.time,
      onRevoked: (key, isNews) => {
        heard.push([key, isNews]);
        return key === 'news' ? promise : undefined;
      },
    });
    source.say(2, gone('before'));
    source.say(3, gone('news'));
    slow.start();
    await waitFor(() => heard.length === 2);
    expect([heard, slow.isKnownRevoked(['news']), source.polls.at(-1)?.seen]).toEqual([
      [
        ['before', true],
        ['news', true],
      ],
      true,
      2,
    ]);
    resolve();
    await waitFor(() => source.polls.at(-1)?.seen === 3);
    await slow.stop();
  });

  it('polls with the wait of its terms with the owner', async () => {
    await started();
    await watcher.stop();
    watcher = new RevocationWatcher(source, { time: source.time, terms: IN_ONE_PROCESS });
    const before = source.polls.length;
    await started();
    expect([source.polls[0]!.wait, source.polls[before]!.wait]).toEqual([OVER_THE_NETWORK.waitMs, IN_ONE_PROCESS.waitMs]);
  });

  it('asks the owner while it has no copy', async () => {
    expect(await watcher.anyRevoked(['session:dead', 'user:1'])).toBe(true);
    expect(await watcher.anyRevoked(['session:1', 'user:1'])).toBe(false);
    expect(source.requests).toBe(2);
  });

  it('has stopped when the owner has acknowledged the sign-off', async () => {
    watcher = new RevocationWatcher(source);
    const { poll } = source;
    let answer = () => undefined as void;
    source.poll = async ({ seen }) => {
      expect(seen).toBe(GONE);
      await new Promise<void>((resolve) => (answer = resolve));
      return { position: 1, entries: [] };
    };
    let hasStopped = false;
    const stopping = watcher.stop().then(() => (hasStopped = true));
    await setImmediate();
    expect(hasStopped).toBe(false);
    answer();
    await stopping;
    source.poll = poll;
  });

  it('creates no error if the owner answers in time', async () => {
    const created = jest.spyOn(globalThis, 'Error');
    try {
      await watcher.anyRevoked(['session:1']);
      await setImmediate();
      expect(created).not.toHaveBeenCalled();
    } finally {
      created.mockRestore();
    }
  });

  it('answers from its copy at once', async () => {
    // In real time: with fast time, a busy machine lets the lease of the copy end in the middle of this test.
    watcher = new RevocationWatcher(source);
    await started();
    expect(watcher.anyRevoked(['session:1', 'user:1'])).toBe(false);
    source.say(2, gone('session:1'));
    await waitFor(() => watcher.anyRevoked(['session:1', 'user:1']) === true);
    source.say(3, { ...gone('session:1'), revoked: false });
    await waitFor(() => watcher.anyRevoked(['session:1', 'user:1']) === false);
    expect(source.requests).toBe(0);
  });

  it('polls again right after changes, and reports the seen position', async () => {
    await started();
    source.say(7, gone('session:1'));
    await waitFor(() => source.polls.at(-1)?.seen === 7);
    expect(source.polls.slice(0, 2).map(({ seen }) => seen)).toEqual([null, 1]);
  });

  it('stops using its copy when polls are no longer answered, and asks the owner', async () => {
    await started();
    source.answers = 'no';
    await stale();
    source.answers = 'never';
    await expect(Promise.resolve(watcher.anyRevoked(['session:1']))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(source.requests).toBe(1);
  });

  it('is unavailable after any failure to ask the owner', async () => {
    source.answers = 'no';
    const answer = watcher.anyRevoked(['session:1']);
    await expect(answer).rejects.toMatchObject({ kind: 'unavailable', code: 'service_unavailable', facts: { retry_after: 1 } });
  });

  it('recovers as soon as the owner does', async () => {
    await started();
    source.answers = 'no';
    await stale();
    source.answers = 'well';
    await fresh();
  });

  it('polls again if an answer does not arrive', async () => {
    source.answers = 'never';
    watcher.start();
    await waitFor(() => source.polls.length === 1);
    source.answers = 'well';
    await fresh();
  });

  it('starts again as another watcher if the log was replaced by an older one', async () => {
    await started();
    source.say(9, gone('session:1'));
    await waitFor(() => source.polls.at(-1)?.seen === 9);
    const { watcher: id } = source.polls.at(-1)!;
    source.say(4);
    const asAnother = () => source.polls.find(({ watcher: other }) => other !== id);
    await waitFor(() => asAnother() !== undefined);
    expect(asAnother()?.seen).toBe(null);
  });

  it('forgets expired revocations once a minute', async () => {
    const copy = new RevocationCopy();
    const times: number[] = [];
    const forget = copy.forget.bind(copy);
    copy.forget = (now) => {
      times.push(source.time.steady());
      forget(now);
    };
    watcher = new RevocationWatcher(source, { time: source.time, copy });
    source.say(2, { ...gone('session:1'), until: 0 }, gone('user:1'));
    await started();
    await waitFor(() => times.length >= 3);
    expect([copy.has('session:1'), copy.has('user:1')]).toEqual([false, true]);
    for (const [nth, time] of times.entries()) expect(time - (times[nth - 1] ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('no longer uses its copy after it has stopped, and signs off', async () => {
    await started();
    await watcher.stop();
    expect(watcher.isFresh).toBe(false);
    expect(source.polls.at(-1)).toMatchObject({ seen: GONE, wait: 0 });
  });
});

describe('a copy', () => {
  it('is valid for a lease from the time when the poll was sent', () => {
    const { leaseMs } = OVER_THE_NETWORK;
    const copy = new RevocationCopy(leaseMs);
    expect(copy.isFresh(0)).toBe(false);
    copy.take({ position: 1, entries: [] }, 1_000);
    expect([copy.isFresh(1_000 + leaseMs - 1), copy.isFresh(1_000 + leaseMs)]).toEqual([true, false]);
  });

  it('forgets only revocations that have expired despite different clocks', () => {
    const copy = new RevocationCopy();
    copy.take({ position: 1, entries: [{ key: 'session:1', revoked: true, until: 5_000 }, gone('user:1')] }, 0);
    copy.forget(5_000 + CLOCKS_APART_MS);
    expect(copy.has('session:1')).toBe(true);
    copy.forget(5_001 + CLOCKS_APART_MS);
    expect([copy.has('session:1'), copy.has('user:1')]).toEqual([false, true]);
  });
});
