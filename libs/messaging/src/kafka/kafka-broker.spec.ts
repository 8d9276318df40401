import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kafka as startKafka, missing, patience } from '@parlance/testing';
import { Kafka, logLevel } from 'kafkajs';
import { type Broker, RETENTION_MS } from '../broker.ts';
import { brokerContract, type BrokerHarness, contractRetry } from '../../test/contract/contract.ts';
import { eventually, fresh, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { openKafkaBroker } from './kafka-broker.ts';

const PATIENCE_MS = patience(60_000);
const PREFIX = 'contract.';
const describeKafka = missing('kafka') ? describe.skip : describe;

/** A network that can be cut, so that a broker's clients disappear as in a crash of their process. */
class Network {
  readonly #sockets = new Set<Socket>();
  #cut = false;

  readonly plug = ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket => {
    const socket = new Socket().on('close', () => this.#sockets.delete(socket));
    if (this.#cut) return socket.destroy(new Error('the network is cut'));
    this.#sockets.add(socket.setNoDelay());
    return socket.connect({ host, port }, onConnect);
  };

  restore(): void {
    this.#cut = false;
  }

  cut(): void {
    this.#cut = true;
    this.interrupt();
  }

  interrupt(): void {
    for (const socket of this.#sockets) socket.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  }
}

describeKafka('the broker on Kafka', () => {
  let server: Awaited<ReturnType<typeof startKafka>>;
  beforeAll(async () => {
    server = await startKafka();
  });
  afterAll(() => server?.stop());

  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const each of undo.splice(0).toReversed()) await each();
  });

  async function open(
    network = new Network(),
    report = (_message: string, _details: object): void => undefined,
    retentionMs = RETENTION_MS,
    prefix = '',
  ): Promise<Broker> {
    const broker = await openKafkaBroker({
      brokers: server.brokers,
      clientId: 'spec',
      prefix,
      partitions: 4,
      retry: contractRetry,
      retentionMs,
      report,
      client: { socketFactory: network.plug },
      consumer: { maxWaitTimeInMs: 30, sessionTimeout: 6_000, heartbeatInterval: 500 },
    });
    undo.push(() => broker.close());
    return broker;
  }

  async function harness(): Promise<BrokerHarness> {
    const network = new Network();
    const under = (plug: Network) => open(plug, undefined, RETENTION_MS, PREFIX);
    const broker = await under(network);
    // A crashed process does not leave its group, but kafkajs would retry that for a long time.
    undo.push(async () => network.restore());
    return {
      broker,
      patienceMs: PATIENCE_MS,
      trim: (topic) => deleteRecords(`${PREFIX}${topic}`),
      crash: async () => {
        network.cut();
        return under(new Network());
      },
    };
  }

  async function deleteRecords(topic: string): Promise<void> {
    const admin = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    // kafkajs knows the leaders only of topics that it has used before.
    const ends = await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: ends.map(({ partition, high }) => ({ partition, offset: high })) });
    await admin.disconnect();
  }

  for (const { name, run } of brokerContract) it(name, async () => run(await harness()));

  it('makes a record that is not a CloudEvent a dead letter at once, and continues', async () => {
    const broker = await open();
    const [topic, group] = [fresh('topic'), fresh('group')];
    const recorder = new Recorder(PATIENCE_MS);
    const subscription = await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
    const client = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING });
    const producer = client.producer();
    await producer.connect();
    const values = ['{"half', '{"specversion":"0.3"}', null, 'null'];
    await producer.send({ topic, messages: values.map((value) => ({ key: 'k', value })) });
    await producer.disconnect();
    await publish(broker, [outgoing(topic, 'k', 0)]);
    await recorder.got(['k-0']);
    await subscription.stop();
    const letters = await broker.deadLetters(group, 10);
    expect(letters.map(({ reason }) => reason)).toEqual([
      'NotACloudEvent: not a CloudEvent: no JSON',
      'NotACloudEvent: not a CloudEvent: specversion is not 1.0',
      'NotACloudEvent: not a CloudEvent: no JSON',
      'NotACloudEvent: not a CloudEvent: not an object',
    ]);
    expect(letters[0]?.event.data).toEqual({ base64: Buffer.from('{"half').toString('base64') });
  });

  it('continues after the cluster was unreachable', async () => {
    const network = new Network();
    const broker = await open(network);
    const elsewhere = await open();
    const topic = fresh('topic');
    const recorder = new Recorder(PATIENCE_MS);
    const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: recorder.handle });
    await publish(elsewhere, [outgoing(topic, 'k', 0)]);
    await recorder.got(['k-0']);
    network.interrupt();
    await publish(elsewhere, [outgoing(topic, 'k', 1)]);
    await recorder.got(['k-1']);
    await subscription.stop();
  });

  it('stays in its group while a handler takes longer than the session timeout', async () => {
    const broker = await open();
    const topic = fresh('topic');
    // No event shows that a member was not removed, so this waits for a fixed time: Kafka allows no session shorter than 6 seconds.
    const recorder = new Recorder(PATIENCE_MS, ({ event }) =>
      event.id === 'k-0' ? new Promise((resolve) => setTimeout(resolve, 7_500)) : undefined,
    );
    const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: recorder.handle });
    await publish(broker, [outgoing(topic, 'k', 0), outgoing(topic, 'k', 1)]);
    await recorder.got(['k-1']);
    await subscription.stop();
    expect(recorder.deliveries.map(({ event, attempt }) => [event.id, attempt])).toEqual([
      ['k-0', 1],
      ['k-1', 1],
    ]);
  });

  it('sends more events than fit in one request, completely and in order', async () => {
    const broker = await open();
    const topic = fresh('topic');
    const large = Array.from({ length: 12 }, (_, n) => {
      const message = outgoing(topic, 'k', n);
      return { ...message, event: { ...message.event, data: { n, text: 'x'.repeat(300_000) } } };
    });
    const recorder = new Recorder(PATIENCE_MS);
    const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: recorder.handle });
    await publish(broker, large);
    await recorder.got(['k-11']);
    await subscription.stop();
    expect(recorder.ids).toEqual(large.map(({ event }) => event.id));
  });

  it('creates topics that several processes request at once', async () => {
    const brokers = await Promise.all(Array.from({ length: 6 }, () => open()));
    for (let round = 0; round < 3; round++) {
      const topics = Array.from({ length: 6 }, () => fresh('topic'));
      await Promise.all(brokers.map((broker, index) => broker.ensureTopics([...topics.slice(index % 3), fresh('own')])));
    }
  });

  it('redrives more letters than fit in one message, and only the named ones', async () => {
    const broker = await open();
    const [topic, group] = [fresh('topic'), fresh('group')];
    let healed = false;
    const recorder = new Recorder(PATIENCE_MS, () => {
      if (!healed) throw new Error('no');
    });
    const subscription = await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
    const messages = Array.from({ length: 24 }, (_, n) => {
      const message = outgoing(topic, `k${n % 8}`, n);
      return { ...message, event: { ...message.event, data: { n, text: 'x'.repeat(500_000) } } };
    });
    await publish(broker, messages);
    await eventually(PATIENCE_MS, async () => expect(await broker.countDeadLetters(group)).toBe(24));
    const some = await broker.deadLetters(group, 100);
    expect(some.length).toBeLessThan(12);
    healed = true;
    expect(await broker.redrive(group, [some[3]!.id, 'unknown'])).toBe(1);
    await eventually(PATIENCE_MS, () => expect(recorder.ids.at(-1)).toBe(some[3]!.event.id));
    // Kafka marks the end of a transaction in one topic after the other, and a redrive waits for both.
    expect(await broker.redrive(group)).toBe(23);
    expect(await broker.redrive(group)).toBe(0);
    await eventually(PATIENCE_MS, () =>
      expect(recorder.ids.slice(-24).toSorted()).toEqual(messages.map(({ event }) => event.id).toSorted()),
    );
    await eventually(PATIENCE_MS, async () => expect(await broker.countDeadLetters(group)).toBe(0));
    await subscription.stop();
  });

  it('counts dead letters of one group in several processes at once, and reads them only after new ones', async () => {
    const brokers = await Promise.all([open(), open()]);
    const [topic, group] = [fresh('topic'), fresh('group')];
    const recorder = new Recorder(PATIENCE_MS, () => {
      throw new Error('no');
    });
    const subscription = await brokers[0]!.subscribe({ group, topics: [topic], handle: recorder.handle });
    await publish(brokers[0]!, [outgoing(topic, 'k', 0), outgoing(topic, 'k', 1)]);
    await eventually(PATIENCE_MS, async () =>
      expect(await Promise.all(brokers.map((each) => each.countDeadLetters(group)))).toEqual([2, 2]),
    );
    await subscription.stop();
    const admin = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const reader = async () => {
      const { groups } = await admin.listGroups();
      return groups.map(({ groupId }) => groupId).filter((name) => name.includes(group) && name !== group);
    };
    expect(await reader()).toEqual([`${group}.reader`]);
    await admin.deleteGroups([`${group}.reader`]);
    expect(await brokers[1]!.countDeadLetters(group)).toBe(2);
    expect(await reader()).toEqual([]);
    await admin.disconnect();
  });

  it('sets the retention of new and existing topics', async () => {
    const topic = fresh('topic');
    const admin = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const settings = async () => {
      const resources = [{ type: 2, name: topic, configNames: ['retention.ms', 'max.message.bytes'] }];
      const { resources: answers } = await admin.describeConfigs({ includeSynonyms: false, resources });
      return Object.fromEntries(answers[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue]));
    };
    await Promise.all([(await open()).ensureTopics([topic]), (await open()).ensureTopics([topic])]);
    expect(await settings()).toEqual({ 'retention.ms': String(RETENTION_MS), 'max.message.bytes': String(8 * 1024 * 1024) });
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    expect(topics[0]?.partitions).toHaveLength(4);
    await (await open(new Network(), undefined, 3_600_000)).ensureTopics([topic]);
    await eventually(PATIENCE_MS, async () =>
      expect(await settings()).toEqual({ 'retention.ms': '3600000', 'max.message.bytes': String(8 * 1024 * 1024) }),
    );
    await admin.disconnect();
    const broker = await open();
    await eventually(PATIENCE_MS, async () => expect(await broker.lag(fresh('without-members'))).toEqual([]));
  });

  it('reports nothing about new topics and groups, and transactions that follow each other', async () => {
    const reports: unknown[] = [];
    const broker = await open(new Network(), (message, details) => reports.push([message, details]));
    const [topic, messages] = [fresh('topic'), 40];
    const recorder = new Recorder(PATIENCE_MS);
    const subscription = await broker.subscribe({ group: fresh('group'), topics: [topic], handle: recorder.handle });
    const publisher = await broker.publisher(fresh('publisher'));
    for (let n = 0; n < messages; n++) await publisher.send([outgoing(topic, `k${n}`, n)]);
    await publisher.close();
    await recorder.until(
      () => recorder.deliveries.length === messages,
      () => 'events are missing',
    );
    await subscription.stop();
    expect(reports).toEqual([]);
  });

  it('sets no timer in the past on an idle connection', async () => {
    await open();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const admin = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.listTopics();
    expect(timers.mock.calls.filter(([, ms]) => (ms ?? 0) < 0)).toEqual([]);
    timers.mockRestore();
    await admin.disconnect();
  });
});
