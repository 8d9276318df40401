import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** Errors that no server may log, whatever a test does. */
const NEVER_LOGGED = ['ERR_HTTP_HEADERS_SENT'];

interface Logs {
  /** The size that was searched of each log of a running server. */
  readonly searched: Map<string, number>;
  readonly found: string[];
}

const KEY = Symbol.for('parlance.server-logs');
const kept = globalThis as unknown as Record<symbol, Logs | undefined>;
/** Kept outside this module, because the environment of the specs loads it again. */
const logs = (): Logs => (kept[KEY] ??= { searched: new Map(), found: [] });

/** Call it when a server begins to write this log. */
export function watchLog(path: string): void {
  logs().searched.set(path, 0);
}

/** Call it when the server has ended, before its log is removed. */
export function unwatchLog(path: string): void {
  search(path);
  logs().searched.delete(path);
}

/** The lines with such errors since the last call. */
export function takeForbiddenLines(): string[] {
  for (const path of logs().searched.keys()) search(path);
  return logs().found.splice(0);
}

function search(path: string): void {
  const { searched, found } = logs();
  const from = searched.get(path);
  // A test may have removed the folder of its server.
  if (from === undefined || !existsSync(path)) return;
  const added = readFrom(path, from);
  // The last line may be incomplete.
  const end = added.lastIndexOf('\n') + 1;
  searched.set(path, from + end);
  for (const line of added.subarray(0, end).toString().split('\n')) {
    if (NEVER_LOGGED.some((error) => line.includes(error))) found.push(line);
  }
}

function readFrom(path: string, from: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
