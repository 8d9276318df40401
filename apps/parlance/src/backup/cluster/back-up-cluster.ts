import { copyFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '@parlance/config';
import { type Host, masterKeyThere, openObjects } from '@parlance/foundation';
import { RestoreUnfinished, syncPath } from '@parlance/installation';
import { DatabaseCopies } from '@parlance/installation/database-copies';
import type { ListedObject } from '@parlance/object-store';
import { keyLine, kibibytes, requireKeyFile } from '../backup.ts';
import { fingerprintOf } from '../backup-manifest.ts';
import { hashOf } from '../file-hash.ts';
import { type MissingObjects, objectLines, requireObjects } from '../missing-objects.ts';
import { makeEmpty } from '../take-backup.ts';
import { NotDone } from '../../not-done.ts';
import type { OnProgress } from '../../progress-bar.ts';
import type { BackupRequest } from '../../operator/operator-socket.ts';
import { services } from '../../services.ts';
import { missingInCluster } from './missing-in-cluster.ts';
import { type ClusterManifest, dumpOf, writeClusterManifest } from './cluster-manifest.ts';
import { copyObjects, listFiles, objectsOf } from '../../adapters/object-copies.ts';

/** More than the clocks of this machine and of the object store may differ. */
const CLOCKS_DIFFER_MILLIS = 10 * 60_000;

export const namesOfServices: readonly string[] = services.map(({ name }) => name);

/** Throws `NotDone` for a configuration without the stores of a cluster. */
export function requireCluster(config: Config): asserts config is Config & { readonly mongoUri: string; readonly objectStore: object } {
  if (config.mongoUri === null || config.kafkaBrokers.length === 0 || config.objectStore === null)
    throw new NotDone('set mongoUri, kafkaBrokers and objectStore, as the services of the cluster have them');
}

/**
 * Copies a cluster, which may be running: the logs as they are at one moment, and all objects that their events name. An object is stored before
 * the event that names it, and may be removed soon after it. So the objects are copied before that moment, and those that have been stored or
 * changed meanwhile after it. Kafka has nothing that is not in the logs.
 */
export async function backUpCluster(
  config: Config,
  { directory, withMasterKey, acceptMissing }: BackupRequest,
  onProgress: OnProgress = () => undefined,
): Promise<readonly string[]> {
  requireCluster(config);
  requireKeyFile(config, withMasterKey);
  const master = masterKeyThere(config);
  if (!master) throw new NotDone('the master key of the cluster is missing: set masterKey or masterKeyFile');
  makeEmpty(directory);
  const databases = await DatabaseCopies.open(config.mongoUri, namesOfServices);
  try {
    const begun = await databases.unfinishedRestore();
    if (begun) throw new RestoreUnfinished(begun);
    const installation = await databases.installation();
    if (installation === null) throw new NotDone('the database has no installation: check mongoUri');
    const taken = await copyAll(config, { databases, directory, master, onProgress });
    const missing = await missingInCluster(directory, taken.databases, databases);
    requireObjects(
      missing,
      acceptMissing,
      directory,
      `check that objectStore names the bucket of this installation (now ${config.objectStore.bucket})`,
    );
    if (withMasterKey) await copyFile(config.masterKeyFile, join(directory, 'master.key'));
    const missingObjects = missing.count + missing.removed;
    const manifest = { ...taken, missingObjects, installation, key: fingerprintOf(master), hasMasterKey: withMasterKey };
    await writeClusterManifest(directory, manifest);
    await syncPath(dirname(directory));
    return [...contents(manifest, missing), `Backup        ${directory}, as of ${manifest.cut}`, keyLine(config, manifest)];
  } finally {
    await databases.close();
  }
}

interface Work {
  readonly databases: DatabaseCopies;
  readonly directory: string;
  readonly master: Host['master'];
  readonly onProgress: OnProgress;
}

async function copyAll(config: Config, { databases, directory, master, onProgress }: Work) {
  const objects = await openObjects(config, null, master);
  const target = await objectsOf(directory);
  try {
    const store = await objects.store();
    const begun = Date.now() - CLOCKS_DIFFER_MILLIS;
    const onCopied = (copied: number) => onProgress('objects', copied, copied);
    await copyObjects(store, target, undefined, onCopied);
    const cut = new Date().toISOString();
    // Before the cut: what a relay sends after it, consumers may not have handled at the cut.
    const relayed = await databases.relayed();
    const logs = await databases.cut();
    const dumps: Record<string, ClusterManifest['databases'][string]> = {};
    for (const service of namesOfServices) {
      const path = dumpOf(directory, service);
      const dumped = await databases.dump(service, logs.get(service) ?? null, path, onProgress);
      dumps[service] = { ...dumped, relayed: relayed.get(service) ?? 0, bytes: (await stat(path)).size, sha256: await hashOf(path) };
    }
    const isCopied = async ({ key, size, modified }: ListedObject) => modified.getTime() < begun && (await target.stat(key))?.size === size;
    await copyObjects(store, target, isCopied, onCopied);
    const list = await listFiles(directory);
    return { cut, databases: dumps, objects: list.count, list };
  } finally {
    await target.close();
    await objects.close();
  }
}

function contents({ databases, objects }: Pick<ClusterManifest, 'databases' | 'objects'>, missing: MissingObjects): string[] {
  const lines = Object.entries(databases).map(
    ([service, { position, bytes }]) => `${service.padEnd(14)}${position} commits, ${kibibytes(bytes)}`,
  );
  return [...lines.toSorted(), ...objectLines(objects, missing)];
}
