import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { patience } from '@parlance/testing';
import { type Delivery, RETENTION_MS, type Trimmed } from '../broker.ts';
import { brokerContract } from '../../test/contract/contract.ts';
import { eventually, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { openEmbeddedBroker } from './embedded-broker.ts';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { counted, countingWorld, numbers, other, topic, upTo } from '../../test/counting-world.ts';

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

const HOUR = 60 * 60_000;
const world = () => countingWorld(harnesses);

describe('the embedded broker', () => {
  for (const { name, run } of brokerContract) it(name, async () => run(await harnesses.open(patience(60_000))));

  it('maps a commit once for all groups, and delivers to a group only the types that it handles', async () => {
    const { append, open, counting, map } = await world();
    const broker = await open();
    const outbox = await broker.enter(counting);
    const recorders = [[counted], [counted], [other]].map(() => new Recorder(patience(60_000)));
    for (const [at, types] of [[counted], [counted], [other]].entries())
      await broker.subscribe({ group: `group${at}`, topics: [topic], types, handle: recorders[at]!.handle });
    for (let n = 0; n < 20; n++) await append(n % 2 ? other : counted, n);
    await eventually(patience(60_000), async () => expect(await outbox.position()).toBe(20));
    const even = upTo(10).map((n) => 2 * n);
    const odd = even.map((n) => n + 1);
    await eventually(patience(60_000), () => expect(recorders.map(numbers)).toEqual([even, even, odd]));
    expect(map).toHaveBeenCalledTimes(20);
    expect(recorders[0]!.deliveries[0]!.event).toBe(recorders[1]!.deliveries[0]!.event);
    await broker.close();
  });

  it('writes nothing for events that no group wants, and does not lag behind them', async () => {
    const { file, append, open, counting } = await world();
    const broker = await open();
    const outbox = await broker.enter(counting);
    const recorder = new Recorder(patience(60_000));
    const subscription = await broker.subscribe({ group: 'group', topics: [topic], types: [counted], handle: recorder.handle });
    const write = jest.spyOn(file, 'write');
    for (let n = 0; n < 100; n++) await append(other, n);
    await eventually(patience(60_000), async () => expect(await outbox.position()).toBe(100));
    expect((await broker.lag('group')).map(({ behind }) => behind)).toEqual(Array.from({ length: 8 }, () => 0));
    expect(write).toHaveBeenCalledTimes(0);
    await subscription.stop();
    await broker.close();
    const again = await open();
    await again.enter(counting);
    expect((await again.lag('group')).every(({ behind }) => behind === 0)).toBe(true);
    await again.close();
  });

  it('reads the log in bounded pages for a group that is behind', async () => {
    const { logFile, append, open, counting } = await world();
    const text = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 20; n++) await append(counted, n, text);
    const broker = await open();
    await broker.enter(counting);
    const rows: number[] = [];
    const upToRows = logFile.upTo.bind(logFile);
    jest.spyOn(logFile, 'upTo').mockImplementation((...read) => {
      const found = upToRows(...(read as Parameters<typeof upToRows>));
      rows.push(found.length);
      return found as never;
    });
    const recorder = new Recorder(patience(60_000));
    const batch = { events: 500, bytes: 1024 * 1024 };
    const subscription = await broker.subscribe({ group: 'group', topics: [topic], batch, handle: recorder.handle });
    await recorder.got(upTo(20).map((n) => `k-${n}`));
    expect(numbers(recorder)).toEqual(upTo(20));
    expect(Math.max(...rows)).toBe(1);
    await subscription.stop();
    await broker.close();
  });

  it('goes back to the end of a log that has lost commits', async () => {
    const { file, append, open, counting } = await world();
    for (let n = 0; n < 3; n++) await append(counted, n);
    const first = await open();
    await first.enter(counting);
    const before = new Recorder(patience(60_000));
    const options = { group: 'group', topics: [topic] };
    const subscription = await first.subscribe({ ...options, handle: before.handle });
    await before.got(['k-2']);
    await subscription.stop();
    await first.close();
    await file.write((transaction) => transaction.run('UPDATE broker_cursors SET next = next * 10'));
    const second = await open();
    await second.enter(counting);
    expect((await second.lag('group')).every(({ behind }) => behind < 0)).toBe(true);
    const after = new Recorder(patience(60_000));
    await second.subscribe({ ...options, handle: after.handle });
    await append(counted, 3);
    await after.got(['k-3']);
    expect(numbers(after)).toEqual([3]);
    await second.close();
  });

  it('starts a new group with the last hour, and drops nothing for other groups in the first hour after a start', async () => {
    const { append, open, counting, pass } = await world();
    await append(counted, 0);
    pass(RETENTION_MS + HOUR);
    await append(counted, 1);
    const first = await open();
    await first.enter(counting);
    const recorder = new Recorder(patience(60_000));
    await first.subscribe({ group: 'group', topics: [topic], handle: recorder.handle });
    await recorder.got(['k-1']);
    expect(numbers(recorder)).toEqual([1]);
    await first.close();
  });

  it('notifies a group of events that are older than the retention, unless it wanted none of them', async () => {
    const { append, open, counting, pass } = await world();
    const broker = await open();
    const log = await broker.enter(counting);
    for (const group of ['stuck', 'idle']) await (await broker.subscribe({ group, topics: [topic], handle: async () => undefined })).stop();
    await append(counted, 0);
    await append(other, 1);
    pass(RETENTION_MS - HOUR);
    await append(counted, 2);
    pass(2 * HOUR);
    const trimmed: [string, Trimmed][] = [];
    const recorders = { stuck: new Recorder(patience(60_000)), idle: new Recorder(patience(60_000)) };
    await eventually(patience(60_000), async () => expect(await log.position()).toBe(3));
    // Two are older than the retention.
    const behind = async () => (await broker.lag('stuck')).reduce((sum, lag) => sum + lag.behind, 0);
    await eventually(patience(60_000), async () => expect(await behind()).toBe(1));
    for (const [group, types] of [
      ['stuck', [counted]],
      ['idle', [`${topic}.never.v1`]],
    ] as const) {
      const onTrimmed = (what: Trimmed) => void trimmed.push([group, what]);
      await broker.subscribe({ group, topics: [topic], types, handle: recorders[group].handle, onTrimmed });
    }
    await recorders.stuck.got(['k-2']);
    expect(trimmed.map(([group]) => group)).toEqual(['stuck']);
    expect(numbers(recorders.stuck)).toEqual([2]);
    await broker.close();
  });

  it('forgets the positions of a group that was inactive for twice the retention, and dead letters', async () => {
    const { file, append, open, counting, pass } = await world();
    const broker = await open();
    await broker.enter(counting);
    const subscribe = (group: string, handle: (deliveries: readonly Delivery[]) => Promise<void>) =>
      broker.subscribe({ group, topics: [topic], handle });
    await (await subscribe('gone', async () => undefined)).stop();
    const there = await subscribe('there', () => Promise.reject(new Error('no')));
    await append(counted, 0);
    await eventually(patience(60_000), async () => expect(await broker.countDeadLetters('there')).toBe(1));
    for (let month = 0; month < 2; month++) {
      pass(RETENTION_MS + HOUR);
      await eventually(patience(60_000), () => {
        const seen = file.get<{ seen: number }>(`SELECT min(seen) AS seen FROM broker_cursors WHERE grp = 'there'`)!.seen;
        expect(seen).toBeGreaterThan(Date.now() / 1_000 + (month + 1) * (RETENTION_MS / 1_000));
      });
    }
    pass(2 * HOUR);
    const groups = () => file.all<{ grp: string }>('SELECT DISTINCT grp FROM broker_cursors').map(({ grp }) => grp);
    await eventually(patience(60_000), async () => expect([groups(), await broker.countDeadLetters('there')]).toEqual([['there'], 0]));
    await there.stop();
    await broker.close();
  });

  it('redrives more letters than one unit of work marks, and only those that are named', async () => {
    const { broker } = await harnesses.open();
    let healed = false;
    const recorder = new Recorder(10_000, () => {
      if (!healed) throw new Error('no');
    });
    const subscription = await broker.subscribe({ group: 'group', topics: ['topic'], handle: recorder.handle });
    const messages = Array.from({ length: 250 }, (_, n) => outgoing('topic', `k${n % 20}`, n));
    await publish(broker, messages);
    await eventually(patience(60_000), async () => expect(await broker.countDeadLetters('group')).toBe(250));
    healed = true;
    const chosen = (await broker.deadLetters('group', 5)).map(({ id }) => id);
    expect(await broker.redrive('group', chosen.slice(2))).toBe(3);
    expect(await broker.redrive('group')).toBe(247);
    const ids = messages.map(({ event }) => event.id).toSorted();
    await eventually(patience(60_000), () => expect(recorder.ids.slice(-250).toSorted()).toEqual(ids));
    await subscription.stop();
  });

  it('delivers a letter after a restart if it was redriven before', async () => {
    const { append, open, counting } = await world();
    const first = await open();
    await first.enter(counting);
    const options = { group: 'group', topics: [topic] };
    await first.subscribe({ ...options, handle: () => Promise.reject(new Error('no')) });
    await append(counted, 0);
    await eventually(patience(60_000), async () => expect(await first.countDeadLetters('group')).toBe(1));
    await first.close();
    const second = await open();
    expect(await second.redrive('group')).toBe(1);
    const recorder = new Recorder(patience(60_000));
    await second.subscribe({ ...options, handle: recorder.handle });
    await second.enter(counting);
    await recorder.got(['k-0']);
    await second.close();
  });

  it('reports the deliveries that it sets aside', async () => {
    const reports: unknown[] = [];
    const broker = await openEmbeddedBroker(await harnesses.file(), {
      retry: { attempts: 1, firstDelayMs: 1, maxDelayMs: 1 },
      report: (message, details) => reports.push([message, details['group'], details['reason']]),
    });
    const recorder = new Recorder(5_000, ({ event }) => {
      if (event.id === 'k-0') throw new TypeError('no');
    });
    const subscription = await broker.subscribe({ group: 'group', topics: ['topic'], handle: recorder.handle });
    await publish(broker, [outgoing('topic', 'k', 0), outgoing('topic', 'k', 1)]);
    await recorder.got(['k-1']);
    await subscription.stop();
    await broker.close();
    expect(reports).toEqual([['a delivery was set aside', 'group', 'TypeError: no']]);
  });
});
