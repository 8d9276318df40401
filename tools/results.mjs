// How every check reports its result: {"passed": 3, "failed": 0, "skipped": ["why, by name"]} in the file that RESULTS_FILE names.
// Those that can, add their `failures` by name.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeResults(results, file = process.env.RESULTS_FILE) {
  if (!file) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results));
}

/** The results in a file; undefined when there is none, or nothing that can be read. */
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
