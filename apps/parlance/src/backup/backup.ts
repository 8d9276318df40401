import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '@parlance/config';
import { type Host, masterKeyThere } from '@parlance/foundation';
import { BROKER, DataDirectory, filesUsed, refusals } from '@parlance/installation';
import { NotDone } from '../not-done.ts';
import { progressBar, type OnProgress } from '../progress-bar.ts';
import { backupByProduct } from '../operator/operator-client.ts';
import type { BackupRequest } from '../operator/operator-socket.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { ACCEPT_MISSING, type MissingObjects, objectLines } from './missing-objects.ts';
import { takeBackup } from './take-backup.ts';

const WITH_KEY = '--with-master-key';
const OPTIONS: readonly string[] = [WITH_KEY, ACCEPT_MISSING];

/** `parlance backup [DIR]`: the running product writes the backup; if the product does not run, this process writes it. */
export async function backup(config: Config, words: readonly string[]): Promise<void> {
  const [directory, ...more] = words.filter((word) => !OPTIONS.includes(word));
  const target = directory ?? newFolder(config);
  if (target === null || more.length > 0)
    throw new NotDone(`a backup needs one directory: parlance backup DIR [${OPTIONS.join('] [')}], or the setting backupDir`);
  const order = { directory: resolve(target), withMasterKey: words.includes(WITH_KEY), acceptMissing: words.includes(ACCEPT_MISSING) };
  const bar = progressBar('');
  const take = config.mongoUri === null ? inProductOrHere : (await import('./cluster/back-up-cluster.ts')).backUpCluster;
  const lines = await take(config, order, bar.show).finally(() => bar.end());
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The name is the time of the command, without characters that some file systems refuse. */
const newFolder = ({ backupDir }: Config): string | null =>
  backupDir === null ? null : join(backupDir, new Date().toISOString().replaceAll(':', '-'));

const inProductOrHere = async (config: Config, order: BackupRequest, onProgress: OnProgress) =>
  (await backupByProduct(config.dataDir, order, onProgress)) ?? (await backupOfStopped(config, order, onProgress));

async function backupOfStopped(config: Config, order: BackupRequest, onProgress: OnProgress): Promise<readonly string[]> {
  if (!existsSync(config.dataDir)) throw new NotDone(`there is no data directory ${config.dataDir}`);
  const directory = DataDirectory.take(config.dataDir);
  try {
    const [refused] = refusals(config.dataDir, filesUsed(config));
    if (refused) throw refused;
    return await backUp(config, order, { master: masterKeyThere(config), holdRemovals: () => directory.removals.hold(), onProgress });
  } finally {
    directory.release();
  }
}

/** Returns the lines to print. */
export async function backUp(
  config: Config,
  { directory, withMasterKey, acceptMissing }: BackupRequest,
  {
    master,
    holdRemovals,
    onProgress,
  }: { readonly master: Host['master'] | null; readonly holdRemovals: () => () => void; readonly onProgress?: OnProgress },
): Promise<readonly string[]> {
  requireKeyFile(config, withMasterKey);
  const { manifest, missing } = await takeBackup({
    data: config.dataDir,
    target: directory,
    master,
    masterKeyFile: withMasterKey ? config.masterKeyFile : null,
    holdRemovals,
    onProgress,
    hasObjects: config.objectStore === null,
    acceptMissing,
  });
  return [...contents(manifest, missing), `Backup        ${directory}, as of ${manifest.cut}`, keyLine(config, manifest)];
}

/** Throws `NotDone` if the master key is to be copied and is not in a file. */
export function requireKeyFile(config: Config, withMasterKey: boolean): void {
  if (withMasterKey && (config.masterKey !== null || !existsSync(config.masterKeyFile)))
    throw new NotDone(`${WITH_KEY}: the master key is not in a file, so it cannot be copied: leave the option out`);
}

function contents({ files, objects, list }: BackupManifest, missing: MissingObjects): string[] {
  const lines = Object.entries(files)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([log, { position, bytes }]) => `${log.padEnd(14)}${log === BROKER ? '' : `${position} commits, `}${kibibytes(bytes)}`);
  const indexFiles = (list?.count ?? 0) - objects;
  return [...lines, ...objectLines(objects, missing), ...(indexFiles > 0 ? [`knowledge     ${indexFiles} files of indexes`] : [])];
}

export const kibibytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KiB`;

export function keyLine({ masterKey, masterKeyFile }: Config, { hasMasterKey }: Pick<BackupManifest, 'hasMasterKey'>): string {
  if (hasMasterKey) return 'Master key    in the backup: everyone with the backup can read everything in it';
  const location = masterKey === null ? masterKeyFile : 'in the configuration (masterKey)';
  return `Master key    NOT in the backup, and needed to restore it: keep a copy apart (${location})`;
}
