import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execute, type Metadata } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { type Decider, Instant } from '@parlance/decider';
import { kafkaOfThree, type KafkaCluster, missing, patience, waitFor } from '@parlance/testing';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { counted, topic, upTo, world } from '../../test/relays.ts';
import type { Broker, Delivery } from '../broker.ts';
import { onceName } from '../inbox.ts';
import { openKafkaBroker } from './kafka-broker.ts';

const LONGEST = patience(240_000);
const KEYS = Array.from({ length: 24 }, (_, n) => `key-${n}`);
const EVERY_MS = 15;
const describeKafka = missing('kafka') ? describe.skip : describe;
const metadata: Metadata = {
  at: Instant.ofMillis(0),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};

/** The aggregate of another service. Each event is an effect of one event of the source. */
const effects: Decider<number, { readonly type: 'Done'; readonly n: number }, null> = {
  initialState: null,
  decide: (n) => [{ type: 'Done', n }],
  evolve: () => null,
};

describeKafka('three brokers', () => {
  let server: KafkaCluster;
  let admin: Admin;
  beforeAll(async () => {
    server = await kafkaOfThree();
    admin = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  }, LONGEST);
  afterAll(async () => {
    await admin?.disconnect();
    await server?.stop();
  });
  const files = new EmbeddedHarnesses();
  const brokers: Broker[] = [];
  afterEach(async () => {
    await Promise.all(brokers.splice(0).map((broker) => broker.close()));
    await files.close();
  });

  /** As the product opens it, with `kafkaReplicationFactor` 3. */
  async function open(): Promise<Broker> {
    const broker = await openKafkaBroker({ brokers: server.brokers, clientId: 'spec', partitions: 6, replicationFactor: 3 });
    brokers.push(broker);
    return broker;
  }

  async function inSync(): Promise<boolean> {
    const { topics } = await admin.fetchTopicMetadata();
    return topics.every(({ partitions }) => partitions.every(({ isr }) => isr.length === 3));
  }

  it(
    'lose nothing, do nothing twice and keep the order of each key while one of them is killed under load',
    async () => {
      const { relay, commit, store } = await world();
      const log = await openSqliteEventStore(await files.file());
      let done = 0;
      const handle = async (batch: readonly Delivery[]) => {
        const { event, key } = batch[0] as Delivery;
        const { n } = event.data as { n: number };
        const { written } = await execute(log, effects, { stream: key, command: n, metadata, once: onceName('spec', event) });
        if (written) done++;
      };
      for (let member = 0; member < 2; member++) await (await open()).subscribe({ group: 'effects', topics: [topic], handle });
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: 2, name: topic, configNames: ['min.insync.replicas'] }],
      });
      expect(resources[0]?.configEntries[0]?.configValue).toBe('2');
      const running = relay({ broker: await open(), leaseMs: 10_000 });
      running.start();

      let rounds = 0;
      const over = new AbortController();
      const writing = (async () => {
        for (; !over.signal.aborted; rounds++)
          for (const key of KEYS) {
            await commit(key, counted(rounds));
            await pause(EVERY_MS);
          }
      })();
      await waitFor(() => done >= 10 * KEYS.length, { timeout: LONGEST, what: 'the first effects' });
      await waitFor(() => inSync(), { timeout: LONGEST, what: 'all copies to be in step' });
      const { topics } = await admin.fetchTopicMetadata({ topics: ['__transaction_state'] });
      const killed = topics[0]!.partitions[0]!.leader;
      await server.nodes[killed - 1]!.kill();
      const before = done;
      await waitFor(() => done > before + 20 * KEYS.length, { timeout: LONGEST, what: 'effects after it' });
      over.abort();
      await writing;
      await running.reached(await store.head());
      await waitFor(() => done === rounds * KEYS.length, { timeout: LONGEST, what: 'all effects' });
      await running.stop();
      const numbers: Record<string, number[]> = {};
      for (const { stream, events } of await log.readAll(0, 1_000_000, 1e9))
        for (const { event } of events) (numbers[stream] ??= []).push((event as unknown as { n: number }).n);
      expect(numbers).toEqual(Object.fromEntries(KEYS.map((key) => [key, upTo(rounds)])));
    },
    LONGEST,
  );
});
