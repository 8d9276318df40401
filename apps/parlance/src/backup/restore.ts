import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '@parlance/config';
import { newId } from '@parlance/event-store';
import {
  BROKER,
  DataDirectory,
  logsIn,
  type Manifest,
  MANIFEST,
  newManifest,
  pathOf,
  readManifest,
  RESTORING,
  stampFile,
  syncPath,
  TREES,
  writeManifest,
} from '@parlance/installation';
import { masterKeyThere } from '@parlance/foundation';
import { checkFile } from '../adapters/sqlite-check.ts';
import { NotDone } from '../not-done.ts';
import { progressBar, type OnProgress } from '../progress-bar.ts';
import { OPERATOR_SOCKET } from '../operator/operator-socket.ts';
import { type BackupManifest, changedSince, fingerprintOf, readBackupManifest } from './backup-manifest.ts';
import { copyTree } from './take-backup.ts';

const REPLACE = '--replace';
const MASTER_KEY = 'master.key';
/** Files that are not replaced, such as the lock, and the key, which is not in a backup by default. */
const STAYS = /^(lock\.db|master\.key|restoring$|replaced-)/;

/** `parlance restore DIR`: restores the data directory from a backup. The product has to be stopped. */
export async function restore(config: Config, words: readonly string[]): Promise<void> {
  const [directory, ...more] = words.filter((word) => word !== REPLACE);
  if (directory === undefined || more.length > 0) throw new NotDone(`name the directory of a backup: parlance restore DIR [${REPLACE}]`);
  const bar = progressBar('');
  const into = config.mongoUri === null ? restoreInto : (await import('./cluster/restore-cluster.ts')).restoreCluster;
  const lines = await into(config, resolve(directory), words.includes(REPLACE), bar.show).finally(() => bar.end());
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Returns the lines to print. If the backup or the directory cannot be used, it changes nothing and rejects with `NotDone`. */
export async function restoreInto(config: Config, backup: string, replace: boolean, onProgress?: OnProgress): Promise<readonly string[]> {
  const manifest = readBackupManifest(backup);
  await requireWhole(backup, manifest, onProgress);
  const key = keyLine(config, backup, manifest);
  const directory = DataDirectory.take(config.dataDir);
  try {
    const data = directory.path;
    const existing = readdirSync(data).filter((name) => !STAYS.test(name));
    if (existing.length > 0 && !replace)
      throw new NotDone(`${data} is not empty: restore into another dataDir, or give ${REPLACE} to move the existing data aside`);
    const lost = lossOf(data, manifest);
    await copyIn(backup, manifest, data, onProgress);
    const aside = existing.length > 0 ? await putAside(data, existing) : null;
    await moveIn(data, manifest);
    return [
      ...Object.entries(manifest.files).map(([log, { position }]) =>
        `${log.padEnd(14)}${log === BROKER ? '' : `${position} commits`}`.trimEnd(),
      ),
      `Restored      ${data}, as of ${manifest.cut}`,
      `Lost          everything since then${lost.length > 0 ? `: ${lost.join(', ')}` : ''}`,
      '              Users that were erased and sessions that were ended since then are back: repeat those erasures',
      ...(aside === null ? [] : [`Put aside     ${aside}: remove it when you no longer need it`]),
      key,
    ];
  } finally {
    directory.release();
  }
}

async function requireWhole(backup: string, manifest: BackupManifest, onProgress?: OnProgress): Promise<void> {
  const changed = await changedSince(backup, manifest, onProgress);
  const damages = Object.keys(manifest.files).flatMap((log) => checkFile(pathOf(backup, log), log).damages);
  const problem = changed[0] ?? (damages[0] && `${damages[0].log}.db: ${damages[0].text}`);
  if (problem !== undefined) throw new NotDone(`${backup} is damaged (${problem}): restore another backup; nothing was changed`);
}

/** Throws `NotDone` if the available master key is not the key of the data. */
function keyLine(config: Config, backup: string, manifest: BackupManifest): string {
  const isRightKey = masterKeyThere(config);
  if (isRightKey && manifest.key !== null && fingerprintOf(isRightKey) !== manifest.key)
    throw new NotDone(
      'the backup was made under another master key: put that one in place first (masterKey, masterKeyFile); nothing was changed',
    );
  if (isRightKey) return 'Master key    the right one is in place';
  const from = manifest.hasMasterKey ? join(backup, MASTER_KEY) : 'your copy of it';
  return `Master key    missing: put ${from} at ${config.masterKeyFile} (mode 600) before the start`;
}

/** How many commits of each log are newer than the backup, as far as the existing files show. */
function lossOf(data: string, { files }: BackupManifest): string[] {
  let previous: Manifest | null;
  try {
    previous = readManifest(data);
  } catch {
    return [];
  }
  return Object.entries(previous?.logs ?? {}).flatMap(([log, { position }]) => {
    const lost = log === BROKER ? 0 : position - (files[log]?.position ?? 0);
    return lost > 0 ? [`${lost} commits of ${log}`] : [];
  });
}

/** All copies are made and synced before any existing file is touched. */
async function copyIn(backup: string, { files, list }: BackupManifest, data: string, onProgress?: OnProgress): Promise<void> {
  const total = Object.keys(files).length + (list?.count ?? 0);
  let copied = 0;
  const note = () => onProgress?.('restore', ++copied, Math.max(copied, total));
  const draft = join(data, RESTORING);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  for (const log of Object.keys(files)) {
    await copyFile(pathOf(backup, log), pathOf(draft, log));
    await syncPath(pathOf(draft, log));
    note();
  }
  for (const tree of TREES)
    if (existsSync(join(backup, tree))) await copyTree(join(backup, tree), join(draft, tree), async () => void note());
  await syncPath(draft);
}

async function putAside(data: string, names: readonly string[]): Promise<string> {
  const aside = join(data, `replaced-${new Date().toISOString().replaceAll(':', '')}`);
  await mkdir(aside, { mode: 0o700 });
  // The manifest is moved first: if this process is killed, the files have no manifest, and the product does not start with them.
  for (const name of names.toSorted((one, other) => Number(other === MANIFEST) - Number(one === MANIFEST)))
    if (name !== OPERATOR_SOCKET) await rename(join(data, name), join(aside, name));
  await syncPath(data);
  return aside;
}

/**
 * The restored data become a new installation, so that files from the lost period are never mixed with them. The manifest is written last,
 * because the product does not start with files that have no manifest. Without a manifest, the folder of the drafts shows that a restore has not
 * finished.
 */
async function moveIn(data: string, { files, installation, cut }: BackupManifest): Promise<void> {
  const draft = join(data, RESTORING);
  const id = newId();
  for (const log of logsIn(draft)) stampFile(pathOf(draft, log), id);
  for (const name of readdirSync(draft)) await rename(join(draft, name), join(data, name));
  await syncPath(data);
  const logs = Object.fromEntries(Object.entries(files).map(([log, { position, commit }]) => [log, { position, commit }]));
  await writeManifest(data, newManifest(id, { logs, restored: { installation, cut } }));
  await rm(draft, { recursive: true });
}
