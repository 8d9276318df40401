import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A process is identified by its ID and its start time, because IDs are reused. */
interface Process {
  readonly pid: number;
  readonly born: string;
}

interface Leftover {
  readonly child: Process;
  readonly parent: Process;
  /** A folder to remove with the child. Absent if no folder is to be removed. */
  readonly folder?: string;
}

/** Undoes `watch`. Call it when the child has ended or is about to be stopped. */
export type Unwatch = () => void;

/**
 * Ensures that a child ends with this process, however this process ends. A shell waits for the end of a pipe, which the kernel closes when this
 * process ends (exit hooks do not run within jest or after SIGKILL), then kills the child. If the shell dies too, the next run finds a note in a
 * file, see `reapLeftovers`.
 */
export function watch(pid: number, folder?: string): Unwatch {
  const file = join(noteFolder(), `${pid}.json`);
  const leftover: Leftover = { child: identify(pid), parent: identify(process.pid), folder };
  writeFileSync(file, JSON.stringify(leftover), { mode: 0o600 });
  const script = 'read -r _; kill -9 "$1" 2>/dev/null; rm -rf "$2" "$3" 2>/dev/null || rm -rf "$2" "$3"';
  const guard = spawn('/bin/sh', ['-c', script, 'parlance-guard', String(pid), file, folder ?? file], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return () => {
    guard.kill('SIGKILL');
    rmSync(file, { force: true });
  };
}

/** Kills children of earlier runs whose parent has ended, and removes their folders. */
export function reapLeftovers(): number[] {
  const reaped: number[] = [];
  for (const name of readdirSync(noteFolder())) {
    const file = join(noteFolder(), name);
    const { child, parent, folder } = read(file);
    if (parent && isAlive(parent)) continue;
    if (child && isAlive(child)) {
      process.kill(child.pid, 'SIGKILL');
      reaped.push(child.pid);
    }
    if (folder?.startsWith(join(tmpdir(), 'parlance-'))) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    rmSync(file, { force: true });
  }
  return reaped;
}

// A note that a crash has truncated names no process.
function read(file: string): Partial<Leftover> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Leftover;
  } catch {
    return {};
  }
}

function noteFolder(): string {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `parlance-leftovers-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The folder of temporary files is shared, and notes that another user could have written must not be used.
  const { uid: owner, mode } = lstatSync(folder);
  if (owner !== uid || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to another user: remove it.`);
  return folder;
}

function identify(pid: number): Process {
  return { pid, born: bornAt(pid) ?? 'gone' };
}

function isAlive({ pid, born }: Process): boolean {
  return bornAt(pid) === born;
}

/** The start time of a process, as the system reports it; undefined if there is no such process, or it is a zombie. */
function bornAt(pid: number): string | undefined {
  try {
    if (!existsSync('/proc/self/stat')) return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    // The second field, the name, is in parentheses and may have spaces. After it come the state and, as the twentieth, the start in ticks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
