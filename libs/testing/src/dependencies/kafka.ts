import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { freePort } from '../free-port.ts';
import { formatKafka, kafkaFiles, newClusterId, vmOptions } from './kafka-files.ts';
import { type KafkaNode, kafkaProperties, type SecuredListener } from './kafka-properties.ts';
import { patience } from '../patience.ts';
import { givenServer, type Place, placeFor, type Server, startServer } from '../server.ts';

/**
 * After each answer, kafkajs 2.2.4 sets a timer for requests that wait, also if none waits. Then its time is negative, and Node warns. The broker
 * of the product does the same (libs/messaging/src/kafka/quiet-queues.ts), and cannot be imported here: its specs use this library.
 */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}
const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as { prototype: RequestQueue };
const { scheduleCheckPendingRequests } = prototype;
prototype.scheduleCheckPendingRequests = function () {
  if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
};

export interface KafkaBroker extends Server {
  readonly brokers: string[];
}

export interface KafkaPlace extends Place {
  /** Adds a secured listener. Such a broker is always a new one. */
  readonly secured?: SecuredListener;
  /** A user's credentials, in the form of the storage tool. */
  readonly scram?: string;
}

/**
 * A real Apache Kafka: the one at KAFKA_BROKERS (comma-separated addresses), otherwise a new one with one node on this machine. A call with a
 * directory or `isOwn` always gets a new one, which may be killed. Rejects if Kafka cannot be fetched or does not start.
 */
export async function kafka({ secured, scram, ...place }: KafkaPlace = {}): Promise<KafkaBroker> {
  const configured = process.env.KAFKA_BROKERS;
  if (configured && place.directory === undefined && !place.isOwn && !secured) {
    return { brokers: configured.split(',').map((address) => address.trim()), ...givenServer('Kafka', async () => undefined) };
  }
  const files = await kafkaFiles();
  const [port, controllerPort] = [await freePort(), await freePort()];
  const where = await placeFor('kafka', place);
  const data = join(where.directory, 'data');
  const properties = join(where.directory, 'server.properties');
  await writeFile(properties, kafkaProperties([{ port, controllerPort, data, ...(secured && { secured }) }]));
  if (scram !== undefined) await formatKafka(files.lib, properties, ['--add-scram', scram]);
  else if (!existsSync(data)) await cp(files.formatted, data, { recursive: true });
  const brokers = [`127.0.0.1:${port}`];
  const server = await startServer(
    {
      name: 'Kafka',
      command: 'java',
      args: [...vmOptions(files.lib), 'kafka.Kafka', properties],
      ready: () => answers(brokers),
    },
    where,
  );
  return Object.assign(server, { brokers });
}

export interface KafkaCluster {
  readonly brokers: string[];
  /** The node with ID 1 first. */
  readonly nodes: readonly Server[];
  stop(): Promise<void>;
}

/** A new Apache Kafka of three nodes, each of which may be killed. Topics of Kafka itself have three copies. */
export async function kafkaOfThree(): Promise<KafkaCluster> {
  const { lib } = await kafkaFiles();
  const places = await Promise.all([1, 2, 3].map(() => placeFor('kafka', {})));
  const plan: KafkaNode[] = [];
  for (const { directory } of places)
    plan.push({ port: await freePort(), controllerPort: await freePort(), data: join(directory, 'data') });
  const clusterId = newClusterId();
  const starting = places.map(async (where, index) => {
    const properties = join(where.directory, 'server.properties');
    await writeFile(properties, kafkaProperties(plan, index + 1));
    await formatKafka(lib, properties, [], clusterId);
    const args = [...vmOptions(lib), 'kafka.Kafka', properties];
    const ready = () => answers([`127.0.0.1:${plan[index]!.port}`]);
    return startServer({ name: `Kafka node ${index + 1}`, command: 'java', args, ready }, where);
  });
  const outcomes = await Promise.allSettled(starting);
  const stop = async () => {
    await Promise.all(outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.stop()));
  };
  // Wait for all, so that the started ones are stopped if another one fails.
  const nodes = await Promise.all(starting).catch((error: unknown) => stop().then(() => Promise.reject(error)));
  return { brokers: plan.map(({ port }) => `127.0.0.1:${port}`), nodes, stop };
}

// The group coordinator starts after the listener. Until then, clients get an error.
async function answers(brokers: string[]): Promise<void> {
  const admin = new Kafka({
    brokers,
    logLevel: logLevel.NOTHING,
    retry: { retries: 3, initialRetryTime: 20 },
    connectionTimeout: patience(5_000),
  }).admin();
  try {
    await admin.connect();
    await admin.fetchOffsets({ groupId: 'parlance-ready', topics: [] });
  } finally {
    await admin.disconnect();
  }
}
