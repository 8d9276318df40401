import { afterEach, describe, expect, it } from '@jest/globals';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { eventOf, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { openEmbeddedBroker } from './embedded-broker.ts';
import { schema } from './schema.ts';

const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

describe('a file of version 0.2', () => {
  it('keeps what groups have yet to read, their offsets and their dead letters', async () => {
    const file = await harnesses.file();
    await file.migrate({ ...schema, steps: schema.steps.slice(0, 5) });
    await file.write((transaction) => {
      transaction.run(`INSERT INTO broker_partitions VALUES (1, 'read', 0), (2, 'half', 0), (3, 'unheard', 0)`);
      for (const [partition, topic] of [
        [1, 'read'],
        [2, 'half'],
        [3, 'unheard'],
      ] as const)
        for (let n = 0; n < 10; n++)
          transaction.run('INSERT INTO broker_events VALUES (?, ?, ?, ?)', partition, n, 'k', JSON.stringify(eventOf(topic, 'k', n)));
      transaction.run(`INSERT INTO broker_places VALUES ('slow', 1, 10), ('slow', 2, 4), ('fast', 2, 9)`);
      transaction.run(
        `INSERT INTO broker_dead_letters (grp, partition, "offset", reason, failed_at) VALUES ('slow', 2, 1, 'no', ?)`,
        '2026-01-01T00:00:00.000Z',
      );
    });
    const broker = await openEmbeddedBroker(file);
    expect(file.all('SELECT place % 100 AS place FROM broker_log')).toHaveLength(6);
    const slow = new Recorder(10_000);
    const fast = new Recorder(10_000);
    const reported: unknown[] = [];
    const onTrimmed = (trimmed: unknown) => void reported.push(trimmed);
    await broker.subscribe({ group: 'slow', topics: ['read', 'half', 'unheard'], handle: slow.handle, onTrimmed });
    await broker.subscribe({ group: 'fast', topics: ['half'], handle: fast.handle, onTrimmed });
    await publish(
      broker,
      ['read', 'half', 'unheard'].map((topic) => outgoing(topic, 'k', 10)),
    );
    await fast.got(['k-9', 'k-10']);
    await slow.until(
      () => slow.deliveries.length >= 9,
      () => 'not all came',
    );
    const of = (topic: string) =>
      slow.deliveries.filter((each) => each.topic === topic).map(({ offset, event }) => `${offset} ${event.id}`);
    expect([of('read'), of('half'), of('unheard')]).toEqual([['10 k-10'], [4, 5, 6, 7, 8, 9, 10].map((n) => `${n} k-${n}`), ['10 k-10']]);
    expect(fast.ids).toEqual(['k-9', 'k-10']);
    const [letter] = await broker.deadLetters('slow', 10);
    expect(letter).toMatchObject({ topic: 'half', offset: '1', key: 'k', event: eventOf('half', 'k', 1) });
    expect(await broker.redrive('slow', [letter?.id ?? ''])).toBe(1);
    await slow.got(['k-1']);
    expect(reported).toEqual([]);
    await broker.close();
  });
});
