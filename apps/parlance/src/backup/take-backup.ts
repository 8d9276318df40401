import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Host, VERSION } from '@parlance/foundation';
import { markOfFile, OBJECTS, ownLogs, pathOf, readManifest, syncPath } from '@parlance/installation';
import { pin, type Pinned } from '../adapters/sqlite-pins.ts';
import { NotDone } from '../not-done.ts';
import { type BackedUpFile, type BackupManifest, fingerprintOf, hashOf, writeBackupManifest } from './backup-manifest.ts';

export interface BackupOrder {
  /** The data directory. Its files are open in this process, or in none. */
  readonly data: string;
  /** The directory of the backup. It must be absent or empty. */
  readonly target: string;
  readonly master: Host['master'] | null;
  /** The master key file to include, if any. */
  readonly masterKeyFile: string | null;
}

/**
 * Copies all files as they are at one moment, like the state after a kill -9: no log is behind the events that another service has read
 * from it. Objects are copied afterwards; an object is stored before the event that names it, so none is missing.
 */
export async function takeBackup({ data, target, master, masterKeyFile }: BackupOrder): Promise<BackupManifest> {
  makeEmpty(target);
  const { installation } = readManifest(data)!;
  // Small files first, so that they are released early.
  const sizeOf = (log: string) => statSync(pathOf(data, log)).size;
  const names = ownLogs(data).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  const cut = new Date().toISOString();
  const pinned = pin(data, names);
  const files: Record<string, BackedUpFile> = {};
  try {
    for (const each of pinned) files[each.log] = await copy(each, target);
  } finally {
    for (const each of pinned) each.release();
  }
  const objects = existsSync(join(data, OBJECTS)) ? await copyTree(join(data, OBJECTS), join(target, OBJECTS)) : 0;
  if (masterKeyFile !== null) await copyFile(masterKeyFile, join(target, 'master.key'));
  const manifest = {
    version: VERSION,
    installation,
    cut,
    key: master && fingerprintOf(master),
    hasMasterKey: masterKeyFile !== null,
    files,
    objects,
  };
  await writeBackupManifest(target, manifest);
  await syncPath(dirname(target));
  return { format: 1, ...manifest };
}

/** Released at once, because the log of a pinned file grows, and erased keys stay in it. */
async function copy(pinned: Pinned, target: string): Promise<BackedUpFile> {
  const path = pathOf(target, pinned.log);
  await pinned.copyTo(path);
  pinned.release();
  return { bytes: (await stat(path)).size, sha256: await hashOf(path), ...markOfFile(path, pinned.log) };
}

/** Returns the number of copied files. A file that is removed meanwhile is left out; the event of its removal is newer than the backup. */
export async function copyTree(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true });
  let copied = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, copyOfIt] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copied += await copyTree(source, copyOfIt);
    else if (entry.isFile() && (await copyUnlessGone(source, copyOfIt))) copied += 1;
  }
  await syncPath(to);
  return copied;
}

async function copyUnlessGone(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    await syncPath(to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function makeEmpty(target: string): void {
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    if (readdirSync(target).length === 0) return;
  } catch (error) {
    throw new NotDone(`the backup cannot be written to ${target} (${(error as NodeJS.ErrnoException).code}): name another directory`);
  }
  throw new NotDone(`${target} is not empty: name a new directory for each backup`);
}
