import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Host, VERSION } from '@parlance/foundation';
import { markOfFile, OBJECTS, ownLogs, pathOf, readManifest, syncPath, TREES } from '@parlance/installation';
import { factsOfFile } from '../adapters/file-facts.ts';
import { pin, type Pinned } from '../adapters/sqlite-pins.ts';
import { NotDone } from '../not-done.ts';
import { type BackedUpFile, type BackupManifest, fingerprintOf, writeBackupManifest } from './backup-manifest.ts';
import { hashOf } from './file-hash.ts';
import type { OnProgress } from '../progress-bar.ts';
import { countFiles, type FileListMark, FileListWriter } from './file-list.ts';
import { linkTrees, removeLinks } from './linked-trees.ts';
import { findMissing, type MissingObjects, type NamingFact, NONE_MISSING, requireObjects, servicesWithObjects } from './missing-objects.ts';

export interface BackupOrder {
  /** The data directory. No other process has its files open. */
  readonly data: string;
  /** The directory of the backup. It must be absent or empty. */
  readonly target: string;
  readonly master: Host['master'] | null;
  /** The master key file to include, if any. */
  readonly masterKeyFile: string | null;
  /** Holds removals of objects and index files until the returned function is called. */
  readonly holdRemovals: () => () => void;
  readonly onProgress?: OnProgress | undefined;
  /** Whether all objects are in the data directory, so that they can be compared with the events. */
  readonly hasObjects: boolean;
  /** Whether the backup is written even if objects are missing. */
  readonly acceptMissing: boolean;
}

export interface TakenBackup {
  readonly manifest: BackupManifest;
  readonly missing: MissingObjects;
}

/**
 * Copies all files in their state at one moment, like the state after a kill -9: every log has all events that another service has
 * read from it.
 *
 * No event in a backup names a file that the backup lacks: a file is complete before the event that names it, and is not removed between
 * the pinning of the databases and the linking of all files. A backup may have files that no event names. The product removes them later,
 * as after a kill -9.
 */
export async function takeBackup(order: BackupOrder): Promise<TakenBackup> {
  const { data, target, master, masterKeyFile, holdRemovals, onProgress, hasObjects, acceptMissing } = order;
  makeEmpty(target);
  const { installation } = readManifest(data)!;
  // Small files are copied first, so that they are released early.
  const sizeOf = (log: string) => statSync(pathOf(data, log)).size;
  const names = ownLogs(data).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  const cut = new Date().toISOString();
  const releaseRemovals = holdRemovals();
  let pinned: readonly Pinned[] = [];
  const files: Record<string, BackedUpFile> = {};
  let objects: number;
  let list: FileListMark;
  try {
    pinned = pin(data, names);
    const links = await linkTrees(data);
    releaseRemovals();
    for (const each of pinned) files[each.log] = await copy(each, target, onProgress);
    ({ objects, list } = await copyTrees(links, target, onProgress));
  } finally {
    releaseRemovals();
    for (const each of pinned) each.release();
    await removeLinks(data);
  }
  const missing = hasObjects ? await missingInFiles(target, names) : NONE_MISSING;
  requireObjects(missing, acceptMissing, target, `check the folder ${join(data, OBJECTS)}`);
  if (masterKeyFile !== null) await copyFile(masterKeyFile, join(target, 'master.key'));
  const manifest = {
    version: VERSION,
    installation,
    cut,
    key: master && fingerprintOf(master),
    hasMasterKey: masterKeyFile !== null,
    files,
    objects,
    list,
    ...(hasObjects && { missingObjects: missing.count }),
  };
  await writeBackupManifest(target, manifest);
  await syncPath(dirname(target));
  return { manifest: { format: 2, ...manifest }, missing };
}

/** Compares the objects of a backup with the events in its files. */
export function missingInFiles(directory: string, logs: readonly string[]): Promise<MissingObjects> {
  async function* facts(): AsyncGenerator<NamingFact> {
    for (const service of servicesWithObjects) if (logs.includes(service)) yield* factsOfFile(pathOf(directory, service), service);
  }
  return findMissing(directory, facts());
}

/** Releases the file right after the copy, because the write-ahead log of a pinned file grows and keeps erased keys. */
async function copy(pinned: Pinned, target: string, onProgress?: OnProgress): Promise<BackedUpFile> {
  const path = pathOf(target, pinned.log);
  await pinned.copyTo(path, onProgress);
  pinned.release();
  return { bytes: (await stat(path)).size, sha256: await hashOf(path), ...markOfFile(path, pinned.log) };
}

async function copyTrees(links: string, target: string, onProgress?: OnProgress): Promise<{ objects: number; list: FileListMark }> {
  const writer = await FileListWriter.create(target);
  let objects = 0;
  let copied = 0;
  const total = onProgress ? await countFiles(links) : 0;
  try {
    for (const tree of TREES) {
      if (!existsSync(join(links, tree))) continue;
      await copyTree(join(links, tree), join(target, tree), async (inside) => {
        await writer.add(`${tree}/${inside}`);
        if (tree === OBJECTS) objects += 1;
        copied += 1;
        onProgress?.('files', copied, Math.max(copied, total));
      });
    }
    return { objects, list: await writer.finish() };
  } finally {
    await writer.close();
  }
}

/** Copies and syncs all files. Calls `onCopied` with the path of each file inside the tree. */
export async function copyTree(
  from: string,
  to: string,
  onCopied: (inside: string) => Promise<void> = async () => undefined,
  inside = '',
): Promise<void> {
  await mkdir(join(to, inside), { recursive: true, mode: 0o700 });
  for await (const entry of await opendir(join(from, inside))) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) await copyTree(from, to, onCopied, path);
    else if (entry.isFile()) {
      await copyFile(join(from, path), join(to, path));
      await syncPath(join(to, path));
      await onCopied(path);
    }
  }
  await syncPath(join(to, inside));
}

/** Throws `NotDone` unless the directory is absent or empty. */
export function makeEmpty(target: string): void {
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    if (readdirSync(target).length === 0) return;
  } catch (error) {
    throw new NotDone(`the backup cannot be written to ${target} (${(error as NodeJS.ErrnoException).code}): name another directory`);
  }
  throw new NotDone(`${target} is not empty: name a new directory for each backup`);
}
