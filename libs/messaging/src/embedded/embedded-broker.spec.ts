import { afterEach, describe, expect, it } from '@jest/globals';
import type { ReadLimit, SqlValue } from '@parlance/sqlite';
import { patience } from '@parlance/testing';
import type { Delivery } from '../broker.ts';
import { brokerContract } from '../../test/contract/contract.ts';
import { eventually, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { openEmbeddedBroker, skipToEnd } from './embedded-broker.ts';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { GroupOffsets } from './group-offsets.ts';
import { EmbeddedLog } from './log.ts';

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

describe('the embedded broker', () => {
  for (const { name, run } of brokerContract) it(name, async () => run(await harnesses.open(patience(60_000))));

  it('keeps offsets without gaps, from 0, in each partition', async () => {
    const { broker } = await harnesses.open();
    const messages = Array.from({ length: 100 }, (_, n) => outgoing('topic', `key${n}`, 0));
    await Promise.all([publish(broker, messages.slice(0, 50)), publish(broker, messages.slice(50))]);
    const recorder = new Recorder(patience(60_000));
    await broker.subscribe({ group: 'group', topics: ['topic'], handle: recorder.handle });
    await recorder.got(messages.map(({ event }) => event.id));
    const partitions = Map.groupBy(recorder.deliveries, ({ partition }) => partition);
    expect(recorder.deliveries).toHaveLength(100);
    for (const deliveries of partitions.values())
      expect(deliveries.map(({ offset }) => offset)).toEqual(deliveries.map((_, at) => `${at}`));
  });

  it('leaves a topic the partitions it was made with', async () => {
    const file = await harnesses.file();
    await (await openEmbeddedBroker(file, { partitions: 2 })).ensureTopics(['topic']);
    const later = await openEmbeddedBroker(file, { partitions: 64 });
    const recorder = new Recorder(patience(60_000));
    const subscription = await later.subscribe({ group: 'group', topics: ['topic'], handle: recorder.handle });
    await publish(
      later,
      Array.from({ length: 50 }, (_, n) => outgoing('topic', `key${n}`, 0)),
    );
    await recorder.got(['key49-0']);
    await subscription.stop();
    expect(await later.lag('group')).toHaveLength(2);
  });

  it('skips what the topics hold for some groups alone', async () => {
    const file = await harnesses.file();
    const first = await openEmbeddedBroker(file);
    const recorder = new Recorder(patience(60_000));
    const follow = async (group: string, broker = first) => broker.subscribe({ group, topics: ['topic'], handle: recorder.handle });
    for (const group of ['bots', 'bots.known.v1']) await (await follow(group)).stop();
    await publish(first, [outgoing('topic', 'k', 0), outgoing('topic', 'other', 0)]);
    await first.close();
    await skipToEnd(file, (group) => group.includes('.'));
    const second = await openEmbeddedBroker(file);
    const waiting = async (group: string) => (await second.lag(group)).reduce((sum, { behind }) => sum + behind, 0);
    expect([await waiting('bots'), await waiting('bots.known.v1')]).toEqual([2, 0]);
    await publish(second, [outgoing('topic', 'k', 1)]);
    const subscription = await follow('bots.known.v1', second);
    await recorder.got(['k-1']);
    expect(recorder.ids).toEqual(['k-1']);
    await subscription.stop();
  });

  it('writes nothing of a send that was fenced', async () => {
    const { broker } = await harnesses.open();
    const older = await broker.publisher('relay');
    await broker.publisher('relay');
    await expect(older.send([outgoing('a', 'k', 0), outgoing('b', 'k', 0)])).rejects.toThrow('replaced');
    await publish(broker, [outgoing('a', 'k', 1), outgoing('b', 'k', 2)]);
    const recorder = new Recorder(patience(60_000));
    await broker.subscribe({ group: 'group', topics: ['a', 'b'], handle: recorder.handle });
    await recorder.got(['k-1', 'k-2']);
    expect(recorder.ids.toSorted()).toEqual(['k-1', 'k-2']);
  });

  it('reads large events a few at a time', async () => {
    const file = await harnesses.file();
    const reads: number[] = [];
    const upTo = file.upTo.bind(file);
    file.upTo = <Row>(limit: ReadLimit<Row>, sql: string, ...params: readonly SqlValue[]) => {
      const rows = upTo(limit, sql, ...params);
      reads.push(rows.reduce((sum, row) => sum + limit.sizeOf(row), 0));
      return rows;
    };
    const broker = await openEmbeddedBroker(file, { partitions: 1 });
    const text = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 60; n++) {
      const message = outgoing('topic', 'k', n);
      await publish(broker, [{ ...message, event: { ...message.event, data: { text } } }]);
    }
    let handled = 0;
    const handle = async (deliveries: readonly Delivery[]) => void (handled += deliveries.length);
    const one = await broker.subscribe({ group: 'one', topics: ['topic'], handle });
    const several = await broker.subscribe({ group: 'several', topics: ['topic'], batch: { events: 500, bytes: 1024 * 1024 }, handle });
    await eventually(20_000, () => expect(handled).toBe(120));
    await Promise.all([one.stop(), several.stop()]);
    expect(Math.max(...reads)).toBeGreaterThan(0);
    expect(Math.max(...reads)).toBeLessThan(2.1 * 1024 * 1024);
  });

  it('parses an event once for all groups that are near the end', async () => {
    const { broker } = await harnesses.open();
    const recorders = [new Recorder(5_000), new Recorder(5_000)];
    for (const [index, { handle }] of recorders.entries()) await broker.subscribe({ group: `group${index}`, topics: ['topic'], handle });
    await publish(broker, [outgoing('topic', 'k', 0)]);
    for (const recorder of recorders) await recorder.got(['k-0']);
    expect(recorders[0]?.deliveries[0]?.event).toBe(recorders[1]?.deliveries[0]?.event);
  });

  it('redrives more letters than one unit of work marks, and those alone that are named', async () => {
    const { broker } = await harnesses.open();
    let healed = false;
    const recorder = new Recorder(10_000, () => {
      if (!healed) throw new Error('no');
    });
    const subscription = await broker.subscribe({ group: 'group', topics: ['topic'], handle: recorder.handle });
    const messages = Array.from({ length: 250 }, (_, n) => outgoing('topic', `k${n % 20}`, n));
    await publish(broker, messages);
    await eventually(20_000, async () => expect(await broker.countDeadLetters('group')).toBe(250));
    healed = true;
    const chosen = (await broker.deadLetters('group', 5)).map(({ id }) => id);
    expect(await broker.redrive('group', chosen.slice(2))).toBe(3);
    expect(await broker.redrive('group')).toBe(247);
    await eventually(20_000, () => expect(recorder.ids.slice(-250).toSorted()).toEqual(messages.map(({ event }) => event.id).toSorted()));
    await subscription.stop();
  });

  it('delivers after a restart a letter that was redriven before', async () => {
    const file = await harnesses.file();
    const first = await openEmbeddedBroker(file, { retry: { attempts: 1, firstDelayMs: 1, maxDelayMs: 1 } });
    const refusing = () => Promise.reject(new Error('no'));
    const subscription = await first.subscribe({ group: 'group', topics: ['topic'], handle: refusing });
    await publish(first, [outgoing('topic', 'k', 0)]);
    await eventually(patience(60_000), async () => expect(await first.countDeadLetters('group')).toBe(1));
    await subscription.stop();
    expect(await first.redrive('group')).toBe(1);
    await first.close();
    const second = await openEmbeddedBroker(file);
    const recorder = new Recorder(patience(10_000));
    const again = await second.subscribe({ group: 'group', topics: ['topic'], handle: recorder.handle });
    await recorder.got(['k-0']);
    await again.stop();
  });

  it('delivers nothing again because another member joins', async () => {
    const { broker } = await harnesses.open();
    const recorder = new Recorder(patience(60_000));
    const options = { group: 'group', topics: ['topic'], handle: recorder.handle };
    const first = await broker.subscribe(options);
    const messages = Array.from({ length: 20 }, (_, n) => outgoing('topic', `key${n}`, 0));
    await publish(broker, messages);
    await recorder.got(messages.map(({ event }) => event.id));
    const second = await broker.subscribe(options);
    await publish(broker, [outgoing('topic', 'last', 0)]);
    await recorder.got(['last-0']);
    await Promise.all([first.stop(), second.stop()]);
    expect(recorder.deliveries).toHaveLength(21);
  });

  it('moves no group back by a late write', async () => {
    const file = await harnesses.file();
    const log = await EmbeddedLog.open(file, 1, Date.now);
    const [partition] = await log.partitionsOf('topic');
    const offsets = new GroupOffsets(file, Date.now);
    await offsets.join('group', [partition!]);
    for (const next of [5, 3]) await offsets.moveOn('group', [[partition!.id, next]]);
    expect(offsets.standing('group')).toMatchObject([{ topic: 'topic', next: 5 }]);
  });

  it('reports what it sets aside', async () => {
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
    expect(reports).toEqual([['a delivery was set aside', 'group', 'TypeError: no']]);
  });
});
