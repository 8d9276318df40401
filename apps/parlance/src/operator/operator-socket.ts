import { type Server } from 'node:http';
import { relative, resolve } from 'node:path';
import type { OnProgress } from '../progress-bar.ts';
import type { Rebuilt } from '../replay/rebuild.ts';

/** A file in the data directory that only its user may use. Commands on the same machine reach the running product through it. */
export const OPERATOR_SOCKET = 'operator.sock';
/** The longest socket address that all systems allow, in bytes. */
const LONGEST = 100;

/** The path to bind or connect to, relative to the working directory if that is shorter. Null if both paths are too long. */
export function socketPath(dataDir: string): string | null {
  const absolute = resolve(dataDir, OPERATOR_SOCKET);
  const short = [absolute, relative('.', absolute)].find((path) => Buffer.byteLength(path) <= LONGEST);
  return short ?? null;
}

export interface BackupRequest {
  readonly directory: string;
  readonly withMasterKey: boolean;
  /** Write the backup even if objects are missing that the events name. */
  readonly acceptMissing: boolean;
}

/** One line of the answer to a command: progress, or the outcome (the lines to print, or why nothing was done). */
export type OperatorReply =
  | { readonly step: Parameters<OnProgress> }
  | { readonly rebuilt: Rebuilt }
  | { readonly lines: readonly string[] }
  | { readonly refused: string };

/** The path of rebuilds. Backups have the path `/`. */
export const REBUILDS = '/rebuilds';

export const closed = (server: Server) => new Promise<void>((done) => server.close(() => done()));
