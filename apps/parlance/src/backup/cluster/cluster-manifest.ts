import { join } from 'node:path';
import { existsSync, statSync } from 'node:fs';
import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { VERSION } from '@parlance/foundation';
import { writeWhole } from '@parlance/installation';
import type { DumpedDatabase } from '@parlance/installation/database-copies';
import { BACKUP, type BackedUpFile, type BackupManifest, CLUSTER_FORMAT, readAnyManifest } from '../backup-manifest.ts';
import { hashOf } from '../file-hash.ts';
import { changedFiles, type FileListMark } from '../file-list.ts';
import type { OnProgress } from '../../progress-bar.ts';
import { NotDone } from '../../not-done.ts';

export interface ClusterManifest extends Omit<BackupManifest, 'format' | 'files' | 'list'> {
  readonly format: typeof CLUSTER_FORMAT;
  readonly databases: Readonly<Record<string, DumpedDatabase & BackedUpFile>>;
  readonly list: FileListMark;
}

export const DAY_MILLIS = 24 * 3_600_000;

/** Topics may have events since then. */
export const keptFrom = ({ topicRetentionDays }: Config, now: Instant): Instant => Instant.plus(now, -topicRetentionDays * DAY_MILLIS);

export const dumpOf = (directory: string, service: string): string => join(directory, `${service}.bson`);

export const writeClusterManifest = (directory: string, manifest: Omit<ClusterManifest, 'format' | 'version'>): Promise<void> =>
  writeWhole(join(directory, BACKUP), `${JSON.stringify({ format: CLUSTER_FORMAT, version: VERSION, ...manifest }, null, 2)}\n`);

/** Throws `NotDone` unless the directory has a complete backup of a cluster in a known format. */
export function readClusterManifest(directory: string): ClusterManifest {
  const manifest = readAnyManifest(directory);
  if (manifest.format < CLUSTER_FORMAT) throw new NotDone(`${directory} has the backup of one process, which a cluster cannot restore`);
  if (manifest.format > CLUSTER_FORMAT) throw new NotDone(`${directory} was written by a newer version of Parlance: use that one`);
  return manifest as ClusterManifest;
}

/** The problems with the files of a backup, as sentences. */
export async function changedInCluster(
  directory: string,
  { databases, list }: ClusterManifest,
  onProgress?: OnProgress,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [service, { bytes, sha256 }] of Object.entries(databases)) {
    const path = dumpOf(directory, service);
    if (!existsSync(path)) problems.push(`${service}.bson is missing`);
    else if (statSync(path).size !== bytes) problems.push(`${service}.bson has ${statSync(path).size} bytes, not ${bytes}`);
    else if ((await hashOf(path)) !== sha256) problems.push(`${service}.bson differs from the backup's checksum`);
  }
  return [...problems, ...(await changedFiles(directory, list, onProgress))];
}
