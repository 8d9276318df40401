import { Broker, type Report, type RetryPolicy } from '@parlance/messaging';
import type { Config } from '@parlance/config';
import { BROKER, type DataDirectory, type FileInstallation } from '@parlance/installation';
import { bytesOfFile, LOG_NOT_MOVED } from './storage.module.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Opens Kafka if brokers are configured, otherwise the embedded broker in the data directory. The other adapter is not loaded. */
export async function openBroker(
  config: Config,
  files: { readonly directory: DataDirectory; readonly installation: FileInstallation } | null,
  retry: RetryPolicy,
  report: Report,
  reportOutage: Report,
): Promise<Broker> {
  const retentionMs = config.topicRetentionDays * DAY_MS;
  if (config.kafkaBrokers.length > 0) {
    const { openKafkaBroker } = await import('@parlance/messaging/kafka');
    return openKafkaBroker({
      brokers: config.kafkaBrokers,
      clientId: 'parlance',
      prefix: config.kafkaPrefix,
      security: config.kafkaSecurity,
      partitions: config.kafkaPartitions,
      replicationFactor: config.kafkaReplicationFactor,
      minInsyncReplicas: config.kafkaMinInsyncReplicas,
      retry,
      report,
      reportOutage,
      retentionMs,
    });
  }
  if (!files) throw new Error('the embedded broker needs a data directory');
  const [{ openSqliteFile }, { openEmbeddedBroker }] = await Promise.all([
    import('@parlance/sqlite'),
    import('@parlance/messaging/embedded'),
  ]);
  const onMoveFailed = (err: Error) => report(LOG_NOT_MOVED, { err, file: `${BROKER}.db` });
  const file = await openSqliteFile(files.directory.file(`${BROKER}.db`), { onMoveFailed });
  const broker = await openEmbeddedBroker(file, { retry, report, retentionMs });
  await files.installation.keep(BROKER, file);
  return closingAlso(broker, async () => {
    await files.installation.release(BROKER);
    await file.close();
  });
}

/** The size of the embedded broker on disk; null for Kafka, whose size is not known here. */
export async function bytesOfBroker(config: Config, directory: DataDirectory | null): Promise<number | null> {
  return config.kafkaBrokers.length > 0 || !directory ? null : bytesOfFile(directory.file(`${BROKER}.db`));
}

/** Makes `close` also close the file, which the broker itself leaves open because other components may share it. */
function closingAlso(broker: Broker, close: () => Promise<void>): Broker {
  const closeBroker = broker.close.bind(broker);
  broker.close = async () => {
    await closeBroker();
    await close();
  };
  return broker;
}
