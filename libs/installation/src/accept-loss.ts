import { existsSync } from 'node:fs';
import { newId } from '@parlance/event-store';
import { isStamped, logsIn, pathOf, refusals, type Uses } from './file-installation.ts';
import { lookInto, markOfFile, stampFile } from './file-looks.ts';
import { MANIFEST, newManifest, readManifest, writeManifest } from './manifest.ts';
import { type LogRefused, type Mark, NOTHING } from './mark.ts';
import { rebuildForeign } from './rebuild-foreign.ts';

/**
 * Accepts the remaining data of one log as its state; the lost events are given up. The caller must hold the lock of the directory. Returns
 * the reason for which the log was refused; null if the log is valid, and then nothing is changed.
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
  const whole = Object.keys(others).filter((other) => !all.some((each) => each.log === other));
  // Before the manifest, so that after a kill the loss is still to be accepted.
  await rebuildForeign(pathsOf(directory, isStamped(directory, log) ? [...whole, log] : whole));
  const mark = acceptedMark(pathOf(directory, log), log, manifest.installation);
  await writeManifest(directory, { ...manifest, logs: { ...others, ...(mark && { [log]: mark }) } });
  return refused;
}

/** A new id, so that files that turn up later are known to be of before. */
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

/** Null where the next start makes the log, or takes it in as new. */
function acceptedMark(path: string, log: string, installation: string): Mark | null {
  if (!existsSync(path)) return null;
  try {
    if (lookInto(path, log, NOTHING).installation === null) return null;
    stampFile(path, installation);
    return markOfFile(path, log);
  } catch {
    // Not a database. The error of the start says that the file must be moved away.
    return null;
  }
}
