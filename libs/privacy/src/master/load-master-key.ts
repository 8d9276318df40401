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
import { isServiceKeyText, serviceKeyOf } from './service-key.ts';

/** Thrown by `loadMasterKey` if there is no usable key: the value is malformed, or the file is malformed, readable by others or cannot be created. */
export class MasterKeyUnusable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'MasterKeyUnusable';
  }
}

export interface MasterKeySource {
  /** The key itself: 32 bytes in base64, or a service key. It takes precedence over the file. */
  readonly value?: string;
  /** A file with the key. If it does not exist, it is created with a new key. */
  readonly file?: string;
}

/** Loads the key synchronously, at the start of a program. Errors never contain any part of the key, even if it is malformed. */
export function loadMasterKey({ value, file }: MasterKeySource): MasterKey {
  if (value !== undefined) return parse(value, 'the master key (PARLANCE_MASTER_KEY)');
  if (file === undefined) throw new MasterKeyUnusable('no master key: set masterKeyFile or PARLANCE_MASTER_KEY');
  return read(file) ?? make(file);
}

function parse(text: string, where: string): MasterKey {
  if (isServiceKeyText(text.trim())) return parseServiceKey(text.trim(), where);
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== MASTER_KEY_BYTES || bytes.toString('base64') !== text.trim()) {
    throw new MasterKeyUnusable(`${where} must be ${MASTER_KEY_BYTES} bytes in base64 (openssl rand -base64 ${MASTER_KEY_BYTES})`);
  }
  return new LocalMasterKey(bytes);
}

function parseServiceKey(text: string, where: string): MasterKey {
  try {
    return serviceKeyOf(text);
  } catch {
    throw new MasterKeyUnusable(`${where} is not a complete service key: make it again (parlance service-keys)`);
  }
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
    // The group may read the file, because Kubernetes mounts secrets as files of root that the pod's group can read. Windows has access lists
    // instead of modes, and reports 0666 for every file.
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
 * Writes and syncs the file under a temporary name, then links it to the real name, which fails if that exists. So if two processes start at the
 * same time, one creates the key and both use it, and a crash leaves no partial key. The key that is read back is used.
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

/** Creates one level only, because Node's recursive mkdir never returns where the system refuses with ENOENT, such as below /proc. */
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
  // No key may be wrapped before the file is durable, so the directory is synced. Windows cannot sync a directory.
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
