import type { BackupManifest } from '../backup/backup-manifest.ts';
import { type MissingObjects, sentenceOf } from '../backup/missing-objects.ts';
import { reportProblem, type Say } from './report-problem.ts';

/** Reports the objects of a backup, and those that its events name and that are missing. Returns the number of problems. */
export function reportObjects(
  missing: MissingObjects,
  { objects, missingObjects = 0 }: Pick<BackupManifest, 'objects' | 'missingObjects'>,
  say: Say,
): number {
  const isAccepted = missing.count <= missingObjects;
  say(`${'objects'.padEnd(18)}${objects}, ${missing.count === 0 ? 'with all that the events name' : `${missing.count} MISSING`}`);
  if (missing.count === 0) return 0;
  if (!isAccepted)
    return reportProblem(say, `${sentenceOf(missing)}: the backup was made of another or emptied object store (objectStore)`);
  say(`  ${sentenceOf(missing)}, as was known when the backup was made`);
  return 0;
}
