import type { Config } from '@parlance/config';
import { openHost } from '@parlance/foundation';
import { NotDrained } from '@parlance/messaging';
import { NotDone } from './not-done.ts';
import { services } from './services.ts';

/**
 * `parlance partitions COUNT`: raises the partitions of all topics. Keys move to other partitions, so all services have to be stopped, after they have
 * read everything. Positions of read models are per partition, so the next start builds the read models of other services' events again.
 */
export async function partitions(config: Config, [word = '']: readonly string[]): Promise<void> {
  const count = /^[1-9]\d{0,3}$/.test(word) ? Number(word) : 0;
  if (count < 1 || count > 1_000) throw new NotDone('name the number of partitions, from 1 to 1000: parlance partitions 12');
  if (config.kafkaBrokers.length === 0 || config.mongoUri === null)
    throw new NotDone('only a cluster on Kafka and MongoDB has partitions that can be raised: set kafkaBrokers and mongoUri');
  const names = services.map(({ name }) => name);
  const host = await openHost(config, true);
  try {
    const isReadModel = (group: string) => names.some((name) => group.startsWith(`${name}.`));
    const { rebuildForeignInDatabases } = await import('@parlance/installation/database');
    const topics = names.map((name) => `parlance.${name}`);
    await host.broker.raisePartitions(topics, count, isReadModel).catch(refused);
    await rebuildForeignInDatabases(config.mongoUri, names);
  } finally {
    await host.shutdown.run();
  }
  process.stdout.write(`All topics have ${count} partitions. Set kafkaPartitions to ${count} too, for topics that are created later.\n`);
  process.stdout.write(`The next start rebuilds the read models of other services' events.\n`);
}

function refused(error: unknown): never {
  if (error instanceof NotDrained || error instanceof RangeError) throw new NotDone(`${error.message}; nothing was changed`);
  throw error;
}
