import { existsSync } from 'node:fs';
import { newId } from '@parlance/event-store';
import { isStamped, logsIn, pathOf, refusals, type Uses } from './file-installation.ts';
import { lookInto, markOfFile, stampFile } from './file-looks.ts';
import { MANIFEST, newManifest, readManifest, writeManifest } from './manifest.ts';
import { type LogRefused, type Mark, NOTHING } from './mark.ts';
import { rebuildForeign } from './rebuild-foreign.ts';

/**
 * Accepts the remaining data of one log as its state; the lost events are given up. The caller must hold the lock of the directory. Returns the
 * reason why the log was refused, or null if the log is valid; in that case nothing is changed.
 */
export async function acceptLoss(directory: string, log: string, uses: Uses): Promise<LogRefused | null> {
  const all = refusals(directory, uses);
  const refused = all.find((each) => each.log === log);
  if (!refused) return null;
  if (log === MANIFEST) {
    await acceptAll(directory);
    return refused;
  }
  const manifest = readManifest(directory)!;
  const { [log]: _, ...others } = manifest.logs;
  const intact = Object.keys(others).filter((other) => !all.some((each) => each.log === other));
  // Before the manifest is written, so that after a kill the loss can be accepted again.
  await rebuildForeign(pathsOf(directory, isStamped(directory, log) ? [...intact, log] : intact));
  const mark = acceptedMark(pathOf(directory, log), log, manifest.installation);
  await writeManifest(directory, { ...manifest, logs: { ...others, ...(mark && { [log]: mark }) } });
  return refused;
}

/** Begins an installation with a new ID, so that old files that are found later are recognised as such. */
async function acceptAll(directory: string): Promise<void> {
  const installation = newId();
  const logs: Record<string, Mark> = {};
  const stamped = logsIn(directory).filter((log) => isStamped(directory, log));
  await rebuildForeign(pathsOf(directory, stamped));
  for (const log of logsIn(directory)) {
    const mark = acceptedMark(pathOf(directory, log), log, installation);
    if (mark) logs[log] = mark;
  }
  await writeManifest(directory, newManifest(installation, { logs }));
}

const pathsOf = (directory: string, logs: readonly string[]) => Object.fromEntries(logs.map((log) => [log, pathOf(directory, log)]));

/** Null if the next start will create the log or adopt it as new. */
function acceptedMark(path: string, log: string, installation: string): Mark | null {
  if (!existsSync(path)) return null;
  try {
    if (lookInto(path, log, NOTHING).installation === null) return null;
    stampFile(path, installation);
    return markOfFile(path, log);
  } catch {
    // Not a database. The next start fails with an error that asks to move the file away.
    return null;
  }
}
