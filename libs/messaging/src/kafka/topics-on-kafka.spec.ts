import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { kafka as startKafka, missing, patience } from '@parlance/testing';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { type Broker, Fenced } from '../broker.ts';
import { contractRetry } from '../../test/contract/contract.ts';
import { eventually, fresh, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { type KafkaBrokerOptions, openKafkaBroker } from './kafka-broker.ts';

const PATIENCE_MS = patience(60_000);
const describeKafka = missing('kafka') ? describe.skip : describe;

describeKafka('the topics of an installation', () => {
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

  async function publisherOf(broker: Broker, name: string) {
    const publisher = await broker.publisher(name);
    undo.push(() => publisher.close());
    return publisher;
  }

  it('are separate from those of other prefixes, as are groups and publishers of the same names', async () => {
    const [topic, group, name] = [fresh('topic'), fresh('group'), fresh('publisher')];
    const prefixes = ['', 'one.', 'two.'];
    const ends = [];
    for (const [n, prefix] of prefixes.entries()) {
      const broker = await open({ prefix });
      const recorder = new Recorder(PATIENCE_MS, () => Promise.reject(new Error('no')));
      await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
      ends.push({ broker, recorder, publisher: await publisherOf(broker, name), message: outgoing(topic, 'k', n) });
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
    await publisherOf(broker, name);
    await expect(publisher.send([message])).rejects.toThrow(Fenced);
    await publish(ends[2]!.broker, [ends[2]!.message]);
  });

  it('for redrives keep events as long as other topics, also if an earlier release made them', async () => {
    const [topic, group] = [fresh('topic'), fresh('group')];
    const redrive = `${group}.redrive`;
    const configEntries = [
      { name: 'retention.ms', value: '-1' },
      { name: 'max.message.bytes', value: '2000000' },
    ];
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic: redrive, numPartitions: 1, configEntries }] });
    const broker = await open({ retentionMs: 3_600_000 });
    await broker.ensureTopics([topic]);
    await broker.countDeadLetters(group);
    const configNames = ['retention.ms', 'segment.ms', 'max.message.bytes'];
    const settings = async (name: string) => {
      const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [{ type: 2, name, configNames }] });
      return Object.fromEntries(resources[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue]));
    };
    // A record goes with its whole segment, so no record is older than one and a half times the retention.
    const kept = { 'retention.ms': '3600000', 'segment.ms': '1800000' };
    await eventually(PATIENCE_MS, async () => expect(await settings(redrive)).toEqual({ ...kept, 'max.message.bytes': '2000000' }));
    await eventually(PATIENCE_MS, async () => expect(await settings(topic)).toMatchObject(kept));
  });

  it('report redrives that were dropped before their group had read them', async () => {
    const reports: [string, object][] = [];
    const broker = await open({ report: (message, details) => void reports.push([message, details ?? {}]) });
    const [topic, group] = [fresh('topic'), fresh('group')];
    let attempts = 0;
    const failing = async () => {
      attempts += 1;
      throw new Error('no');
    };
    const letters = () => broker.countDeadLetters(group);
    const subscribe = () => broker.subscribe({ group, topics: [topic], handle: failing });
    const first = await subscribe();
    await publish(broker, [outgoing(topic, 'k', 0)]);
    await eventually(PATIENCE_MS, async () => expect(await letters()).toBe(1));
    // The group has a place in the topic of its redrives only after it has read one.
    const before = attempts;
    await broker.redrive(group);
    await eventually(PATIENCE_MS, async () => expect([attempts > before, await letters()]).toEqual([true, 1]));
    await first.stop();
    await broker.redrive(group);
    const redrive = `${group}.redrive`;
    // kafkajs knows the leaders only of topics that it has used before.
    await admin.fetchTopicOffsets(redrive);
    await admin.deleteTopicRecords({ topic: redrive, partitions: [{ partition: 0, offset: '-1' }] });
    await publish(broker, [outgoing(topic, 'k', 1)]);
    const second = await subscribe();
    await eventually(PATIENCE_MS, async () => expect(await letters()).toBe(1));
    await broker.redrive(group);
    await eventually(PATIENCE_MS, () =>
      expect(reports).toContainEqual([
        'a topic was trimmed before a group had read it',
        expect.objectContaining({ group, topic: redrive }),
      ]),
    );
    await second.stop();
  });
});
