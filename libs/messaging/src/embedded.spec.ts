import { afterEach, describe, expect, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { brokerContract } from './contract.ts';
import { outgoing, publish, Recorder } from './contract/harness.ts';
import { openEmbeddedBroker } from './embedded.ts';
import { EmbeddedHarnesses } from './contract/embedded-harness.ts';

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

describe('the embedded broker', () => {
  for (const { name, run } of brokerContract) it(name, async () => run(await harnesses.open(patience(60_000))));

  it('keeps offsets without gaps, from 0, in each partition', async () => {
    const { broker } = await harnesses.open();
    const messages = Array.from({ length: 100 }, (_, n) => outgoing('topic', `key${n}`, 0));
    await Promise.all([publish(broker, messages.slice(0, 50)), publish(broker, messages.slice(50))]);
    const seen = new Map<number, string[]>();
    await broker.replay(['topic'], async ({ partition, offset }) => void seen.set(partition, [...(seen.get(partition) ?? []), offset]));
    expect([...seen.values()].flat()).toHaveLength(100);
    for (const offsets of seen.values()) expect(offsets).toEqual(offsets.map((_, at) => String(at)));
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

  it('writes nothing of a send that was fenced', async () => {
    const { broker } = await harnesses.open();
    const older = await broker.publisher('relay');
    await broker.publisher('relay');
    await expect(older.send([outgoing('a', 'k', 0), outgoing('b', 'k', 0)])).rejects.toThrow('replaced');
    await broker.replay(['a', 'b'], async ({ event }) => expect(event).toBeUndefined());
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
