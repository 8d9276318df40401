import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { kafka as startKafka, missing, patience } from '@parlance/testing';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { Fenced } from '../broker.ts';
import { contractRetry } from '../../test/contract/contract.ts';
import { eventually, fresh, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { type KafkaBrokerOptions, openKafkaBroker } from './kafka-broker.ts';

const PATIENCE_MS = patience(60_000);
const describeKafka = missing('kafka') ? describe.skip : describe;

describeKafka('installations that share a cluster', () => {
  let server: Awaited<ReturnType<typeof startKafka>>;
  let admin: Admin;
  beforeAll(async () => {
    server = await startKafka();
    admin = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.disconnect();
    await server?.stop();
  });

  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const each of undo.splice(0).toReversed()) await each();
  });

  async function open(options: Partial<KafkaBrokerOptions>) {
    const consumer = { maxWaitTimeInMs: 30, sessionTimeout: 6_000, heartbeatInterval: 500 };
    const broker = await openKafkaBroker({ brokers: server.brokers, clientId: 'spec', retry: contractRetry, consumer, ...options });
    undo.push(() => broker.close());
    return broker;
  }

  it('neither see nor fence each other, although their topics, groups and publishers have the same names', async () => {
    const [topic, group, name] = [fresh('topic'), fresh('group'), fresh('publisher')];
    const prefixes = ['', 'one.', 'two.'];
    const ends = [];
    for (const [n, prefix] of prefixes.entries()) {
      const broker = await open({ prefix });
      const recorder = new Recorder(PATIENCE_MS, () => Promise.reject(new Error('no')));
      await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
      ends.push({ broker, recorder, publisher: await broker.publisher(name), message: outgoing(topic, 'k', n) });
    }
    for (const { publisher, message } of ends) await publisher.send([message]);
    for (const [n, { broker, recorder }] of ends.entries()) {
      await eventually(PATIENCE_MS, async () => expect(await broker.countDeadLetters(group)).toBe(1));
      expect(new Set(recorder.ids)).toEqual(new Set([`k-${n}`]));
      expect(new Set(recorder.deliveries.map((each) => each.topic))).toEqual(new Set([topic]));
      expect(await broker.deadLetters(group, 10)).toMatchObject([{ group, topic, event: { id: `k-${n}` } }]);
      expect((await broker.lag(group)).map((each) => each.topic).filter((each) => !each.startsWith(group))).toContain(topic);
    }
    const expected = (names: readonly string[]) => prefixes.flatMap((prefix) => names.map((each) => `${prefix}${each}`)).toSorted();
    const here = (names: readonly string[]) => names.filter((each) => each.includes(topic) || each.includes(group)).toSorted();
    expect(here(await admin.listTopics())).toEqual(expected([topic, `${group}.dead-letters`, `${group}.redrive`]));
    const { groups } = await admin.listGroups();
    expect(here(groups.map(({ groupId }) => groupId))).toEqual(expected([group, `${group}.reader`]));
    const { broker, publisher, message } = ends[1]!;
    await broker.publisher(name);
    await expect(publisher.send([message])).rejects.toThrow(Fenced);
    await publish(ends[2]!.broker, [ends[2]!.message]);
  });
});
