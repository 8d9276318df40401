import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '@parlance/foundation';
import { type Mark, pathOf, writeWhole } from '@parlance/installation';
import { hashOf } from './file-hash.ts';
import { changedFiles, type FileListMark } from './file-list.ts';
import type { OnProgress } from '../progress-bar.ts';
import { NotDone } from '../not-done.ts';

/** The last file that a backup writes. Without this file, the backup is incomplete. */
export const BACKUP = 'backup.json';
/** Format 1 has no list of files. */
const FORMAT = 2;
/** Backups of clusters. Releases without them refuse this format. */
export const CLUSTER_FORMAT = 3;

export const isOfCluster = ({ format }: { readonly format: number }): boolean => format === CLUSTER_FORMAT;

export interface BackedUpFile extends Mark {
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupManifest {
  readonly format: 1 | typeof FORMAT;
  /** The version of Parlance that wrote the backup. */
  readonly version: string;
  readonly installation: string;
  /** RFC 3339. The backup has all data that were acknowledged before this time. */
  readonly cut: string;
  /** Shows whether a master key is the right one for the data, and reveals nothing about the key. Null if no key was available. */
  readonly key: string | null;
  readonly hasMasterKey: boolean;
  readonly files: Readonly<Record<string, BackedUpFile>>;
  /** Uploaded files. */
  readonly objects: number;
  /**
   * How many objects that its events name the backup lacks: by consent, or because they were removed while it was made. Absent in earlier backups,
   * and if the objects are not in the data directory.
   */
  readonly missingObjects?: number;
  /** The list of uploaded files and index files. Absent in format 1. */
  readonly list?: FileListMark;
}

export const fingerprintOf = (master: Host['master']): string => Buffer.from(master.derive('backup', 6)).toString('base64url');

export const writeBackupManifest = (directory: string, manifest: Omit<BackupManifest, 'format'>): Promise<void> =>
  writeWhole(join(directory, BACKUP), `${JSON.stringify({ ...manifest, format: FORMAT }, null, 2)}\n`);

/** Throws `NotDone` unless the directory has a complete backup of one process in a known format. */
export function readBackupManifest(directory: string): BackupManifest {
  const manifest = readAnyManifest(directory) as BackupManifest;
  if (isOfCluster(manifest)) throw new NotDone(`${directory} has the backup of a cluster: set mongoUri, kafkaBrokers and objectStore`);
  if (manifest.format > FORMAT) throw new NotDone(`${directory} was written by a newer version of Parlance: use that one`);
  return manifest;
}

/** Throws `NotDone` unless the directory has a complete backup of any kind. */
export function readAnyManifest(directory: string): { readonly format: number } {
  try {
    return JSON.parse(readFileSync(join(directory, BACKUP), 'utf8')) as { readonly format: number };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no JSON';
    throw new NotDone(`${directory} holds no whole backup (${BACKUP}: ${code}): name the directory that parlance backup wrote`);
  }
}

/** The problems with the files of a backup, as sentences. */
export async function changedSince(directory: string, { files, list }: BackupManifest, onProgress?: OnProgress): Promise<string[]> {
  const problems: string[] = [];
  for (const [log, { bytes, sha256 }] of Object.entries(files)) {
    const path = pathOf(directory, log);
    if (!existsSync(path)) problems.push(`${log}.db is missing`);
    else if (statSync(path).size !== bytes) problems.push(`${log}.db has ${statSync(path).size} bytes, not ${bytes}`);
    else if ((await hashOf(path)) !== sha256) problems.push(`${log}.db differs from the backup's checksum`);
  }
  if (list) problems.push(...(await changedFiles(directory, list, onProgress)));
  return problems;
}
