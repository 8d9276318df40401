import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kafka as startKafka, missing, patience } from '@parlance/testing';
import { type Broker, NotDrained } from '../broker.ts';
import { contractRetry } from '../../test/contract/contract.ts';
import { eventually, fresh, outgoing, publish, Recorder } from '../../test/contract/harness.ts';
import { openKafkaBroker } from './kafka-broker.ts';

const PATIENCE_MS = patience(60_000);
const describeKafka = missing('kafka') ? describe.skip : describe;

describeKafka('removing everything of an installation', () => {
  let server: Awaited<ReturnType<typeof startKafka>>;
  const opened: Broker[] = [];
  beforeAll(async () => {
    server = await startKafka();
  });
  afterAll(async () => {
    for (const broker of opened) await broker.close();
    await server?.stop();
  });

  const open = async (prefix: string) => {
    const consumer = { maxWaitTimeInMs: 30, sessionTimeout: 6_000, heartbeatInterval: 500 };
    const broker = await openKafkaBroker({
      brokers: server.brokers,
      clientId: 'spec',
      prefix,
      partitions: 2,
      retry: contractRetry,
      consumer,
    });
    opened.push(broker);
    return broker;
  };
  /** A service that has read one event and set it aside, so that its group has all of its topics. */
  const used = async (prefix: string, service: string) => {
    const broker = await open(prefix);
    const topic = `parlance.${service}`;
    await broker.ensureTopics([topic]);
    const handle = () => Promise.reject(new Error('refused'));
    const running = await broker.subscribe({ group: `${service}.reader.v1`, topics: [topic], handle });
    await publish(broker, [outgoing(topic, 'key', 0)]);
    await eventually(PATIENCE_MS, async () => expect(await broker.countDeadLetters(`${service}.reader.v1`)).toBe(1));
    return { broker, topic, running };
  };

  it('is possible when no group is running, and leaves other installations alone', async () => {
    const service = fresh('service').replaceAll('.', '-');
    const [prefix, group] = [`${fresh('acme')}.`, `${service}.reader.v1`];
    const [ours, other] = [await used(prefix, service), await used(`${prefix}second.`, service)];
    await expect(ours.broker.requireStopped([service])).rejects.toThrow(`the group ${prefix}${group} is running: stop it first`);
    await expect(ours.broker.requireStopped([service])).rejects.toThrow(NotDrained);
    await ours.running.stop();
    await ours.broker.requireStopped([service]);
    await ours.broker.removeAll([service]);

    const again = await open(prefix);
    expect(await again.countDeadLetters(group)).toBe(0);
    const recorder = new Recorder(PATIENCE_MS);
    await again.ensureTopics([ours.topic]);
    await publish(again, [outgoing(ours.topic, 'key', 7)]);
    const running = await again.subscribe({ group, topics: [ours.topic], handle: recorder.handle });
    await recorder.got(['key-7']);
    expect(recorder.ids).toEqual(['key-7']);
    await running.stop();

    expect(await other.broker.countDeadLetters(group)).toBe(1);
    expect((await other.broker.lag(group)).some(({ behind }) => behind > 0)).toBe(false);
    await other.running.stop();
  });
});
