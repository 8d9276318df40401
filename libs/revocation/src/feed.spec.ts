import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SLICE_MS } from '@parlance/event-loop';
import { anOwner, type Owner } from '../test/owner.ts';
import { CLOCKS_APART_MS, GONE } from './terms.ts';

const keysOf = ({ entries }: { entries: readonly { key: string }[] }) => entries.map(({ key }) => key).sort();

describe('a feed of revocations', () => {
  let owner: Owner;
  beforeEach(async () => {
    owner = await anOwner();
  });
  afterEach(() => owner.end());

  const newcomer = () => owner.feed.poll({ watcher: 'new', seen: null, wait: 0 });

  it('sends a new watcher the position at once, even if nothing is revoked', async () =>
    expect(await owner.patient.poll({ watcher: 'new', seen: null, wait: 700 })).toEqual({ position: 0, entries: [] }));

  it('sends a new watcher all revocations', async () => {
    const position = await owner.shut('session:1', 'user:1');
    const until = Number.MAX_SAFE_INTEGER;
    expect(await newcomer()).toEqual({
      position,
      entries: [
        { key: 'session:1', revoked: true, until },
        { key: 'user:1', revoked: true, until },
      ],
    });
  });

  it('does not send a new watcher lifted or expired revocations', async () => {
    await owner.shut('user:1', 'user:2');
    await owner.append({ type: 'Shut', keys: ['session:old'], until: Date.now() - CLOCKS_APART_MS - 1_000 });
    await owner.append({ type: 'Shut', keys: ['session:late'], until: Date.now() - 1_000 });
    await owner.projector.includes(await owner.append({ type: 'Opened', keys: ['user:2'] }));
    expect(keysOf(await newcomer())).toEqual(['session:late', 'user:1']);
  });

  it('sends more than one page, and gives other work turns in between', async () => {
    const keys = Array.from({ length: 2_500 }, (_, number) => `session:${number}`);
    await owner.shut(...keys);
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += SLICE_MS));
    let turns = 0;
    let other = setImmediate(function next() {
      turns += 1;
      other = setImmediate(next);
    });
    expect((await owner.patient.poll({ watcher: 'new', seen: null, wait: 0 })).entries).toHaveLength(2_500);
    clearImmediate(other);
    clock.mockRestore();
    expect(turns).toBeGreaterThanOrEqual(2);
    expect((await owner.feed.poll({ watcher: 'a', seen: 0, wait: 0 })).entries).toHaveLength(2_500);
  });

  it('sends other watchers only changes that they have not seen, including lifted revocations', async () => {
    const seen = await owner.shut('user:1', 'user:2');
    await owner.shut('session:1');
    await owner.projector.includes(await owner.append({ type: 'Opened', keys: ['user:2'] }));
    const news = await owner.feed.poll({ watcher: 'a', seen, wait: 0 });
    expect(news.position).toBe(3);
    expect(news.entries.map(({ key, revoked }) => [key, revoked])).toEqual([
      ['session:1', true],
      ['user:2', false],
    ]);
  });

  it('answers waiting watchers as soon as something is revoked', async () => {
    const polled = owner.patient.poll({ watcher: 'a', seen: 0, wait: 700 });
    await owner.shut('session:1');
    expect(keysOf(await polled)).toEqual(['session:1']);
  });

  it('answers without changes when the wait is over', async () => {
    expect(await owner.fast.poll({ watcher: 'a', seen: 0, wait: 700 })).toEqual({ position: 0, entries: [] });
  });

  it('answers at once if the log ends before the seen position', async () => {
    await owner.shut('session:1');
    expect(await owner.patient.poll({ watcher: 'a', seen: 9, wait: 700 })).toEqual({ position: 1, entries: [] });
  });

  it('does not send a watcher back if its rows are behind those of another replica', async () => {
    const seen = await owner.shut('session:1');
    const behind = owner.withRowsAt(0);
    jest.spyOn(owner.store, 'noticedHead').mockReturnValue(0);
    expect(await behind.poll({ watcher: 'a', seen, wait: 0 })).toEqual({ position: seen, entries: [] });
    expect(await behind.poll({ watcher: 'a', seen: seen + 1, wait: 0 })).toEqual({ position: 0, entries: [] });
  });

  it('answers waiting watchers when it is closed', async () => {
    const polled = owner.patient.poll({ watcher: 'a', seen: 0, wait: 700 });
    owner.patient.close();
    expect(await polled).toEqual({ position: 0, entries: [] });
  });

  it('returns which keys are revoked', async () => {
    await owner.shut('session:1', 'user:2');
    await owner.projector.includes(await owner.append({ type: 'Opened', keys: ['user:2'] }));
    expect(await owner.feed.revokedOf(['session:1', 'user:2', 'session:3'])).toEqual(['session:1']);
  });
});

describe('waiting until all watchers have seen a position', () => {
  let owner: Owner;
  beforeEach(async () => {
    owner = await anOwner();
  });
  afterEach(() => owner.end());

  it('ends at once without watchers', async () => owner.feed.seenByAll(await owner.shut('session:1')));

  it('ends when the last watcher has reported the position, and not before', async () => {
    for (const watcher of ['a', 'b']) await owner.feed.poll({ watcher, seen: null, wait: 0 });
    const position = await owner.shut('session:1');
    let isOver = false;
    const over = owner.feed.seenByAll(position).then(() => (isOver = true));
    await owner.feed.poll({ watcher: 'a', seen: position, wait: 0 });
    await owner.feed.poll({ watcher: 'b', seen: position - 1, wait: 0 });
    expect(isOver).toBe(false);
    await owner.feed.poll({ watcher: 'b', seen: position, wait: 0 });
    await over;
  });

  it('answers waiting watchers, and ends when they poll again', async () => {
    const polled = owner.patient.poll({ watcher: 'a', seen: 0, wait: 700 });
    const position = await owner.shut('session:1');
    const over = owner.patient.seenByAll(position);
    await owner.patient.poll({ watcher: 'a', seen: (await polled).position, wait: 0 });
    await over;
  });

  it('ends after a lease if a watcher is lost, and does not wait for that watcher again', async () => {
    await owner.fast.poll({ watcher: 'lost', seen: null, wait: 0 });
    await owner.fast.seenByAll(await owner.shut('session:1'));
    expect(await owner.registry.all()).toEqual([]);
  });

  it('ends after a lease if a watcher polls but never reports the position, and keeps that watcher', async () => {
    await owner.fast.poll({ watcher: 'deaf', seen: null, wait: 0 });
    const wait = { isOver: false };
    const over = owner.fast.seenByAll(await owner.shut('session:1')).then(() => (wait.isOver = true));
    while (!wait.isOver) {
      await owner.fast.poll({ watcher: 'deaf', seen: null, wait: 0 });
      await new Promise(setImmediate);
    }
    await over;
    expect(await owner.registry.all()).toMatchObject([{ watcher: 'deaf', seen: 0 }]);
  });

  it('does not wait for a stopped watcher, and removes it', async () => {
    await owner.feed.poll({ watcher: 'a', seen: null, wait: 0 });
    await owner.feed.poll({ watcher: 'a', seen: GONE, wait: 0 });
    await owner.feed.seenByAll(await owner.shut('session:1'));
    expect(await owner.registry.all()).toEqual([]);
  });

  it('is refused if the rows do not reach the position', async () => {
    await owner.projector.stop();
    const position = await owner.append({ type: 'Shut', keys: ['session:1'], until: 0 });
    await expect(owner.fast.seenByAll(position)).rejects.toMatchObject({ kind: 'unavailable', code: 'revocation_pending' });
  });
});
