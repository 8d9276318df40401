import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { LocalMasterKey, MASTER_KEY_BYTES, type MasterKey } from './master-key.ts';

/** Thrown by `loadMasterKey` when there is no key to be had: a malformed value, or a file that is malformed, open to others or can't be made. */
export class MasterKeyUnusable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'MasterKeyUnusable';
  }
}

export interface MasterKeySource {
  /** The key itself, base64 of 32 bytes. It wins over the file. */
  readonly value?: string;
  /** A file that holds it; made, with a fresh key, where there is none. */
  readonly file?: string;
}

/** Loads the key at the start of a program, hence synchronously. Errors never contain any part of the key, even if it is malformed. */
export function loadMasterKey({ value, file }: MasterKeySource): MasterKey {
  if (value !== undefined) return parse(value, 'the master key (PARLANCE_MASTER_KEY)');
  if (file === undefined) throw new MasterKeyUnusable('no master key: set masterKeyFile or PARLANCE_MASTER_KEY');
  return read(file) ?? make(file);
}

function parse(text: string, where: string): MasterKey {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== MASTER_KEY_BYTES || bytes.toString('base64') !== text.trim()) {
    throw new MasterKeyUnusable(`${where} must be ${MASTER_KEY_BYTES} bytes in base64 (openssl rand -base64 ${MASTER_KEY_BYTES})`);
  }
  return new LocalMasterKey(bytes);
}

function read(file: string): MasterKey | null {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new MasterKeyUnusable(`the master key file ${file} can't be read: ${codeOf(error)}`, error);
  }
  try {
    const { mode } = fstatSync(opened);
    // Its group may read it: Kubernetes mounts secrets as root's, for the group that the pod runs in. Windows keeps access lists
    // instead of modes and reports 0666 for everything.
    if (process.platform !== 'win32' && (mode & 0o037) !== 0) {
      throw new MasterKeyUnusable(`the master key file ${file} is open to others (mode ${(mode & 0o777).toString(8)}): chmod 600 it`);
    }
    return parse(readText(opened, file), `the master key file ${file}`);
  } finally {
    closeSync(opened);
  }
}

function readText(opened: number, file: string): string {
  try {
    return readFileSync(opened, 'utf8');
  } catch (error) {
    throw new MasterKeyUnusable(`the master key file ${file} can't be read: ${codeOf(error)}`, error);
  }
}

/**
 * Written whole and synced under a temporary name, then linked to the real one, which fails if that exists. So if two processes
 * start at once, one makes the key and both use it, and a crash leaves no partial key. The key that is read back is used.
 */
function make(file: string): MasterKey {
  const draft = `${file}.${randomUUID()}`;
  try {
    makeDirectory(dirname(file));
    const opened = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(opened, `${randomBytes(MASTER_KEY_BYTES).toString('base64')}\n`);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    publish(draft, file);
  } catch (error) {
    throw new MasterKeyUnusable(`the master key file ${file} can't be made: ${codeOf(error)}`, error);
  }
  const key = read(file);
  if (!key) throw new MasterKeyUnusable(`the master key file ${file} vanished while it was made`);
  return key;
}

/** One level only: Node's recursive mkdir never returns where the system refuses to make a directory with ENOENT, as below /proc. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  // Nothing may be wrapped under a key whose file a power cut could still take away. Windows can't sync a directory.
  if (process.platform === 'win32') return;
  const directory = openSync(dirname(file), constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}
