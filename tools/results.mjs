// How every check reports its result: {"passed": 3, "failed": 0, "skipped": ["why, by name"]} in the file that RESULTS_FILE names.
// A check that knows the names of its failures adds them as `failures`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeResults(results, file = process.env.RESULTS_FILE) {
  if (!file) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results));
}

/** The results in a file; undefined if the file is absent or unreadable. */
export function readResults(file) {
  try {
    const { passed, failed, skipped = [], failures = [], files } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(passed) && Number.isInteger(failed)
      ? { passed, failed, skipped, failures, ...(files && { files }) }
      : undefined;
  } catch {
    return undefined;
  }
}

export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`;
}
