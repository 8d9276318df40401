import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kafka as startKafka, missing, patience } from '@parlance/testing';
import { type Broker, NotDrained } from '../broker.ts';
import { contractRetry } from '../../test/contract/contract.ts';
import { eventually, fresh, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { type Admin, AssignerProtocol } from 'kafkajs';
import { openKafkaBroker } from './kafka-broker.ts';
import { raisePartitions } from './raise-partitions.ts';

const PATIENCE_MS = patience(60_000);
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const describeKafka = missing('kafka') ? describe.skip : describe;
const round = (topic: string, n: number) => KEYS.map((key) => outgoing(topic, key, n));
const never = () => false;

describeKafka('more partitions', () => {
  let server: Awaited<ReturnType<typeof startKafka>>;
  let broker: Broker;
  beforeAll(async () => {
    server = await startKafka();
    const consumer = { maxWaitTimeInMs: 30, sessionTimeout: 6_000, heartbeatInterval: 500 };
    const options = { clientId: 'spec', prefix: 'acme.', partitions: 2, retry: contractRetry, consumer };
    broker = await openKafkaBroker({ brokers: server.brokers, ...options });
  });
  afterAll(async () => {
    await broker?.close();
    await server?.stop();
  });

  const isDrained = async (group: string) => (await broker.lag(group)).every(({ behind }) => behind === 0);

  it('keep the order of each key, because all groups have read everything before', async () => {
    const [topic, group] = [fresh('topic'), fresh('group')];
    const recorder = new Recorder(PATIENCE_MS);
    const subscribe = () => broker.subscribe({ group, topics: [topic], handle: recorder.handle });
    const first = await subscribe();
    for (let n = 0; n < 5; n += 1) await publish(broker, round(topic, n));
    await recorder.got(KEYS.map((key) => `${key}-4`));
    await expect(broker.raisePartitions([topic], 5, never)).rejects.toThrow(`the group acme.${group} is running`);
    await eventually(PATIENCE_MS, async () => expect(await isDrained(group)).toBe(true));
    await first.stop();

    await publish(broker, round(topic, 5));
    await expect(broker.raisePartitions([topic], 5, never)).rejects.toThrow(NotDrained);
    await expect(broker.raisePartitions([topic], 5, never)).rejects.toThrow(`the group acme.${group} has unread events in acme.${topic}`);
    expect(await broker.partitions(topic)).toBe(2);

    const second = await subscribe();
    await recorder.got(KEYS.map((key) => `${key}-5`));
    await eventually(PATIENCE_MS, async () => expect(await isDrained(group)).toBe(true));
    await second.stop();
    await broker.raisePartitions([topic], 5, never);
    expect(await broker.partitions(topic)).toBe(5);

    for (let n = 6; n < 10; n += 1) await publish(broker, round(topic, n));
    const third = await subscribe();
    await recorder.got(KEYS.map((key) => `${key}-9`));
    await third.stop();
    const all = Array.from({ length: 10 }, (_, n) => n);
    for (const key of KEYS) expect(recorder.ids.filter((id) => id.startsWith(`${key}-`))).toEqual(all.map((n) => `${key}-${n}`));
    expect(new Set(recorder.deliveries.map(({ partition }) => partition)).size).toBeGreaterThan(2);
  });

  it('do not wait for groups that are rebuilt from the logs', async () => {
    const [topic, group] = [fresh('topic'), fresh('group')];
    const recorder = new Recorder(PATIENCE_MS);
    const subscription = await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
    await publish(broker, round(topic, 0));
    await recorder.got(KEYS.map((key) => `${key}-0`));
    await subscription.stop();
    await publish(broker, round(topic, 1));
    const isRebuilt = (each: string) => each === group;
    await expect(broker.raisePartitions([topic], 1, isRebuilt)).rejects.toThrow(RangeError);
    for (const names of [[topic], [topic, fresh('unknown')]]) await broker.raisePartitions(names, 3, isRebuilt);
    expect(await broker.partitions(topic)).toBe(3);
  });
});

describe('more partitions on a cluster that others use too', () => {
  const topic = 'acme.parlance.bots';
  const reading = (...topics: string[]) => AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) });
  /** A cluster with one group. Each description of it has the next of these members' metadata, and the last one remains. */
  function clusterWith(protocolType: string, ...members: Buffer[]) {
    let partitions = 2;
    let described = 0;
    const admin = {
      listTopics: async () => [topic],
      fetchTopicMetadata: async () => ({ topics: [{ name: topic, partitions: Array.from({ length: partitions }) }] }),
      listGroups: async () => ({ groups: [{ groupId: 'other', protocolType }] }),
      describeGroups: async (ids: string[]) => ({
        groups: ids.map((groupId) => ({
          groupId,
          protocolType,
          members: [{ memberMetadata: members[Math.min(described++, members.length - 1)] }],
        })),
      }),
      fetchOffsets: async () => [{ topic, partitions: [{ partition: 0, offset: '-1' }] }],
      createPartitions: async ({ topicPartitions: [raised] }: { topicPartitions: { count: number }[] }) =>
        void (partitions = raised!.count),
    };
    return { admin: admin as unknown as Admin, partitions: () => partitions };
  }

  it('pay no attention to groups that are not of consumers, such as the workers of Kafka Connect', async () => {
    const worker = Buffer.from('\0\x01\0\x15http://connect-1:8083/\0\0\0\0\0\0\0\x07', 'latin1');
    const { admin, partitions } = clusterWith('connect', worker);
    await raisePartitions(admin, [topic], 5, never);
    expect(partitions()).toBe(5);
  });

  it('wait until a group whose members change says what it reads', async () => {
    const running = clusterWith('consumer', Buffer.alloc(0), reading(topic));
    await expect(raisePartitions(running.admin, [topic], 5, never)).rejects.toThrow('the group other is running');
    const foreign = clusterWith('consumer', Buffer.alloc(0), reading('shop.orders'));
    await raisePartitions(foreign.admin, [topic], 5, never);
    expect([running.partitions(), foreign.partitions()]).toEqual([2, 5]);
  });
});
