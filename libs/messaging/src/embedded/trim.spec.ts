import { afterEach, describe, expect, it } from '@jest/globals';
import type { UnitOfWork } from '@parlance/sqlite';
import { type Broker, type Delivery, RETENTION_MS, type Trimmed } from '../broker.ts';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { contractRetry, eventually, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { openEmbeddedBroker } from './embedded-broker.ts';
import { EmbeddedLog } from './log.ts';
import { Trimmer } from './trim.ts';

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

const HOUR = 60 * 60_000;

/** A broker with one partition a topic, whose clocks the spec moves. */
async function world(retentionMs = RETENTION_MS) {
  const file = await harnesses.file();
  const time = { now: Date.now(), steady: 0 };
  let rounds = 0;
  const clock = {
    now: () => time.now,
    // Each round asks once.
    steady: () => {
      rounds++;
      return time.steady;
    },
  };
  const broker = await openEmbeddedBroker(file, { partitions: 1, trimEveryMs: 5, clock, retry: contractRetry, retentionMs });
  return {
    file,
    broker,
    pass: (ms: number) => {
      time.now += ms;
      time.steady += ms;
    },
    /** Two rounds of trimming begin and end. */
    trimmed: () => {
      const before = rounds;
      return eventually(10_000, () => expect(rounds).toBeGreaterThan(before + 2));
    },
    setForward: (ms: number) => (time.now += ms),
    send: (from: number, to: number) =>
      publish(
        broker,
        Array.from({ length: to - from }, (_, n) => outgoing('topic', 'k', from + n)),
      ),
    left: () =>
      file.all<{ event: string }>('SELECT event FROM broker_log ORDER BY place').map(({ event }) => JSON.parse(event)[0] as string),
  };
}

async function read(broker: Broker, group: string, until: string) {
  const recorder = new Recorder(10_000);
  const subscription = await broker.subscribe({ group, topics: ['topic'], handle: recorder.handle });
  await recorder.got([until]);
  return { subscription, recorder };
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `k-${from + n}`);

describe('trimming', () => {
  it('removes what all groups have read, an hour after it came', async () => {
    const { broker, pass, trimmed, send, left } = await world();
    await send(0, 1_200);
    const one = await read(broker, 'one', 'k-1199');
    const two = await read(broker, 'two', 'k-1199');
    await two.subscription.stop();
    pass(HOUR - 2_000);
    await send(1_200, 1_210);
    await one.recorder.got(['k-1209']);
    await trimmed();
    expect(left()).toHaveLength(1_210);
    pass(4_000);
    await eventually(10_000, () => expect(left()).toEqual(ids(1_200, 1_210)));
    pass(2 * HOUR);
    await trimmed();
    expect(left()).toEqual(ids(1_200, 1_210));
    await (await read(broker, 'two', 'k-1209')).subscription.stop();
    await eventually(10_000, () => expect(left()).toEqual([]));
    await send(1_210, 1_211);
    await one.recorder.got(['k-1210']);
    expect(one.recorder.deliveries.at(-1)?.offset).toBe('1210');
    expect(await broker.lag('two')).toEqual([{ topic: 'topic', partition: 0, behind: 1 }]);
  });

  it('never gives an offset twice, also to an event that comes in the transaction which removes all others', async () => {
    const log = await EmbeddedLog.open(await harnesses.file(), 1, Date.now);
    const epoch = await log.openPublisher('publisher');
    const send = (n: number) => log.append('publisher', epoch, [outgoing('topic', 'k', n)]);
    for (const n of [0, 1]) await send(n);
    const trimmer = new Trimmer(log, { retentionMs: HOUR, floorMs: 0, clock: { now: Date.now, steady: () => 0 } });
    await Promise.all([trimmer.run(new AbortController().signal), send(2)]);
    const [partition] = log.partitions();
    expect(log.read(partition!, 2, { events: 9, bytes: 9_999 }).map(({ offset, event }) => [offset, event.id])).toEqual([[2, 'k-2']]);
  });

  it('removes what is older than the retention, and notifies the group that had not read it', async () => {
    const { broker, pass, trimmed, send, left } = await world();
    await send(0, 1);
    const gate = Promise.withResolvers<void>();
    const reported: Trimmed[] = [];
    const recorder = new Recorder(10_000, ({ event }) => (event.id === 'k-0' ? gate.promise : undefined));
    const onTrimmed = (missing: Trimmed) => void reported.push(missing);
    const subscription = await broker.subscribe({ group: 'stuck', topics: ['topic'], handle: recorder.handle, onTrimmed });
    await recorder.got(['k-0']);
    await send(1, 5);
    pass(RETENTION_MS - HOUR);
    await send(5, 7);
    await trimmed();
    pass(2 * HOUR);
    await eventually(10_000, () => expect(left()).toEqual(ids(5, 7)));
    gate.resolve();
    await recorder.got(['k-6']);
    await subscription.stop();
    expect([reported, recorder.ids]).toEqual([[{ topic: 'topic', partition: 0, from: '1', to: '5' }], ['k-0', ...ids(5, 7)]]);
  });

  it('reports missed events to a group also after a restart with a short retention', async () => {
    const { file, broker, pass, trimmed, send, left } = await world(HOUR);
    await send(0, 1);
    await (await read(broker, 'away', 'k-0')).subscription.stop();
    await send(1, 3);
    for (let hours = 0; hours < 6; hours++) {
      pass(HOUR);
      await trimmed();
    }
    expect(left()).toEqual([]);
    await send(3, 4);
    await broker.close();
    const again = await openEmbeddedBroker(file, { partitions: 1 });
    const reported: Trimmed[] = [];
    const recorder = new Recorder(10_000);
    await again.subscribe({
      group: 'away',
      topics: ['topic'],
      handle: recorder.handle,
      onTrimmed: (missing) => void reported.push(missing),
    });
    await recorder.got(['k-3']);
    expect(reported).toEqual([{ topic: 'topic', partition: 0, from: '1', to: '3' }]);
    await again.close();
  });

  it('keeps the events of the last hour beside older ones, also when all groups have read them', async () => {
    const { broker, pass, trimmed, send, left } = await world();
    await send(0, 2);
    const { recorder } = await read(broker, 'group', 'k-1');
    pass(HOUR - 2_000);
    await send(2, 4);
    await recorder.got(['k-3']);
    pass(4_000);
    await eventually(10_000, () => expect(left()).toEqual(ids(2, 4)));
    await trimmed();
    expect(left()).toEqual(ids(2, 4));
  });

  it('removes large events a few at a time', async () => {
    const { file, broker, pass, left } = await world();
    const text = 'x'.repeat(1024 * 1024);
    for (const { event, ...to } of Array.from({ length: 12 }, (_, n) => outgoing('topic', 'k', n)))
      await publish(broker, [{ ...to, event: { ...event, data: { text } } }]);
    await read(broker, 'group', 'k-11');
    const counts = [12];
    const write = file.write.bind(file) as (work: UnitOfWork<unknown>) => Promise<unknown>;
    file.write = ((work: UnitOfWork<unknown>) =>
      write(work).finally(() => counts.push(file.get<{ count: number }>('SELECT count(*) AS count FROM broker_log')!.count))) as never;
    pass(2 * HOUR);
    await eventually(10_000, () => expect(left()).toEqual([]));
    expect(Math.max(...counts.slice(1).map((count, at) => counts[at]! - count))).toBe(4);
  });

  it('deletes the offsets of a group that was away for twice the retention', async () => {
    const { file, broker, pass, trimmed, send } = await world();
    const groups = () => file.all<{ grp: string }>('SELECT DISTINCT grp FROM broker_places ORDER BY grp').map(({ grp }) => grp);
    await send(0, 1);
    for (const group of ['back', 'gone']) await (await read(broker, group, 'k-0')).subscription.stop();
    await read(broker, 'there', 'k-0');
    pass(2 * RETENTION_MS - HOUR);
    await trimmed();
    expect(groups()).toEqual(['back', 'gone', 'there']);
    await (await broker.subscribe({ group: 'back', topics: ['topic'], handle: async () => undefined })).stop();
    pass(2 * HOUR);
    await eventually(10_000, () => expect(groups()).toEqual(['back', 'there']));
  });

  it('delivers nothing until the group has been notified, even if its first notification failed', async () => {
    const { broker, pass, send, left } = await world();
    await send(0, 1);
    await (await read(broker, 'group', 'k-0')).subscription.stop();
    await send(1, 3);
    pass(RETENTION_MS - HOUR / 2);
    await send(3, 4);
    pass(HOUR * 0.75);
    await eventually(10_000, () => expect(left()).toEqual(ids(3, 4)));
    const calls: string[] = [];
    const onTrimmed = async ({ to }: Trimmed) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      calls.push(to);
      if (calls.length === 1) throw new Error('not now');
    };
    const handle = async (deliveries: readonly Delivery[]) => void calls.push(...deliveries.map(({ event }) => event.id));
    const subscription = await broker.subscribe({ group: 'group', topics: ['topic'], handle, onTrimmed });
    await eventually(10_000, () => expect(calls).toContain('k-3'));
    await subscription.stop();
    expect(calls).toEqual(['3', '3', 'k-3']);
  });

  it('no longer waits for a group that was not seen for the retention', async () => {
    const { broker, pass, send, left } = await world();
    await send(0, 1);
    await (await read(broker, 'gone', 'k-0')).subscription.stop();
    const { recorder } = await read(broker, 'there', 'k-0');
    for (let n = 1; n <= 15; n++) {
      await send(n, n + 1);
      await recorder.got([`k-${n}`]);
      pass(RETENTION_MS / 14);
      await eventually(10_000, () => expect(left().at(0)).toBe(n < 14 ? 'k-1' : undefined));
    }
  });

  it('does not believe a clock that was set forward, and gives groups an hour after a start', async () => {
    const { file, broker, pass, trimmed, setForward, send, left } = await world();
    await send(0, 1);
    await (await read(broker, 'away', 'k-0')).subscription.stop();
    await send(1, 3);
    pass(2 * HOUR);
    await eventually(10_000, () => expect(left()).toEqual(ids(1, 3)));
    setForward(10 * RETENTION_MS);
    await trimmed();
    expect(left()).toEqual(ids(1, 3));
    await broker.close();
    let calls = 0;
    const later = {
      now: () => Date.now() + 2 * RETENTION_MS,
      steady: () => {
        calls++;
        return 0;
      },
    };
    const again = await openEmbeddedBroker(file, { trimEveryMs: 5, clock: later });
    await eventually(10_000, () => expect(calls).toBeGreaterThan(3));
    expect(left()).toEqual(ids(1, 3));
    await again.close();
  });

  it('keeps dead letters, which hold their event, for twice the retention', async () => {
    const { broker, pass, trimmed, send, left } = await world();
    await send(0, 2);
    const recorder = new Recorder(10_000, ({ event, attempt }) => {
      if (event.id === 'k-0' && attempt <= contractRetry.attempts) throw new Error('no');
    });
    const subscription = await broker.subscribe({ group: 'group', topics: ['topic'], handle: recorder.handle });
    await recorder.got(['k-1']);
    pass(RETENTION_MS);
    await eventually(10_000, () => expect(left()).toEqual([]));
    pass(RETENTION_MS - HOUR);
    await trimmed();
    const [letter] = await broker.deadLetters('group', 10);
    expect([letter?.event, letter?.offset]).toEqual([outgoing('topic', 'k', 0).event, '0']);
    pass(2 * HOUR);
    await eventually(10_000, async () => expect(await broker.countDeadLetters('group')).toBe(0));
    await subscription.stop();
  });
});
