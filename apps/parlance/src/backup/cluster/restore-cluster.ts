import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { type Host, masterKeyThere, openHost } from '@parlance/foundation';
import { DatabaseCopies, type Republished } from '@parlance/installation/database-copies';
import { NotDrained } from '@parlance/messaging';
import { fingerprintOf } from '../backup-manifest.ts';
import { NotDone } from '../../not-done.ts';
import type { OnProgress } from '../../progress-bar.ts';
import { namesOfServices, requireCluster } from './back-up-cluster.ts';
import { changedInCluster, type ClusterManifest, DAY_MILLIS, dumpOf, keptFrom, readClusterManifest } from './cluster-manifest.ts';
import { copyObjects, objectsOf } from '../../adapters/object-copies.ts';

/**
 * Restores the databases, the objects and Kafka of a cluster that is stopped. Kafka is emptied, and the relays publish again all events that its
 * topics may have had, because some consumers may not have handled them, and all that they had not sent. Read models are built at the next start.
 */
export async function restoreCluster(
  config: Config,
  backup: string,
  replace: boolean,
  onProgress: OnProgress = () => undefined,
): Promise<readonly string[]> {
  requireCluster(config);
  const manifest = readClusterManifest(backup);
  const [problem] = await changedInCluster(backup, manifest, onProgress);
  if (problem !== undefined) throw new NotDone(`${backup} is damaged (${problem}): restore another backup; nothing was changed`);
  requireKey(config, manifest);
  const host = await openHost(config, true);
  const databases = await DatabaseCopies.open(config.mongoUri, namesOfServices);
  try {
    await requireStopped(host, databases);
    const heads = await databases.heads();
    if (Object.values(heads).some((head) => head > 0) && !replace)
      throw new NotDone('the databases are not empty: give --replace to remove their data; nothing was changed');
    await databases.begin();
    await host.broker.removeAll(namesOfServices);
    await putObjects(host, backup, manifest, onProgress);
    const republished = await databases.restore(manifest.databases, {
      pathOf: (service) => dumpOf(backup, service),
      republishFrom: keptFrom(config, Instant.parse(manifest.cut)),
      // As long as names are kept after their events: what is published again now leaves Kafka earlier.
      namesKeptUntil: new Date(Date.now() + 2 * config.topicRetentionDays * DAY_MILLIS),
      onDocument: onProgress,
    });
    return report(manifest, heads, republished);
  } finally {
    await databases.close();
    await host.shutdown.run();
  }
}

function requireKey(config: Config, { key }: ClusterManifest): void {
  const master = masterKeyThere(config);
  if (!master) throw new NotDone('put the master key of the backup in place first (masterKey, masterKeyFile); nothing was changed');
  if (fingerprintOf(master) !== key)
    throw new NotDone(
      'the backup was made under another master key: put that one in place first (masterKey, masterKeyFile); nothing was changed',
    );
}

async function requireStopped({ broker }: Host, databases: DatabaseCopies): Promise<void> {
  await broker.requireStopped(namesOfServices).catch((error: unknown) => {
    throw error instanceof NotDrained ? new NotDone(`${error.message}; nothing was changed`) : error;
  });
  const [service] = await databases.running();
  if (service !== undefined)
    throw new NotDone(`${service} is running, or was killed within the last seconds: stop all services first; nothing was changed`);
}

async function putObjects({ objects }: Host, backup: string, manifest: ClusterManifest, onProgress: OnProgress): Promise<void> {
  const source = await objectsOf(backup);
  try {
    await copyObjects(source, await objects.store(), undefined, (copied) => onProgress('objects', copied, manifest.objects));
  } finally {
    await source.close();
  }
}

function report(
  { databases, objects, cut }: ClusterManifest,
  heads: Readonly<Record<string, number>>,
  republished: ReadonlyMap<string, Republished>,
): string[] {
  const lost = Object.entries(heads).flatMap(([service, head]) => {
    const commits = head - (databases[service]?.position ?? 0);
    return commits > 0 ? [`${commits} commits of ${service}`] : [];
  });
  const late = [...republished].flatMap(([service, { late: commits }]) => (commits > 0 ? [`${commits} commits of ${service}`] : []));
  return [
    ...Object.entries(databases).map(([service, { position }]) => `${service.padEnd(14)}${position} commits`),
    `objects       ${objects}`,
    `Restored      the cluster, as of ${cut}`,
    `Lost          everything since then${lost.length > 0 ? `: ${lost.join(', ')}` : ''}`,
    '              Users that were erased and sessions that were ended since then are back: repeat those erasures',
    'Kafka         emptied; the services publish recent events again, and build all read models at the next start',
    ...(late.length > 0 ? [`              They also publish what they had never sent to Kafka: ${late.join(', ')}`] : []),
  ];
}
